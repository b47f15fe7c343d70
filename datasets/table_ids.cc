#include "datasets/table_ids.h"

#include <map>
#include <string_view>

#include "scenarios/input_error.h"

namespace cubicbench::datasets {

void check_ids(const CsvTable& table, const std::string& file, TableProblems& problems) {
  const std::optional<std::size_t> column = table.column("id");
  if (!column) return;
  std::map<std::string_view, std::size_t> lines;
  for (const CsvRecord& record : table.records) {
    const CsvCell& cell = record.cells[*column];
    if (cell.text.empty()) continue;
    const auto [first, is_new] = lines.emplace(cell.text, cell.line);
    if (is_new) continue;
    problems.add(where_of(file, cell), "expected an id of its own, got \"" +
                                           scenarios::shortened(cell.text) + "\" as in line " +
                                           std::to_string(first->second));
  }
}

}  // namespace cubicbench::datasets
