#include "datasets/tables/collective_measurement.h"

#include <array>
#include <filesystem>

#include "datasets/tables/row_table.h"
#include "sim/base/binary_sizes.h"

namespace cubicbench::datasets {
namespace {

using Collective = CollectiveMeasurement;

constexpr std::array collective_columns{
    RowColumn<Collective>{"id", &Collective::id},
    RowColumn<Collective>{"source", &Collective::source},
    RowColumn<Collective>{"system", &Collective::system},
    RowColumn<Collective>{"gpu", &Collective::gpu},
    RowColumn<Collective>{"n_nodes", &Collective::n_nodes},
    RowColumn<Collective>{"n_gpus", &Collective::n_gpus},
    RowColumn<Collective>{"interconnect", &Collective::interconnect},
    RowColumn<Collective>{"collective", &Collective::collective},
    RowColumn<Collective>{"size_bytes", &Collective::size_bytes, ZeroCell::kept},
    RowColumn<Collective>{"time_us", &Collective::time_us, ZeroCell::kept},
    RowColumn<Collective>{"algbw_gbps", &Collective::algbw_gbps, ZeroCell::empty},
    RowColumn<Collective>{"busbw_gbps", &Collective::busbw_gbps, ZeroCell::empty},
    RowColumn<Collective>{"placement", &Collective::placement},
    RowColumn<Collective>{"n_concurrent_groups", &Collective::concurrent_groups},
    RowColumn<Collective>{"n_gpus_active", &Collective::active_gpus},
    RowColumn<Collective>{"dtype", &Collective::dtype},
    RowColumn<Collective>{"nccl_version", &Collective::nccl_version},
    RowColumn<Collective>{"notes", &Collective::notes},
    RowColumn<Collective>{"sweep_id", &Collective::sweep_id},
};

/// Bus bandwidth over algorithm bandwidth [nccl-tests]; nothing for an operation without one.
std::optional<double> bus_factor(const Collective& row, std::optional<std::int64_t> ranks) {
  const auto begins = [&](auto... names) { return (row.collective.starts_with(names) || ...); };
  if (begins("sendrecv", "send_recv", "collective_permute", "broadcast")) return 1.0;
  if (!ranks) ranks = row.n_gpus;
  if (!ranks || *ranks < 2) return std::nullopt;
  const auto n = static_cast<double>(*ranks);
  if (begins("all_reduce", "allreduce")) return 2.0 * (n - 1.0) / n;
  if (begins("all_gather", "reduce_scatter", "alltoall", "all_to_all")) return (n - 1.0) / n;
  return std::nullopt;
}

}  // namespace

bool has_collective_columns(const std::vector<std::string>& header) {
  return has_column(header, "collective") && has_column(header, "size_bytes");
}

CollectiveMeasurements read_collective_measurements(const support::CsvTable& table,
                                                    const std::string& file) {
  require_columns(
      table,
      std::array<ColumnChoice, 4>{
          {{"collective"}, {"size_bytes"}, {"n_gpus"}, {"time_us", "algbw_gbps", "busbw_gbps"}}},
      file);
  return {.file = file,
          .name = std::filesystem::path(file).stem().string(),
          .rows = read_rows<Collective>(table, collective_columns, file)};
}

std::optional<double> seconds_of(const CollectiveMeasurement& row,
                                 std::optional<std::int64_t> ranks) {
  if (row.time_us == 0.0 || row.size_bytes == 0.0) return std::nullopt;
  if (row.time_us) return *row.time_us * 1e-6;
  if (!row.size_bytes) return std::nullopt;
  if (row.algbw_gbps) return *row.size_bytes / (*row.algbw_gbps * 1e9);
  const std::optional<double> factor = bus_factor(row, ranks);
  if (row.busbw_gbps && factor) return *row.size_bytes * *factor / (*row.busbw_gbps * 1e9);
  return std::nullopt;
}

std::size_t size_class_of(double size_bytes) {
  if (size_bytes < sim::bytes_per_mib) return 0;
  return size_bytes < 64.0 * sim::bytes_per_mib ? 1 : 2;
}

}  // namespace cubicbench::datasets
