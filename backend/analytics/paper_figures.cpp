#include "backend/analytics/paper_figures.h"

#include <charconv>

#include "backend/analytics/built_in_files.h"
#include "backend/base/text.h"

namespace yard::analytics {

std::vector<PaperFigure> paperFigures(std::string_view cluster)
{
    std::vector<PaperFigure> figures;
    for (const std::string_view line : text::lines(kPaperFiguresFile)) {
        const auto fields = text::split(line, ",");
        if (fields.size() != 4 || fields[0] != cluster)
            continue;
        PaperFigure figure{fields[1], 0, fields[3]};
        std::from_chars(fields[2].data(), fields[2].data() + fields[2].size(), figure.value);
        figures.push_back(figure);
    }
    return figures;
}

}  // namespace yard::analytics
