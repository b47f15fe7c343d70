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
constexpr std::string_view truth_levels[] = {"false", "true"};

/// A column and where a row keeps its cell. Effects of numbers go with their ratio, as people
/// double them: cells hold the log2.
struct Feature {
  const char* name;
  std::variant<std::optional<std::int64_t> M::*, std::optional<double> M::*,
               std::optional<bool> M::*, std::string M::*, std::optional<double> F::*>
      member;
  std::span<const std::string_view> levels = {};  ///< of a category
};

constexpr std::array launch_features{
    Feature{"log2_gpus", &M::n_gpus},
    Feature{"log2_gpus_per_node", &M::gpus_per_node},
    Feature{"log2_dp", &M::dp},
    Feature{"log2_tp", &M::tp},
    Feature{"log2_pp", &M::pp},
    Feature{"log2_vp", &M::vp},
    Feature{"log2_cp", &M::cp},
    Feature{"log2_ep", &M::ep},
    Feature{"log2_micro_batch", &M::micro_batch},
    Feature{"log2_grad_accum", &M::grad_accum},
    Feature{"log2_global_batch", &M::global_batch},
    Feature{"log2_sequence", &M::seq_len},
    Feature{"log2_layers", &M::n_layers},
    Feature{"log2_hidden", &M::d_model},
    Feature{"log2_heads", &M::n_heads},
    Feature{"log2_kv_heads", &M::n_kv_heads},
    Feature{"log2_ffn_hidden", &M::d_ff},
    Feature{"log2_vocabulary", &M::vocab},
    Feature{"log2_experts", &M::n_experts},
    Feature{"log2_experts_per_token", &M::top_k},
    Feature{"log2_parameters_b", &M::n_params_b},
    Feature{"log2_nic_gbps_per_gpu", &M::nic_gbps_per_gpu},
    Feature{"sequence_parallel", &M::sp, truth_levels},
    Feature{"compile", &M::compile, truth_levels},
    Feature{"sharding", &M::sharding, sharding_levels},
    Feature{"recompute", &M::recompute, recompute_levels},
    Feature{"offload", &M::offload, offload_levels},
    Feature{"dtype", &M::dtype, dtype_levels},
    Feature{"fabric", &M::fabric, fabric_levels},
    Feature{"device", &M::device, device_levels},
};

constexpr std::array fabric_features{
    Feature{"log2_job_allreduce_gbps", &F::all_reduce},
    Feature{"log2_job_allgather_gbps", &F::all_gather},
    Feature{"log2_job_reducescatter_gbps", &F::reduce_scatter},
    Feature{"log2_job_intra_allreduce_gbps", &F::intra_all_reduce},
    Feature{"log2_job_intra_allgather_gbps", &F::intra_all_gather},
    Feature{"log2_job_intra_reducescatter_gbps", &F::intra_reduce_scatter},
};

/// Calls `visit` with each feature of the set, in the order of the columns.
template <typename Visit>
void for_each_of(FeatureSet features, const Visit& visit) {
  std::ranges::for_each(launch_features, visit);
  if (features == FeatureSet::measured_fabric) std::ranges::for_each(fabric_features, visit);
}

template <typename Number>
double cell_of(std::optional<Number> value, const Feature& /*any*/) {
  return value ? sim::log2(static_cast<double>(*value)) : unknown;
}

double cell_of(std::optional<bool> value, const Feature& /*any*/) {
  return value ? (*value ? 1.0 : 0.0) : unknown;
}

double cell_of(const std::string& value, const Feature& feature) {
  const auto found = std::ranges::find(feature.levels, value);
  return found == feature.levels.end() ? unknown
                                       : static_cast<double>(found - feature.levels.begin());
}

double cell_of(const Measurement& row, const Feature& feature) {
  return std::visit(
      [&](auto member) {
        if constexpr (std::is_same_v<decltype(member), std::optional<double> F::*>) {
          return cell_of(row.job_fabric.*member, feature);
        } else {
          return cell_of(row.*member, feature);
        }
      },
      feature.member);
}

}  // namespace

std::vector<Column> launch_columns(FeatureSet features) {
  std::vector<Column> columns;
  for_each_of(features, [&](const Feature& feature) {
    columns.push_back(
        {.name = feature.name,
         .kind = feature.levels.empty() ? ColumnKind::number : ColumnKind::category,
         .levels = std::vector<std::string>(feature.levels.begin(), feature.levels.end())});
  });
  return columns;
}

void write_launch_cells(const Measurement& row, FeatureSet features, std::span<double> cells) {
  std::size_t at = 0;
  for_each_of(features, [&](const Feature& feature) {
    SIM_ASSERT(at < cells.size(), at, cells.size());
    cells[at++] = cell_of(row, feature);
  });
  SIM_ASSERT(at == cells.size(), at, cells.size());
}

}  // namespace cubicbench::datasets
