#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cubicbench::support {
struct CsvTable;
}

namespace cubicbench::datasets {

/// What a row of a table of kernels timed.
enum class KernelKind { gemm, attention, stream };

/// One kernel that was timed on its own. An empty cell is an empty string or nothing; other kinds'
/// columns are empty too.
struct KernelMeasurement {
  std::size_t line = 0;  ///< in its file, from 1
  std::string id;        ///< `STEM:LINE` where the file has none
  std::string source, accelerator, notes;
  std::string dtype;  ///< as the source has it: "bf16", "bf16xbf16->bf16"
  std::optional<double> tflops;
  // matrix products
  std::optional<std::int64_t> batch, m, n, k;
  // attention
  std::string implementation, pass, head_dim, causal, heads;
  std::optional<std::int64_t> seqlen;
  // streaming
  std::string kernel, unit;
  std::optional<double> value;
};

struct KernelMeasurements {
  std::string file;  ///< as messages name it
  std::string name;  ///< file stem
  KernelKind kind = KernelKind::gemm;
  std::vector<KernelMeasurement> rows;
};

/// Are these the columns of kernels: an `accelerator`, and `m`, `n`, `k` and `tflops`, or
/// `implementation`, `seqlen` and `tflops`, or `kernel`, `value` and `unit`?
bool has_kernel_columns(const std::vector<std::string>& header);

/// Columns may stand in any order, unknown ones are ignored. Throws InputError,
/// `FILE:LINE:COLUMN: expected ..., got ...`, with every problem.
KernelMeasurements read_kernel_measurements(const support::CsvTable& table,
                                            const std::string& file);

}  // namespace cubicbench::datasets
