#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
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

/// The setting with the value that `option`, NAME=VALUE with its name, gives it; nothing, and a
/// problem at "--set OPTION", where it has no such value.
std::optional<Assignment> read_setting(const Setting& setting, const std::string& option,
                                       std::vector<support::Problem>& problems);

/// The value that NAME=VALUE gives a setting or a field, as a scenario would have written it.
/// Requires that it was read without a problem.
nlohmann::ordered_json value_written(const std::string& option);

/// Reports each overridden setting that does not belong to a workload of `kind`.
void check_kind(const Overrides& overrides, WorkloadKind kind,
                std::vector<support::Problem>& problems);

/// Moves each problem of an overridden field from `file` to the option that gave it.
void name_options(const Overrides& overrides, const std::string& file,
                  std::vector<support::Problem>& problems);

}  // namespace cubicbench::scenarios
