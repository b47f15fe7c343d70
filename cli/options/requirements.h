#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/options.h"
#include "scenarios/requirement.h"

namespace cubicbench::cli {

/// --require EXPR, of which `help` says what it is a condition on.
void declare_requirements(Options& options, const std::string& help,
                          std::vector<scenarios::Requirement>& requirements);

/// A line a condition that `document` does not meet: `--require: EXPR is false: coverage is 0.87`.
/// `of` follows "is false" and says of what, where there are several documents.
std::vector<std::string> noes_of(const std::vector<scenarios::Requirement>& requirements,
                                 const nlohmann::ordered_json& document, std::string_view of = "");

}  // namespace cubicbench::cli
