#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "scenarios/space/search_space.h"
#include "support/input_error.h"

namespace cubicbench::scenarios {

/// What the `--set NAME=VALUE` options of one command say.
struct Overrides {
  std::vector<Assignment> settings;           ///< for the baseline, in order
  std::vector<std::string> setting_options;   ///< as typed, one a setting
  std::map<std::string, std::string> fields;  ///< JSON pointer -> the option as it was typed
};

/// Reads `sets`; dotted names are written into `document`, whose reader then judges the values.
/// A name that is neither a setting nor a field, and a value no setting has, are problems; whether
/// a setting belongs to the workload is not judged here.
Overrides apply_overrides(std::span<const std::string> sets, nlohmann::ordered_json& document,
                          std::vector<support::Problem>& problems);

/// Reports each overridden setting that does not belong to a workload of `kind`.
void check_kind(const Overrides& overrides, WorkloadKind kind,
                std::vector<support::Problem>& problems);

/// Moves each problem of an overridden field from `file` to the option that gave it.
void name_options(const Overrides& overrides, const std::string& file,
                  std::vector<support::Problem>& problems);

}  // namespace cubicbench::scenarios
