#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/requirement.h"
#include "support/input_error.h"

namespace CLI {
class App;
}

namespace cubicbench::cli {

/// The conditions of --require; what is no condition is added to `problems`.
std::vector<scenarios::Requirement> read_requirements(const CLI::App& app,
                                                      std::vector<support::Problem>& problems);

/// A line a condition that `document` does not meet: `--require: EXPR is false: coverage is 0.87`.
/// `of` follows "is false" and says of what, where there are several documents.
std::vector<std::string> noes_of(const std::vector<scenarios::Requirement>& requirements,
                                 const nlohmann::ordered_json& document, std::string_view of = "");

}  // namespace cubicbench::cli
