#include "ui/widgets/chip_row.h"

#include <QHBoxLayout>
#include <QMenu>
#include <algorithm>

#include "ui/model/hostlist.h"
#include "ui/widgets/chip.h"

namespace yard::widgets {

constexpr int kMostValues = 40;

ChipRow::ChipRow(QWidget* parent)
    : QWidget(parent)
    , m_row(new QHBoxLayout(this))
{
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(6);
}

void ChipRow::clear()
{
    while (QLayoutItem* item = m_row->takeAt(0)) {
        // Not at once: this may be the click of one of them.
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
}

void ChipRow::addActive(const QString& text, std::function<void()> removed)
{
    auto* chip = new Chip(text, Chip::Kind::Active);
    connect(chip, &Chip::removeRequested, this, std::move(removed));
    m_row->addWidget(chip);
}

void ChipRow::addTerm(const model::FilterTerm& term, std::function<void()> removed)
{
    addActive(QStringLiteral("%1%2: %3")
                  .arg(term.excluded ? QStringLiteral("not ") : QString(), term.key, term.value),
              std::move(removed));
}

void ChipRow::addMenu(const QString& key, std::function<QStringList()> values,
                      std::function<void(const QString&)> chosen, const QString& name)
{
    auto* chip = new Chip(key, Chip::Kind::Menu);
    chip->setObjectName((name.isEmpty() ? key : name) + QStringLiteral("Chip"));
    connect(chip, &Chip::clicked, this,
            [this, chip, values = std::move(values), chosen = std::move(chosen)] {
                QMenu menu(this);
                for (const QString& value : values())
                    connect(menu.addAction(value), &QAction::triggered, this,
                            [chosen, value] { chosen(value); });
                if (menu.isEmpty())
                    menu.addAction(QStringLiteral("nothing to choose from"))->setEnabled(false);
                menu.exec(chip->mapToGlobal(QPoint(0, chip->height() + 2)));
            });
    m_row->addWidget(chip);
}

QStringList ChipRow::inOrder(const QSet<QString>& values)
{
    QStringList sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end(), model::naturalLess);
    return sorted.mid(0, kMostValues);
}

}  // namespace yard::widgets
