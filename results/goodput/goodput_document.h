#pragma once

#include <nlohmann/json_fwd.hpp>

#include "results/document/document.h"
#include "results/goodput/goodput.h"

namespace cubicbench::results {

/// Where the time of a long run goes, and what that makes of its throughput; or why it does not
/// run.
Document goodput_document(const Goodput& of);

/// The same for programs: schemas/goodput.schema.json.
nlohmann::ordered_json goodput_json(const Goodput& of);

}  // namespace cubicbench::results
