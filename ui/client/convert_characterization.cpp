#include "ui/client/convert_characterization.h"

#include "ui/client/convert_cluster.h"

namespace yard::client {
namespace {

template <typename Repeated>
model::FigureSet toFigures(const Repeated& wire)
{
    model::FigureSet figures;
    for (const v1::CharacterizedFigure& figure : wire)
        figures.add(text(figure.name()), figure.value());
    return figures;
}

}  // namespace

v1::CharacterizeRequest toWire(const model::CharacterizeRequest& request)
{
    v1::CharacterizeRequest wire;
    if (request.from.isValid())
        wire.set_from_us(request.from.toMSecsSinceEpoch() * 1000);
    if (request.to.isValid())
        wire.set_to_us(request.to.toMSecsSinceEpoch() * 1000);
    return wire;
}

model::Characterization toCharacterization(const v1::CharacterizeReply& wire)
{
    model::Characterization all;
    all.figures = toFigures(wire.figures());
    for (const v1::FigureAbsence& absence : wire.absences())
        all.absences.insert(text(absence.name()), text(absence.why()));
    for (const v1::PaperCluster& paper : wire.papers())
        all.papers.insert(text(paper.name()), toFigures(paper.figures()));
    for (const v1::FigureDefinition& one : wire.definitions())
        all.definitions.append(
            {text(one.name()), text(one.unit()), text(one.title()), text(one.text())});
    all.common = texts(wire.common());
    all.notes = texts(wire.notes());
    all.firstHour = time(wire.first_hour_us());
    for (const uint32_t jobs : wire.arrivals())
        all.arrivals.append(int(jobs));
    all.from = time(wire.from_us());
    all.to = time(wire.to_us());
    if (wire.has_known_from_us())
        all.knownFrom = time(wire.known_from_us());
    all.imported = wire.imported();
    all.rules = int(wire.rules());
    return all;
}

}  // namespace yard::client
