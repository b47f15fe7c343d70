#pragma once

#include <string>

#include "scenarios/readers/transformer_reader.h"
#include "sim/workload/workload.h"
#include "support/json/object_reader.h"

namespace cubicbench::scenarios {

/// Reads a scenario's `workload`, or the model file that it names; `directory` is where relative
/// paths start. Problems are added to the reader's. Returns false when the workload is of a kind
/// that this version does not read, so that nothing else in the file can be judged.
bool read_workload(support::ObjectReader& in, const std::string& directory,
                   sim::Workload& workload);

}  // namespace cubicbench::scenarios
