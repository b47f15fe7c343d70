#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cubicbench::support {
struct CsvTable;
}

namespace cubicbench::datasets {

enum class MeasurementStatus { ok, oom, other, requirement };
enum class MeasurementQuality { ok, flag, early_pp, untuned };

/// What a job measured of its own fabric before training, GB/s (bus bandwidth); a covariate of the
/// job, not a knob.
struct MeasuredFabric {
  std::optional<double> all_reduce, all_gather, reduce_scatter;
  std::optional<double> intra_all_reduce, intra_all_gather, intra_reduce_scatter;
};

/// One training run, as a row of the measurement schema has it (docs/datasets.md). An empty cell is
/// an empty string or nothing. Numbers are the file's own; nothing is filled in here.
struct Measurement {
  std::size_t line = 0;  ///< in its file, from 1
  std::string id, source, date, framework, model;
  std::optional<std::int64_t> n_layers, d_model, n_heads, n_kv_heads, d_ff, vocab;
  std::optional<double> n_params_b;
  std::optional<std::int64_t> n_experts, top_k, seq_len;
  std::string device;
  std::optional<std::int64_t> n_gpus, gpus_per_node;
  std::string interconnect, fabric;
  std::optional<double> nic_gbps_per_gpu;
  std::string stack, precision, dtype;
  std::optional<std::int64_t> dp, tp, pp, vp, cp, ep;
  std::string fsdp_strategy, sharding;
  std::optional<bool> sp;
  std::optional<std::int64_t> micro_batch, grad_accum, global_batch;  ///< sequences
  std::string activation_ckpt, recompute, offload, attention_impl;
  std::optional<bool> compile;
  std::optional<double> step_time_s, tokens_per_s_per_gpu;
  std::optional<double> peak_mem_gib, peak_alloc_gib;
  std::string mem_kind, mem_rank;
  MeasuredFabric job_fabric;
  MeasurementStatus status = MeasurementStatus::ok;
  MeasurementQuality quality = MeasurementQuality::ok;
  std::string family;
  std::string notes;     ///< what else is known of the run
  std::string searcher;  ///< what proposed the run; empty where nobody says
  /// Of generated tables only: `tokens_per_s_per_gpu` without noise.
  std::optional<double> noise_free_tokens_per_s_per_gpu;
};

/// A table of runs.
struct Measurements {
  std::string file;  ///< as messages name it
  std::string name;  ///< file stem
  std::vector<Measurement> rows;
};

/// The rows as CSV text: the schema's columns, in its order, that are not empty in all of them, and
/// those that every table needs.
std::string measurements_csv(const Measurements& measurements);

/// Reads CSV text in the measurement schema (datasets/tables/measurement_schema.h). Columns may
/// stand in any order; unknown ones are ignored, absent ones are empty, `n_gpus` and one of
/// `tokens_per_s_per_gpu` and `step_time_s` must be there. A row without `id` is called
/// `STEM:LINE`. Throws InputError, `FILE:LINE:COLUMN: expected ..., got ...`, with every problem.
Measurements read_measurements(std::string_view text, const std::string& file);
/// The same of rows that are cut into cells, whatever other columns there are.
Measurements read_measurements(const support::CsvTable& table, const std::string& file);

/// Are these the columns of training runs: is there an `n_gpus`, and a speed or a step time?
bool has_run_columns(const std::vector<std::string>& header);

/// What a row says of the target: `tokens_per_s_per_gpu`, or global_batch x seq_len / (step_time_s
/// x n_gpus). Nothing where it says neither.
std::optional<double> tokens_per_s_per_gpu(const Measurement& row);

}  // namespace cubicbench::datasets
