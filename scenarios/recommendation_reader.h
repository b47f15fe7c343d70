#pragma once

#include "scenarios/object_reader.h"
#include "sim/workload/recommendation.h"

namespace cubicbench::scenarios {

/// Reads a `workload` of kind "recommendation": its groups of embedding tables, and the dense and
/// over archs. `over.inputs` is derived. Problems are added to the reader's; after one the model
/// may not be used.
sim::Recommendation read_recommendation(ObjectReader& in);

}  // namespace cubicbench::scenarios
