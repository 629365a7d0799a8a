#include "backend/telemetry/sources/http_words.h"

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>

#include <cerrno>
#include <cstring>

namespace yard::telemetry {
namespace {

Status connectStatus(const std::string& target, long osError)
{
    if (osError == ECONNREFUSED)
        return absl::UnavailableError(absl::StrCat(
            target, " refused the connection; check that the exporter runs and listens there."));
    const std::string reason = osError != 0 ? std::strerror(int(osError)) : "no connection";
    return absl::UnavailableError(
        absl::StrCat(target, " cannot be reached (", reason, "); check the node and its network."));
}

Status sizeStatus(const HttpRequest& request)
{
    return absl::ResourceExhaustedError(
        absl::StrCat(request.target, " sent more than ", request.bodyLimit,
                     " bytes; nothing of it was used. Raise the size limit if this is right."));
}

}  // namespace

Status deadlineStatus(const FailedGet& get)
{
    const std::string& target = get.request.target;
    const std::string seconds = absl::StrFormat("%.1f s", double(get.allowed.count()) / 1000);
    if (!get.connected)
        return absl::DeadlineExceededError(
            absl::StrCat(target, " could not be connected to within ", seconds,
                         "; check the node and its network."));
    return absl::DeadlineExceededError(absl::StrCat(target, " did not finish its answer within ",
                                                    seconds, " (", get.bytes,
                                                    " bytes came); nothing of it was used."));
}

Status failureStatus(const FailedGet& get, CURLcode code)
{
    const std::string& target = get.request.target;
    switch (code) {
        case CURLE_OPERATION_TIMEDOUT:
            return deadlineStatus(get);
        case CURLE_COULDNT_RESOLVE_HOST:
            return absl::UnavailableError(absl::StrCat("The name of ", target,
                                                       " cannot be resolved (", get.words,
                                                       "); check it and the DNS."));
        case CURLE_COULDNT_CONNECT:
            return connectStatus(target, get.osError);
        case CURLE_FILESIZE_EXCEEDED:
            return sizeStatus(get.request);
        case CURLE_WRITE_ERROR:
            if (get.tooLarge)
                return sizeStatus(get.request);
            return absl::InvalidArgumentError(absl::StrCat(target, " sent more than ", kHeaderLimit,
                                                           " bytes of headers; it was not read."));
        case CURLE_PARTIAL_FILE:
        case CURLE_RECV_ERROR:
        case CURLE_SEND_ERROR:
        case CURLE_GOT_NOTHING:
            return absl::DataLossError(absl::StrCat(target, " broke off its answer after ",
                                                    get.bytes, " bytes (", get.words,
                                                    "); nothing of it was used."));
        case CURLE_BAD_CONTENT_ENCODING:
            return absl::DataLossError(absl::StrCat(
                target, " sent a body that cannot be decompressed (", get.words, ")."));
        case CURLE_URL_MALFORMAT:
        case CURLE_UNSUPPORTED_PROTOCOL:
        case CURLE_WEIRD_SERVER_REPLY:
            return absl::InvalidArgumentError(absl::StrCat(target, " cannot be read over HTTP at ",
                                                           get.request.url, " (", get.words, ")."));
        default:
            return absl::UnavailableError(
                absl::StrCat(target, " could not be read (", get.words, ")."));
    }
}

Status checkReply(const HttpReply& reply, std::string_view target)
{
    const int status = reply.status;
    if (status == 200)
        return {};
    const std::string answered =
        absl::StrCat(std::string(target), " answered with status ", status);
    if (status >= 300 && status < 400)
        return absl::FailedPreconditionError(
            absl::StrCat(answered, ", a redirect to '", reply.location,
                         "'. Redirects are not followed; configure that address if it is right."));
    if (status == 401 || status == 403)
        return absl::PermissionDeniedError(
            absl::StrCat(answered, "; it wants credentials, or different ones."));
    if (status == 404)
        return absl::NotFoundError(absl::StrCat(answered, " (no such page); check the path."));
    if (status >= 500)
        return absl::UnavailableError(
            absl::StrCat(answered, "; it has a fault of its own, see its log."));
    return absl::FailedPreconditionError(absl::StrCat(answered, "; only 200 is a reading."));
}

}  // namespace yard::telemetry
