#include "app/ctl/line_check.h"

#include <fmt/format.h>

#include "app/ctl/connection.h"
#include "backend/base/text.h"

namespace yard::ctl {

ExitCode checkLine(const char* name, const std::string& text)
{
    if (text::validUtf8(text) != text)
        return complain(BadInput, fmt::format("{} is not valid UTF-8 text. Nothing was done; write "
                                              "it in UTF-8.",
                                              name));
    if (text::hasControl(text))
        return complain(BadInput,
                        fmt::format("{} has a line break, another control character or one that "
                                    "changes the direction of text in it: \"{}\". Nothing was "
                                    "done; write it in one line of plain text.",
                                    name, text::visible(text)));
    return Done;
}

}  // namespace yard::ctl
