#include "datasets/jobs/launch_features.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>

#include "sim/base/check.h"
#include "sim/base/numeric.h"

namespace cubicbench::datasets {
namespace {

using M = Measurement;
using F = MeasuredFabric;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Counts that people double: their effect goes with the ratio, so columns hold the log2.
struct Count {
  const char* name;
  std::optional<std::int64_t> M::*member;
};
constexpr std::array counts{
    Count{"log2_gpus", &M::n_gpus},
    Count{"log2_gpus_per_node", &M::gpus_per_node},
    Count{"log2_dp", &M::dp},
    Count{"log2_tp", &M::tp},
    Count{"log2_pp", &M::pp},
    Count{"log2_vp", &M::vp},
    Count{"log2_cp", &M::cp},
    Count{"log2_ep", &M::ep},
    Count{"log2_micro_batch", &M::micro_batch},
    Count{"log2_grad_accum", &M::grad_accum},
    Count{"log2_global_batch", &M::global_batch},
    Count{"log2_sequence", &M::seq_len},
    Count{"log2_layers", &M::n_layers},
    Count{"log2_hidden", &M::d_model},
    Count{"log2_heads", &M::n_heads},
    Count{"log2_kv_heads", &M::n_kv_heads},
    Count{"log2_ffn_hidden", &M::d_ff},
    Count{"log2_vocabulary", &M::vocab},
    Count{"log2_experts", &M::n_experts},
    Count{"log2_experts_per_token", &M::top_k},
};

struct Rate {
  const char* name;
  std::optional<double> M::*member;
};
constexpr std::array rates{
    Rate{"log2_parameters_b", &M::n_params_b},
    Rate{"log2_nic_gbps_per_gpu", &M::nic_gbps_per_gpu},
};

struct Truth {
  const char* name;
  std::optional<bool> M::*member;
};
constexpr std::array truths{
    Truth{"sequence_parallel", &M::sp},
    Truth{"compile", &M::compile},
};

struct Choice {
  const char* name;
  std::string M::*member;
  std::span<const std::string_view> levels;
};
constexpr std::string_view sharding_levels[] = {"no_shard",      "zero1",      "zero1_hybrid",
                                                "shard_grad_op", "full_shard", "hybrid_shard"};
constexpr std::string_view recompute_levels[] = {"none", "selective", "per_op", "full"};
constexpr std::string_view offload_levels[] = {"none", "optimizer", "activations", "both"};
constexpr std::string_view dtype_levels[] = {"fp32", "tf32",  "fp16", "bf16",
                                             "fp8",  "mxfp8", "nvfp4"};
constexpr std::string_view fabric_levels[] = {"nvlink", "ib",  "roce",     "efa",
                                              "opa",    "ici", "slingshot"};
constexpr std::string_view device_levels[] = {
    "v100-sxm",  "a100-sxm-40gb",  "a100-sxm-80gb", "a800-80gb", "h100-sxm-80gb", "h100-hbm2e-96gb",
    "h800-80gb", "h200-sxm-141gb", "b200-sxm",      "b300-sxm",  "gb200",         "gb300",
    "mi300x",    "mi355x",         "tpu-v4",        "tpu-v5e",   "tpu-v5p"};
constexpr std::array choices{
    Choice{"sharding", &M::sharding, sharding_levels},
    Choice{"recompute", &M::recompute, recompute_levels},
    Choice{"offload", &M::offload, offload_levels},
    Choice{"dtype", &M::dtype, dtype_levels},
    Choice{"fabric", &M::fabric, fabric_levels},
    Choice{"device", &M::device, device_levels},
};

struct Fabric {
  const char* name;
  std::optional<double> F::*member;
};
constexpr std::array fabrics{
    Fabric{"log2_job_allreduce_gbps", &F::all_reduce},
    Fabric{"log2_job_allgather_gbps", &F::all_gather},
    Fabric{"log2_job_reducescatter_gbps", &F::reduce_scatter},
    Fabric{"log2_job_intra_allreduce_gbps", &F::intra_all_reduce},
    Fabric{"log2_job_intra_allgather_gbps", &F::intra_all_gather},
    Fabric{"log2_job_intra_reducescatter_gbps", &F::intra_reduce_scatter},
};

template <typename Number>
double log2_of(std::optional<Number> value) {
  return value ? sim::log2(static_cast<double>(*value)) : unknown;
}

double level_of(const std::string& value, std::span<const std::string_view> levels) {
  const auto found = std::ranges::find(levels, value);
  return found == levels.end() ? unknown : static_cast<double>(found - levels.begin());
}

Column category(const char* name, std::span<const std::string_view> levels) {
  return {.name = name,
          .kind = ColumnKind::category,
          .levels = std::vector<std::string>(levels.begin(), levels.end())};
}

constexpr std::string_view truth_levels[] = {"false", "true"};

}  // namespace

std::vector<Column> launch_columns(FeatureSet features) {
  std::vector<Column> columns;
  for (const Count& count : counts) columns.push_back({.name = count.name});
  for (const Rate& rate : rates) columns.push_back({.name = rate.name});
  for (const Truth& truth : truths) columns.push_back(category(truth.name, truth_levels));
  for (const Choice& choice : choices) columns.push_back(category(choice.name, choice.levels));
  if (features == FeatureSet::measured_fabric) {
    for (const Fabric& fabric : fabrics) columns.push_back({.name = fabric.name});
  }
  return columns;
}

void write_launch_cells(const Measurement& row, FeatureSet features, std::span<double> cells) {
  std::size_t at = 0;
  const auto write = [&](double cell) {
    SIM_ASSERT(at < cells.size(), at, cells.size());
    cells[at++] = cell;
  };
  for (const Count& count : counts) write(log2_of(row.*count.member));
  for (const Rate& rate : rates) write(log2_of(row.*rate.member));
  for (const Truth& truth : truths) {
    const std::optional<bool> value = row.*truth.member;
    write(value ? (*value ? 1.0 : 0.0) : unknown);
  }
  for (const Choice& choice : choices) write(level_of(row.*choice.member, choice.levels));
  if (features == FeatureSet::measured_fabric) {
    for (const Fabric& fabric : fabrics) write(log2_of(row.job_fabric.*fabric.member));
  }
  SIM_ASSERT(at == cells.size(), at, cells.size());
}

}  // namespace cubicbench::datasets
