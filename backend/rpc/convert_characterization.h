#pragma once

#include "backend/control/characterizer.h"
#include "yard/v1/yard.pb.h"

namespace yard::rpc {

/// The figures, and beside them what each is and what the paper's clusters had.
void fillCharacterization(const control::Characterizer::Span& span,
                          const control::Characterizer::Result& result,
                          v1::CharacterizeReply* reply);

}  // namespace yard::rpc
