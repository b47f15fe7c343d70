#include "datasets/catalog/measured_tables.h"

#include <iterator>
#include <map>
#include <variant>

#include "datasets/catalog/measured_catalog.h"
#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

using support::InputError;

std::vector<std::string> shipped_names() {
  std::vector<std::string> names;
  for (const NamedDataset& dataset : named_datasets()) {
    if (dataset.measured) names.emplace_back(dataset.name);
  }
  return names;
}

const std::string& name_of(const MeasuredTable& table) {
  return std::visit([](const auto& rows) -> const std::string& { return rows.name; }, table);
}

/// A header alone is a table that lost its rows.
std::vector<MeasuredTable> find_with_rows(const std::string& name, const std::string& where) {
  std::vector<MeasuredTable> tables = find_measured_tables(name, where);
  if (row_count(tables.front()) == 0) {
    throw InputError(name + ":2:1", "expected a row below the header, got the end of the file");
  }
  return tables;
}

}  // namespace

std::vector<MeasuredTable> find_measured_tables(std::span<const std::string> names_or_paths,
                                                const std::string& where) {
  std::vector<std::string> names(names_or_paths.begin(), names_or_paths.end());
  if (names.empty()) names = shipped_names();
  std::vector<support::Problem> problems;
  std::vector<MeasuredTable> tables;
  std::map<std::string, std::string> first;
  for (const std::string& name : names) {
    std::vector<MeasuredTable> read =
        support::gathered(problems, [&] { return find_with_rows(name, where); });
    if (read.empty()) continue;
    const auto [earlier, is_new] = first.emplace(name_of(read.front()), name);
    if (is_new) {
      std::ranges::move(read, std::back_inserter(tables));
    } else {
      problems.push_back({name, "expected a table of another name than " + earlier->second +
                                    ", got \"" + support::shortened(earlier->first) + "\" again"});
    }
  }
  support::throw_if_any(problems);
  return tables;
}

}  // namespace cubicbench::datasets
