#include "datasets/problem/problem_table.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "datasets/mapping/measured_json.h"
#include "datasets/problem/oom_cliff.h"

namespace cubicbench::datasets {
namespace {

/// Searches of others that ship. They are no data sets, since neither the simulator nor a predictor
/// knows their knobs.
constexpr std::array<std::string_view, 1> trial_tables{"autoresearch_random_trials"};

}  // namespace

TableText problem_table(const std::string& path, const scenarios::Document& scenario,
                        const std::string& where) {
  const std::string name = path.ends_with(".csv") ? path.substr(0, path.size() - 4) : path;
  if (name == oom_cliff_name) return {.file = name, .name = name, .text = oom_cliff_csv()};
  if (std::ranges::find(trial_tables, name) != trial_tables.end()) {
    return {.file = name, .name = name, .text = std::string(measured_json(name + ".csv"))};
  }
  const auto named = named_datasets();
  const bool ships = std::ranges::find(named, name, &NamedDataset::name) != named.end();
  if (ships) return find_table(name, where);
  return find_table(is_table_path(path) ? scenarios::joined(scenario.directory, path) : path,
                    where);
}

}  // namespace cubicbench::datasets
