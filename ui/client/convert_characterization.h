#pragma once

#include "ui/model/characterization.h"
#include "yard/v1/yard.pb.h"

/// The characterization between the wire and the model. Pure.
namespace yard::client {

v1::CharacterizeRequest toWire(const model::CharacterizeRequest& request);
model::Characterization toCharacterization(const v1::CharacterizeReply& wire);

}  // namespace yard::client
