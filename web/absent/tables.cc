#include "datasets/catalog/measured_catalog.h"
#include "support/input_error.h"

// In the place of datasets/catalog/measured_catalog.cc: the page has no tables of runs, and reads
// no logs. What it says of them was recorded when it was built.
namespace cubicbench::datasets {

std::span<const NamedDataset> named_datasets() { return {}; }

TableText find_table(const std::string& name_or_path, const std::string& where, int /*threads*/,
                     GivenColumns /*given*/) {
  throw support::InputError(where, "expected a scenario with a model, got the table " +
                                       support::in_quotes(support::shortened(name_or_path)) +
                                       ", and a page reads no tables of runs");
}

std::span<const NamedKernelTable> named_kernel_tables() { return {}; }

}  // namespace cubicbench::datasets
