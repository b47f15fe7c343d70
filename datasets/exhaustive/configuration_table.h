#pragma once

#include <filesystem>
#include <functional>
#include <span>

#include "scenarios/truth/instance.h"

namespace cubicbench::datasets {

/// Writes every configuration of a space as CSV, in the order of their numbers: a column a
/// parameter (empty where it is inactive), then `value` and `reason`, one of them empty. `values`
/// has one entry a configuration. `look` is called now and then; what it throws ends the work and
/// leaves no file. Throws OutputError.
void write_configuration_table(const scenarios::SearchSpace& space,
                               std::span<const scenarios::TrueValue> values,
                               const std::filesystem::path& path,
                               const std::function<void()>& look = {});

}  // namespace cubicbench::datasets
