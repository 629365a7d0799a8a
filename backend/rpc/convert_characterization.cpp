#include "backend/rpc/convert_characterization.h"

#include "backend/analytics/definitions.h"
#include "backend/analytics/paper_figures.h"
#include "backend/rpc/convert_time.h"

namespace yard::rpc {
namespace {

constexpr const char* kPaperClusters[] = {"Seren", "Kalos"};

double valueOf(const analytics::Figure& figure)
{
    return figure.kind == analytics::Figure::Kind::Number ? figure.number : double(figure.count);
}

void fillDefinitions(v1::CharacterizeReply* reply)
{
    for (const analytics::Definition& definition : analytics::definitions()) {
        v1::FigureDefinition* out = reply->add_definitions();
        out->set_name(std::string(definition.name));
        out->set_unit(std::string(definition.unit));
        out->set_title(std::string(definition.title));
        out->set_text(std::string(definition.text));
    }
    for (const std::string_view common : analytics::commonDefinitions())
        reply->add_common(std::string(common));
}

void fillPapers(v1::CharacterizeReply* reply)
{
    for (const char* cluster : kPaperClusters) {
        v1::PaperCluster* paper = reply->add_papers();
        paper->set_name(cluster);
        for (const analytics::PaperFigure& figure : analytics::paperFigures(cluster)) {
            v1::CharacterizedFigure* out = paper->add_figures();
            out->set_name(std::string(figure.name));
            out->set_value(figure.value);
        }
    }
}

}  // namespace

void fillCharacterization(const control::Characterizer::Span& span,
                          const control::Characterizer::Result& result,
                          v1::CharacterizeReply* reply)
{
    const analytics::Figures& figures = result.characterization.figures;
    for (const analytics::Figure& figure : figures.all()) {
        if (figure.kind == analytics::Figure::Kind::Text)
            continue;
        v1::CharacterizedFigure* out = reply->add_figures();
        out->set_name(figure.name);
        out->set_value(valueOf(figure));
    }
    for (const analytics::Absence& absence : figures.absences()) {
        v1::FigureAbsence* out = reply->add_absences();
        out->set_name(absence.name);
        out->set_why(absence.why);
    }
    for (const std::string& note : result.notes)
        reply->add_notes(note);
    constexpr int64_t kMicroseconds = 1'000'000;
    reply->set_first_hour_us(result.characterization.firstHour * kMicroseconds);
    for (const uint32_t jobs : result.characterization.arrivals)
        reply->add_arrivals(jobs);
    reply->set_from_us(microseconds(span.from));
    reply->set_to_us(microseconds(span.to));
    if (result.knownFrom != Time{})
        reply->set_known_from_us(microseconds(result.knownFrom));
    reply->set_imported(result.imported);
    reply->set_rules(uint32_t(result.rules));
    fillPapers(reply);
    fillDefinitions(reply);
}

}  // namespace yard::rpc
