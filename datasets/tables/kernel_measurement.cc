#include "datasets/tables/kernel_measurement.h"

#include <array>
#include <filesystem>

#include "datasets/tables/row_table.h"

namespace cubicbench::datasets {
namespace {

using Row = KernelMeasurement;

constexpr std::array columns{
    RowColumn<Row>{"id", &Row::id},
    RowColumn<Row>{"source", &Row::source},
    RowColumn<Row>{"accelerator", &Row::accelerator},
    RowColumn<Row>{"notes", &Row::notes},
    RowColumn<Row>{"dtype", &Row::dtype},
    RowColumn<Row>{"tflops", &Row::tflops},
    RowColumn<Row>{"batch", &Row::batch},
    RowColumn<Row>{"m", &Row::m},
    RowColumn<Row>{"n", &Row::n},
    RowColumn<Row>{"k", &Row::k},
    RowColumn<Row>{"implementation", &Row::implementation},
    RowColumn<Row>{"pass", &Row::pass},
    RowColumn<Row>{"head_dim", &Row::head_dim},
    RowColumn<Row>{"causal", &Row::causal},
    RowColumn<Row>{"heads", &Row::heads},
    RowColumn<Row>{"seqlen", &Row::seqlen},
    RowColumn<Row>{"kernel", &Row::kernel},
    RowColumn<Row>{"unit", &Row::unit},
    RowColumn<Row>{"value", &Row::value},
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
          .rows = read_rows<Row>(table, columns, file)};
}

}  // namespace cubicbench::datasets
