#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "scenarios/problem/scenario.h"
#include "search/finished/study_set.h"

namespace cubicbench::search {

/// The best that a search recommended for one problem.
struct BestConfiguration {
  std::string study{};  ///< scenario.instance.searcher.seed
  std::int64_t trial = 0;
  ConfigText config{};            ///< values as `--set` takes them
  double measured = 0.0;          ///< mean of its measurements
  std::optional<double> value{};  ///< its noise-free value; nothing where that is not known
};

/// Of what the studies of `scenario` and `instance` in the folder recommended in the end, the
/// configuration with the best noise-free value; of those whose value is not known, by what was
/// measured, and only where no value is known. Of equals the first in the order of the set. Throws
/// InputError, at the folder: where it cannot be read, has no study of the scenario and instance,
/// or of another problem under that name, or none of its launches succeeded.
BestConfiguration best_configuration(const std::filesystem::path& folder,
                                     const scenarios::Scenario& scenario, std::uint64_t instance);

}  // namespace cubicbench::search
