#include "datasets/catalog/measured_catalog.h"
#include "support/input_error.h"

// In the place of datasets/catalog/ and datasets/logs/: the page has no tables of runs and reads no
// logs. What the program says of its tables was recorded when the page was built.
namespace cubicbench::datasets {

std::string_view name_of(DatasetKind /*kind*/) { return "runs"; }

std::span<const NamedDataset> named_datasets() { return {}; }

std::span<const NamedKernelTable> named_kernel_tables() { return {}; }

bool is_table_path(std::string_view name_or_path) {
  return name_or_path.find('/') != std::string_view::npos || name_or_path.ends_with(".csv");
}

TableText find_table(const std::string& name_or_path, const std::string& where, int /*threads*/,
                     GivenColumns /*given*/) {
  throw support::InputError(where, "expected a scenario with a model, got the table " +
                                       support::in_quotes(support::shortened(name_or_path)) +
                                       ", and a page reads no tables of runs");
}

}  // namespace cubicbench::datasets
