#include "backend/telemetry/sources/exporter_source.h"

#include <fmt/format.h>

#include "backend/telemetry/sources/http_fetch.h"
#include "backend/telemetry/sources/http_words.h"

namespace yard::telemetry {

ExporterSource::ExporterSource(Settings settings, const Clock& clock)
    : m_settings(std::move(settings))
    , m_clock(clock)
{
}

std::string_view ExporterSource::kind() const
{
    const bool isKnown = m_settings.kind == "exporter" && !m_interpreter.kind().empty();
    return isKnown ? m_interpreter.kind() : std::string_view(m_settings.kind);
}

StatusOr<Scrape> ExporterSource::scrape(Deadline deadline)
{
    const StatusOr<HttpReply> reply = httpGet(m_settings.request, deadline);
    return reply.ok() ? read(*reply) : StatusOr<Scrape>(reply.status());
}

StatusOr<Scrape> ExporterSource::read(const HttpReply& reply)
{
    const std::string& target = m_settings.request.target;
    YARD_RETURN_IF_ERROR(checkReply(reply, target));
    const StatusOr<Exposition> page = readExposition(reply.body);
    if (!page.ok())
        return Status(page.status().code(),
                      fmt::format("{}: {}", target, std::string(page.status().message())));
    auto readings = m_interpreter.read(*page, m_settings.host, m_clock.now());
    if (!readings.ok())
        return Status(readings.status().code(),
                      fmt::format("{}: {}; check port and path.", target,
                                  std::string(readings.status().message())));
    if (m_settings.kind != "exporter" && m_settings.kind != m_interpreter.kind())
        return absl::InvalidArgumentError(
            fmt::format("{} is configured as '{}' but serves a page of '{}'; check the port.",
                        target, m_settings.kind, m_interpreter.kind()));
    Scrape scrape;
    scrape.hosts.push_back(*std::move(readings));
    scrape.samples = page->samples.size();
    scrape.badLines = page->badLines;
    if (page->badLines > 0)
        scrape.firstBadLine = fmt::format("{}, {}", target, firstBadSentence(*page));
    return scrape;
}

}  // namespace yard::telemetry
