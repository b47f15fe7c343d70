#include "datasets/tables/kernel_measurement.h"

#include <array>
#include <filesystem>

#include "datasets/tables/row_table.h"

namespace cubicbench::datasets {
namespace {

using Kernel = KernelMeasurement;

constexpr std::array kernel_columns{
    RowColumn<Kernel>{"id", &Kernel::id},
    RowColumn<Kernel>{"source", &Kernel::source},
    RowColumn<Kernel>{"accelerator", &Kernel::accelerator},
    RowColumn<Kernel>{"notes", &Kernel::notes},
    RowColumn<Kernel>{"dtype", &Kernel::dtype},
    RowColumn<Kernel>{"tflops", &Kernel::tflops},
    RowColumn<Kernel>{"batch", &Kernel::batch},
    RowColumn<Kernel>{"m", &Kernel::m},
    RowColumn<Kernel>{"n", &Kernel::n},
    RowColumn<Kernel>{"k", &Kernel::k},
    RowColumn<Kernel>{"implementation", &Kernel::implementation},
    RowColumn<Kernel>{"pass", &Kernel::pass},
    RowColumn<Kernel>{"head_dim", &Kernel::head_dim},
    RowColumn<Kernel>{"causal", &Kernel::causal},
    RowColumn<Kernel>{"heads", &Kernel::heads},
    RowColumn<Kernel>{"seqlen", &Kernel::seqlen},
    RowColumn<Kernel>{"kernel", &Kernel::kernel},
    RowColumn<Kernel>{"unit", &Kernel::unit},
    RowColumn<Kernel>{"value", &Kernel::value},
};

/// By the columns that every table of that kind has.
std::optional<KernelKind> kind_of(const std::vector<std::string>& header) {
  const auto holds = [&](std::string_view name) { return has_column(header, name); };
  if (!holds("accelerator")) return std::nullopt;
  if (holds("m") && holds("n") && holds("k") && holds("tflops")) return KernelKind::gemm;
  if (holds("implementation") && holds("seqlen") && holds("tflops")) return KernelKind::attention;
  if (holds("kernel") && holds("value") && holds("unit")) return KernelKind::stream;
  return std::nullopt;
}

}  // namespace

bool has_kernel_columns(const std::vector<std::string>& header) {
  return kind_of(header).has_value();
}

KernelMeasurements read_kernel_measurements(const support::CsvTable& table,
                                            const std::string& file) {
  const std::optional<KernelKind> kind = kind_of(names_of(table.header));
  if (!kind) {
    throw support::InputError(
        support::where_of(file, table.header.cells.front()),
        "expected columns accelerator, and m, n, k, tflops, or implementation, seqlen, tflops, or "
        "kernel, value, unit");
  }
  return {.file = file,
          .name = std::filesystem::path(file).stem().string(),
          .kind = *kind,
          .rows = read_rows<Kernel>(table, kernel_columns, file)};
}

}  // namespace cubicbench::datasets
