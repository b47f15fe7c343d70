#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "datasets/logs/read_log.h"

namespace cubicbench::results {

/// What `import` says of logs: rows, formats, what was not understood (the first twenty, and how
/// many are left out), and the columns that each log lacks.
nlohmann::ordered_json import_json(const std::vector<datasets::ReadLog>& logs);

/// The same as lines of text; `out` is the table that was written.
std::string import_text(const std::vector<datasets::ReadLog>& logs, const std::string& out);

}  // namespace cubicbench::results
