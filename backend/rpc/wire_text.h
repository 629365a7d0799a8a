#pragma once

#include <google/protobuf/message.h>

#include <string>
#include <string_view>

namespace yard::rpc {

bool isUtf8(std::string_view text);
/// Each byte that belongs to no character becomes U+FFFD.
std::string repairedUtf8(std::string_view text);

/// Makes every string of `message` one that its reader will accept: schedulers and logs hand over
/// any bytes, and one bad byte in one string would make the reader drop the whole message.
void repairStrings(google::protobuf::Message& message);

}  // namespace yard::rpc
