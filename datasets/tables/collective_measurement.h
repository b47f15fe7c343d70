#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cubicbench::support {
struct CsvTable;
}

namespace cubicbench::datasets {

/// One message size of a collective benchmark, in the size convention of nccl-tests: all-gather
/// counts the gathered buffer, reduce-scatter the input, all others the buffer of a rank. An empty
/// cell is an empty string or nothing, and so is a bandwidth that was rounded to zero; a size and a
/// time of zero are kept.
struct CollectiveMeasurement {
  std::size_t line = 0;  ///< in its file, from 1
  std::string id;        ///< `STEM:LINE` where the file has none
  std::string source, system, gpu;
  std::optional<std::int64_t> n_nodes, n_gpus;
  std::string interconnect, collective;
  std::optional<double> size_bytes, time_us, algbw_gbps, busbw_gbps;
  std::string placement;                          ///< in_place or out_of_place
  std::optional<std::int64_t> concurrent_groups;  ///< `n_concurrent_groups`: equal groups at once
  std::optional<std::int64_t> active_gpus;        ///< `n_gpus_active`: GPUs in all of them
  std::string dtype, nccl_version, notes, sweep_id;
};

struct CollectiveMeasurements {
  std::string file;  ///< as messages name it
  std::string name;  ///< file stem
  std::vector<CollectiveMeasurement> rows;
};

/// Are these the columns of a collective benchmark: is there a `collective` and a `size_bytes`?
bool has_collective_columns(const std::vector<std::string>& header);

/// Reads rows that are cut into cells. Columns may stand in any order, unknown ones are ignored.
/// Throws InputError, `FILE:LINE:COLUMN: expected ..., got ...`, with every problem.
CollectiveMeasurements read_collective_measurements(const support::CsvTable& table,
                                                    const std::string& file);

/// Seconds of the operation: `time_us`, or size over `algbw_gbps`, or over the algorithm bandwidth
/// that nccl-tests turns into `busbw_gbps` for `ranks` ranks, or else all GPUs. Nothing where it
/// says none of them, or a size or a time of zero.
std::optional<double> seconds_of(const CollectiveMeasurement& row,
                                 std::optional<std::int64_t> ranks = std::nullopt);

/// Sizes that errors are told apart by: 0 below 1 MiB, 1 from there to 64 MiB, 2 from there on.
std::size_t size_class_of(double size_bytes);

}  // namespace cubicbench::datasets
