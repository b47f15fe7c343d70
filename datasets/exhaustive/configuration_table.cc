#include "datasets/exhaustive/configuration_table.h"

#include <cstddef>
#include <string>
#include <vector>

#include "scenarios/space/space_walk.h"
#include "sim/base/check.h"
#include "support/csv.h"
#include "support/files.h"
#include "support/json/canonical.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Parameter;
using scenarios::SearchSpace;
using scenarios::TrueValue;

std::string header(const SearchSpace& space) {
  std::string line;
  for (const Parameter& parameter : space.parameters()) {
    line += std::string(parameter.setting->name) + ",";
  }
  return line + "value,reason\n";
}

/// The cells of every value of every parameter, each with its comma.
std::vector<std::vector<std::string>> cells_of(const SearchSpace& space) {
  std::vector<std::vector<std::string>> cells;
  for (const Parameter& parameter : space.parameters()) {
    cells.emplace_back();
    for (const std::int64_t code : parameter.values) {
      cells.back().push_back(support::csv_field(format_setting(*parameter.setting, code)) + ",");
    }
  }
  return cells;
}

}  // namespace

void write_configuration_table(const SearchSpace& space, std::span<const TrueValue> values,
                               const std::filesystem::path& path,
                               const std::function<void()>& look) {
  constexpr std::size_t piece_bytes = std::size_t{1} << 20;
  SIM_ASSERT(values.size() == space.count(), values.size(), space.count());
  const std::vector<std::vector<std::string>> cells = cells_of(space);
  support::StreamedFile file(path);
  std::string text = header(space);
  scenarios::SpaceWalk walk(space.diagram(), 0);
  for (const TrueValue& value : values) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::int64_t index = walk.configuration()[i];
      text += index < 0 ? "," : cells[i][static_cast<std::size_t>(index)];
    }
    if (value.reason == scenarios::Reason::none) text += support::shortest(value.value);
    text += ",";
    text += name_of(value.reason);
    text += "\n";
    walk.advance();
    if (text.size() < piece_bytes) continue;
    file.add(text);
    text.clear();
    if (look) look();
  }
  file.add(text);
  if (look) look();
  file.keep();
}

}  // namespace cubicbench::datasets
