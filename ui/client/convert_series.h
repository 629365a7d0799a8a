#pragma once

#include "ui/model/series.h"
#include "yard/v1/yard.pb.h"

/// Readings of the past between the wire and the model. Pure.
namespace yard::client {

v1::SeriesRequest toWire(const model::SeriesRequest& request);
model::SeriesInfo toSeries(const v1::SeriesReply& wire);

}  // namespace yard::client
