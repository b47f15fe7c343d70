#include "datasets/problem/problem_table.h"

#include <algorithm>

#include "datasets/embedded.h"
#include "datasets/problem/oom_cliff.h"

namespace cubicbench::datasets {

TableText problem_table(const std::string& path, const scenarios::Document& scenario,
                        const std::string& where) {
  const std::string name = path.ends_with(".csv") ? path.substr(0, path.size() - 4) : path;
  if (name == oom_cliff_name) return {.file = name, .name = name, .text = oom_cliff_csv()};
  // Searches of others are no data sets, since neither the simulator nor a predictor knows their
  // knobs.
  const std::string trials = "trials/" + name + ".csv";
  if (const auto* const found = support::find_embedded(embedded_files(), trials)) {
    return {.file = name, .name = name, .text = std::string(found->text)};
  }
  const auto named = named_datasets();
  const bool ships = std::ranges::find(named, name, &NamedDataset::name) != named.end();
  if (ships) return find_table(name, where);
  return find_table(is_table_path(path) ? scenarios::joined(scenario.directory, path) : path,
                    where);
}

}  // namespace cubicbench::datasets
