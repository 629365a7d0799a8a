#pragma once

#include <google/protobuf/message.h>

namespace yard::rpc {

/// Makes every string of `message` one that its reader will accept: schedulers and logs hand over
/// any bytes, and one that is no UTF-8 in one string would make the reader drop the whole message.
///
/// Thread: any; a pure function.
void repairStrings(google::protobuf::Message& message);

}  // namespace yard::rpc
