#include "ui/widgets/heatmap/heatmap_view.h"

#include <QAccessible>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <cmath>

#include "ui/model/cluster_state.h"
#include "ui/theme/theme.h"
#include "ui/theme/unknown.h"
#include "ui/theme/wording.h"
#include "ui/theme/yard_style.h"

namespace yard::widgets {

using theme::Color;

constexpr int kCardPauseMs = 250;

HeatmapView::HeatmapView(model::GpuMap& map, QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_map(map)
{
    setFrameShape(NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(QStringLiteral("Map of all GPUs"));
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    m_pause.setSingleShot(true);
    m_pause.setInterval(kCardPauseMs);
    connect(&m_pause, &QTimer::timeout, this, [this] { Q_EMIT cardRequested(m_hovered); });
    connect(&map, &model::GpuMap::layoutChanged, this, &HeatmapView::relayout);
    connect(&map, &model::GpuMap::valuesChanged, this, [this] {
        m_valuesDirty = true;
        viewport()->update();
    });
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, &HeatmapView::relayout);
}

void HeatmapView::relayout()
{
    m_layoutDirty = true;
    viewport()->update();
}

QVector<HeatmapLayout::GroupSize> HeatmapView::measureGroups(double ratio) const
{
    QFont title = theme::font(theme::Type::Label, QFont::DemiBold);
    const QFontMetricsF metrics(title);
    QVector<HeatmapLayout::GroupSize> sizes;
    for (const model::GpuMap::Group& each : m_map.groups()) {
        int gpus = 1;
        for (const int node : each.nodes)
            gpus =
                std::max(gpus, m_map.state().gpuOffset(node + 1) - m_map.state().gpuOffset(node));
        const double words = std::min(metrics.horizontalAdvance(each.title) + 4, 150.0);
        sizes.push_back({int(each.nodes.size()), gpus, int(std::ceil(words * ratio))});
    }
    return sizes;
}

int HeatmapView::idealHeight(int room) const
{
    HeatmapLayout::Options options;
    options.area = QSize(std::max(100, maximumViewportSize().width()), std::max(100, room));
    options.largestPitch = m_largestPitch;
    options.nodeNumbers = m_nodeNumbers;
    return HeatmapLayout(measureGroups(1), options).contentSize().height();
}

void HeatmapView::refreshImage()
{
    const double ratio = devicePixelRatioF();
    if (!m_layoutDirty && ratio == m_layoutRatio) {
        if (m_valuesDirty)
            m_painter.paintValues(m_map, m_layout);
        m_valuesDirty = false;
        return;
    }
    m_layoutDirty = false;
    m_valuesDirty = false;
    m_layoutRatio = ratio;
    const QVector<HeatmapLayout::GroupSize> sizes = measureGroups(ratio);
    m_places.fill({}, m_map.state().nodes().size());
    for (int group = 0; group < m_map.groups().size(); ++group) {
        const QVector<int>& nodes = m_map.groups()[group].nodes;
        for (int column = 0; column < nodes.size(); ++column)
            m_places[nodes[column]] = {group, column};
    }
    HeatmapLayout::Options options;
    options.ratio = ratio;
    options.largestPitch = m_largestPitch;
    options.nodeNumbers = m_nodeNumbers;
    options.area = QSize(int(maximumViewportSize().width() * ratio),
                         int(maximumViewportSize().height() * ratio));
    m_layout = HeatmapLayout(sizes, options);
    if (m_layout.contentSize().height() > options.area.height()) {
        options.area.rwidth() -= int(std::ceil(verticalScrollBar()->sizeHint().width() * ratio));
        m_layout = HeatmapLayout(sizes, options);
    }
    m_painter.paintAll(m_map, m_layout, ratio);
    const int overflow = m_layout.contentSize().height() - options.area.height();
    const int range = overflow > 0 ? int(std::ceil(overflow / ratio)) : 0;
    verticalScrollBar()->setPageStep(maximumViewportSize().height());
    verticalScrollBar()->setSingleStep(40);
    if (verticalScrollBar()->maximum() != range)
        verticalScrollBar()->setRange(0, range);
}

QPoint HeatmapView::deviceOffset() const
{
    return {0, int(std::lround(verticalScrollBar()->value() * m_layoutRatio))};
}

void HeatmapView::paintEvent(QPaintEvent*)
{
    refreshImage();
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme::color(Color::BgSurface));
    if (m_map.groups().isEmpty()) {
        const QString why = theme::whyUnknown(m_map.state());
        if (!why.isEmpty())
            theme::paintEmpty(painter, viewport()->rect(), QStringLiteral("GPUs are not known"),
                              why);
        else if (m_map.state().nodes().isEmpty())
            theme::paintEmpty(painter, viewport()->rect(),
                              QStringLiteral("The scheduler lists no nodes"),
                              QStringLiteral("Nodes come from NodeName lines of slurm.conf."));
        else
            theme::paintEmpty(painter, viewport()->rect(),
                              QStringLiteral("The scheduler names no GPU in this cluster"),
                              QStringLiteral("GPUs come from Gres=gpu: of the nodes in slurm.conf, "
                                             "with GresTypes=gpu."));
        return;
    }
    // At fractional scales a widget may start between device pixels; the image may not.
    const double ratio = m_layoutRatio;
    const QPointF origin = QPointF(viewport()->mapTo(window(), QPoint())) * ratio;
    painter.translate((std::round(origin.x()) - origin.x()) / ratio,
                      (std::round(origin.y()) - origin.y()) / ratio);
    painter.scale(1 / ratio, 1 / ratio);
    painter.translate(-deviceOffset());
    painter.drawImage(QPoint(0, 0), m_painter.image());
    const Cell cell = m_hovered.isValid() ? m_hovered : hasFocus() ? m_current : Cell();
    if (!cell.isValid() || cell.node >= m_places.size())
        return;
    paintJobOutline(painter, cell);
    const Place place = m_places[cell.node];
    if (place.group < 0)
        return;
    const int width = std::max(1, int(std::lround(2 * ratio)));
    const QRect box = cell.gpu >= 0 ? m_layout.cellRect(place.group, place.column, cell.gpu)
                                    : m_layout.columnRect(place.group, place.column);
    painter.setPen(
        QPen(theme::color(Color::TextPrimary), width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    const double half = width / 2.0;
    painter.drawRect(QRectF(box).adjusted(-half, -half, half, half));
}

void HeatmapView::paintJobOutline(QPainter& painter, const Cell& cell) const
{
    const model::ClusterState& state = m_map.state();
    const int job = cell.gpu >= 0 ? state.jobOnGpu(cell.node, cell.gpu)
                                  : state.jobsOnNode(cell.node).value(0, -1);
    if (job < 0 || state.jobs()[job].nodeCount < 2)
        return;
    const double width = std::max(1.0, std::floor(1.5 * m_layoutRatio));
    painter.setPen(
        QPen(theme::color(Color::TextPrimary), width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    for (int group = 0; group < m_map.groups().size(); ++group) {
        const QVector<int>& nodes = m_map.groups()[group].nodes;
        const int perBand = m_layout.columnsPerBand(group);
        for (int column = 0; column < nodes.size(); ++column) {
            if (!state.jobsOnNode(nodes[column]).contains(job))
                continue;
            int end = column;
            while (end + 1 < nodes.size() && (end + 1) % perBand != 0 &&
                   state.jobsOnNode(nodes[end + 1]).contains(job))
                ++end;
            const int last =
                state.gpuOffset(nodes[column] + 1) - state.gpuOffset(nodes[column]) - 1;
            const QRect run =
                m_layout.cellRect(group, column, 0).united(m_layout.cellRect(group, end, last));
            painter.drawRect(QRectF(run).adjusted(-width / 2, -width / 2, width / 2, width / 2));
            column = end;
        }
    }
}

HeatmapView::Cell HeatmapView::cellAt(const QPoint& at) const
{
    const QPoint device = (QPointF(at) * m_layoutRatio).toPoint() + deviceOffset();
    const auto hit = m_layout.hit(device);
    if (!hit || hit->group >= m_map.groups().size())
        return {};
    const int node = m_map.groups()[hit->group].nodes.value(hit->column, -1);
    return node < 0 ? Cell() : Cell{node, std::max(0, hit->gpu)};
}

HeatmapView::Place HeatmapView::placeOf(int node) const
{
    return m_places.value(node);
}

QRect HeatmapView::cellRect(const Cell& cell) const
{
    const Place place = placeOf(cell.node);
    if (!cell.isValid() || place.group < 0)
        return {};
    const QRect device = m_layout.cellRect(place.group, place.column, std::max(0, cell.gpu))
                             .translated(-deviceOffset());
    return {int(device.left() / m_layoutRatio), int(device.top() / m_layoutRatio),
            std::max(1, int(device.width() / m_layoutRatio)),
            std::max(1, int(device.height() / m_layoutRatio))};
}

void HeatmapView::setHovered(const Cell& cell)
{
    if (cell == m_hovered)
        return;
    m_hovered = cell;
    viewport()->update();
    if (cell.isValid())
        m_pause.start();
    else
        m_pause.stop();
    Q_EMIT cardRequested({});
}

void HeatmapView::setCurrent(const Cell& cell)
{
    m_current = cell;
    const QString words = describe(cell);
    setAccessibleDescription(words);
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
    const QRect rect = cellRect(cell);
    if (rect.top() < 0)
        verticalScrollBar()->setValue(verticalScrollBar()->value() + rect.top() - 30);
    else if (rect.bottom() > viewport()->height())
        verticalScrollBar()->setValue(verticalScrollBar()->value() + rect.bottom() -
                                      viewport()->height() + 30);
    viewport()->update();
}

QString HeatmapView::describe(const Cell& cell) const
{
    if (!cell.isValid() || cell.node >= m_map.state().nodes().size())
        return {};
    const model::NodeInfo& node = m_map.state().nodes()[cell.node];
    const int position = m_map.state().gpuOffset(cell.node) + std::max(0, cell.gpu);
    const float value = m_map.values().value(position, model::kNoReading);
    const bool share = m_map.metric() == model::GpuMetric::MemoryUsed;
    const QString reading = share && !std::isnan(value)
                                ? theme::percent(double(value) / 100)
                                : theme::quantity(m_map.metric(), value).text();
    QString words =
        QStringLiteral("%1, %2, node %3, %4 %5")
            .arg(theme::gpuName(node.name, std::max(0, cell.gpu)),
                 m_map.groups().value(placeOf(cell.node).group).title,
                 theme::categoryName(node.category), theme::metricName(m_map.metric()), reading);
    const quint8 flags = m_map.flags().value(position, 0);
    if (flags & model::GpuMap::HasFault)
        words += QStringLiteral(", fault");
    if (flags & model::GpuMap::Stale)
        words += QStringLiteral(", stale");
    return words;
}

void HeatmapView::moveCurrent(int columns, int gpus)
{
    if (m_map.groups().isEmpty())
        return;
    if (!m_current.isValid() || placeOf(m_current.node).group < 0) {
        setCurrent({m_map.groups().first().nodes.value(0, -1), 0});
        return;
    }
    Place place = placeOf(m_current.node);
    int gpu = m_current.gpu + gpus;
    const int last =
        m_map.state().gpuOffset(m_current.node + 1) - m_map.state().gpuOffset(m_current.node) - 1;
    int column = place.column + columns;
    const int perBand = m_layout.columnsPerBand(place.group);
    // Up and down leave the block for the one above or below it.
    if (gpu < 0 || gpu > last) {
        const QRect at = m_layout.cellRect(place.group, place.column, m_current.gpu);
        const int beyond = std::max(m_layout.pitch() * 2, int(48 * m_layoutRatio));
        for (int step = m_layout.pitch(); step < beyond * 2;
             step += std::max(1, m_layout.pitch() / 2)) {
            const auto hit =
                m_layout.hit({at.center().x(), gpu < 0 ? at.top() - step : at.bottom() + step});
            if (hit && hit->gpu >= 0) {
                setCurrent({m_map.groups()[hit->group].nodes[hit->column], hit->gpu});
                return;
            }
        }
        return;
    }
    Q_UNUSED(perBand);
    while (column < 0 && place.group > 0)
        column += int(m_map.groups()[--place.group].nodes.size());
    while (column >= m_map.groups()[place.group].nodes.size() &&
           place.group + 1 < m_map.groups().size())
        column -= int(m_map.groups()[place.group++].nodes.size());
    const int node = m_map.groups()[place.group].nodes.value(column, m_current.node);
    const int most = m_map.state().gpuOffset(node + 1) - m_map.state().gpuOffset(node) - 1;
    setCurrent({node, std::clamp(gpu, 0, most)});
}

void HeatmapView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    relayout();
}

void HeatmapView::mouseMoveEvent(QMouseEvent* event)
{
    setHovered(cellAt(event->pos()));
}

void HeatmapView::mousePressEvent(QMouseEvent* event)
{
    const Cell cell = cellAt(event->pos());
    if (event->button() != Qt::LeftButton || !cell.isValid())
        return;
    setCurrent(cell);
    Q_EMIT nodeActivated(cell.node, cell.gpu);
}

void HeatmapView::keyPressEvent(QKeyEvent* event)
{
    // What the pointer is on is what the keys speak of; else the cursor.
    const Cell cell = m_hovered.isValid() ? m_hovered : m_current;
    switch (event->key()) {
        case Qt::Key_Left:
            moveCurrent(-1, 0);
            return;
        case Qt::Key_Right:
            moveCurrent(1, 0);
            return;
        case Qt::Key_Up:
            moveCurrent(0, -1);
            return;
        case Qt::Key_Down:
            moveCurrent(0, 1);
            return;
        case Qt::Key_Space:
            if (cell.isValid())
                Q_EMIT cardRequested(cell);
            return;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (cell.isValid())
                Q_EMIT nodeActivated(cell.node, cell.gpu);
            return;
        case Qt::Key_J:
            if (cell.isValid() && event->modifiers() == Qt::NoModifier) {
                Q_EMIT jobActivated(cell.node, cell.gpu);
                return;
            }
            break;
        case Qt::Key_Escape:
            Q_EMIT cardRequested({});
            break;
        default:
            break;
    }
    QAbstractScrollArea::keyPressEvent(event);
}

void HeatmapView::contextMenuEvent(QContextMenuEvent* event)
{
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const Cell cell = byKey ? m_current : cellAt(event->pos());
    if (!cell.isValid())
        return;
    const QPoint at =
        byKey ? viewport()->mapToGlobal(cellRect(cell).bottomRight()) : event->globalPos();
    Q_EMIT contextMenuRequested(cell.node, cell.gpu, at);
}

void HeatmapView::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    const bool byKey =
        event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    if (byKey && !m_current.isValid())
        moveCurrent(0, 0);
}

void HeatmapView::scrollContentsBy(int, int)
{
    viewport()->update();
}

bool HeatmapView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave)
        setHovered({});
    return QAbstractScrollArea::viewportEvent(event);
}

}  // namespace yard::widgets
