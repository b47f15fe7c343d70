#include "datasets/tables/measurement_schema.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "support/cell_value.h"
#include "support/json/canonical.h"

namespace cubicbench::datasets {
namespace {

using M = Measurement;
using F = MeasuredFabric;

constexpr std::array<std::string_view, 4> status_names{"ok", "oom", "other", "requirement"};
constexpr std::array<std::string_view, 4> quality_names{"ok", "flag", "early_pp", "untuned"};

constexpr std::array<std::string_view, 3> memory_kind_names{"reserved", "allocated", "device"};
constexpr std::array<std::string_view, 2> memory_rank_names{"first", "last"};

constexpr std::array columns{
    MeasurementColumn{"id", &M::id, "name of the run"},
    MeasurementColumn{"source", &M::source, "where the row comes from"},
    MeasurementColumn{"date", &M::date, "when it ran; days as YYYY-MM-DD are ordered"},
    MeasurementColumn{"framework", &M::framework, "training program"},
    MeasurementColumn{"model", &M::model, "name of the model"},
    MeasurementColumn{"n_layers", &M::n_layers, "layers of the model"},
    MeasurementColumn{"d_model", &M::d_model, "width of a token"},
    MeasurementColumn{"n_heads", &M::n_heads, "attention heads"},
    MeasurementColumn{"n_kv_heads", &M::n_kv_heads, "heads of keys and values"},
    MeasurementColumn{"d_ff", &M::d_ff, "inner width of the feed-forward part"},
    MeasurementColumn{"vocab", &M::vocab, "tokens of the vocabulary"},
    MeasurementColumn{"n_params_b", &M::n_params_b, "parameters, 10^9"},
    MeasurementColumn{"n_experts", &M::n_experts, "experts of a layer"},
    MeasurementColumn{"top_k", &M::top_k, "experts of a token"},
    MeasurementColumn{"seq_len", &M::seq_len, "tokens of a sequence"},
    MeasurementColumn{"device", &M::device, "GPU, as `list devices` names it"},
    MeasurementColumn{"n_gpus", &M::n_gpus, "GPUs of the job"},
    MeasurementColumn{"gpus_per_node", &M::gpus_per_node, "GPUs of one node"},
    MeasurementColumn{"interconnect", &M::interconnect, "network, in the source's words"},
    MeasurementColumn{"fabric", &M::fabric,
                      "network between nodes: nvlink, ib, roce, efa, opa, ici or slingshot"},
    MeasurementColumn{"nic_gbps_per_gpu", &M::nic_gbps_per_gpu, "network of a GPU, Gbit/s"},
    MeasurementColumn{"stack", &M::stack, "software line"},
    MeasurementColumn{"precision", &M::precision, "number formats, in the source's words"},
    MeasurementColumn{"dtype", &M::dtype, "number format of the matrix products"},
    MeasurementColumn{"dp", &M::dp, "data-parallel replicas"},
    MeasurementColumn{"fsdp_strategy", &M::fsdp_strategy, "sharding, in the source's words"},
    MeasurementColumn{"sharding", &M::sharding,
                      "no_shard, zero1, zero1_hybrid, shard_grad_op, full_shard or hybrid_shard"},
    MeasurementColumn{"tp", &M::tp, "GPUs of a tensor-parallel group"},
    MeasurementColumn{"pp", &M::pp, "pipeline stages"},
    MeasurementColumn{"vp", &M::vp, "virtual stages of a GPU"},
    MeasurementColumn{"cp", &M::cp, "GPUs that share a sequence"},
    MeasurementColumn{"ep", &M::ep, "GPUs that share the experts"},
    MeasurementColumn{"sp", &M::sp, "sequence parallelism within a tensor-parallel group"},
    MeasurementColumn{"micro_batch", &M::micro_batch, "sequences of a micro-batch"},
    MeasurementColumn{"grad_accum", &M::grad_accum, "micro-batches of a step and replica"},
    MeasurementColumn{"global_batch", &M::global_batch, "sequences of a step"},
    MeasurementColumn{"activation_ckpt", &M::activation_ckpt,
                      "activations computed again, in the source's words"},
    MeasurementColumn{"recompute", &M::recompute,
                      "activations computed again: none, selective, full"},
    MeasurementColumn{"offload", &M::offload, "what lies in host memory: none, optimizer, ..."},
    MeasurementColumn{"compile", &M::compile, "compiled model"},
    MeasurementColumn{"attention_impl", &M::attention_impl, "attention kernel"},
    MeasurementColumn{"step_time_s", &M::step_time_s, "time of a step, s"},
    MeasurementColumn{"tokens_per_s_per_gpu", &M::tokens_per_s_per_gpu,
                      "tokens trained a second and GPU"},
    MeasurementColumn{"peak_mem_gib", &M::peak_mem_gib, "most memory of a GPU, GiB"},
    MeasurementColumn{"mem_kind", &M::mem_kind, "of what kind: reserved, allocated or device",
                      memory_kind_names},
    MeasurementColumn{"mem_rank", &M::mem_rank, "of which stage: first or last; empty: the largest",
                      memory_rank_names},
    MeasurementColumn{"peak_alloc_gib", &M::peak_alloc_gib, "allocated memory as logged, GiB"},
    MeasurementColumn{"job_allreduce_gbps", &F::all_reduce,
                      "all-reduce that the job measured before training, bus GB/s"},
    MeasurementColumn{"job_allgather_gbps", &F::all_gather, "all-gather, likewise"},
    MeasurementColumn{"job_reducescatter_gbps", &F::reduce_scatter, "reduce-scatter, likewise"},
    MeasurementColumn{"job_intra_allreduce_gbps", &F::intra_all_reduce,
                      "all-reduce within a node, likewise"},
    MeasurementColumn{"job_intra_allgather_gbps", &F::intra_all_gather,
                      "all-gather within a node, likewise"},
    MeasurementColumn{"job_intra_reducescatter_gbps", &F::intra_reduce_scatter,
                      "reduce-scatter within a node, likewise"},
    MeasurementColumn{"status", &M::status, "ok, oom, other (failed otherwise) or requirement"},
    MeasurementColumn{"quality", &M::quality, "ok, flag, early_pp or untuned"},
    MeasurementColumn{"family", &M::family, "runs of one party on one machine"},
    MeasurementColumn{"notes", &M::notes, "what else is known of the run"},
    MeasurementColumn{"searcher", &M::searcher, "what proposed the run"},
    MeasurementColumn{"noise_free_tokens_per_s_per_gpu", &M::noise_free_tokens_per_s_per_gpu,
                      "tokens_per_s_per_gpu without noise, of generated runs"},
};

std::optional<bool> truth_of(std::string_view text) {
  if (text == "1" || text == "true" || text == "yes") return true;
  if (text == "0" || text == "false" || text == "no") return false;
  return std::nullopt;
}

std::string one_of(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) {
    text += (text.empty() ? "one of " : ", ") + std::string(name);
  }
  return text;
}

template <typename Enumeration>
std::string set_choice(std::string_view text, std::span<const std::string_view> names,
                       Enumeration& value) {
  const auto found = std::ranges::find(names, text);
  if (found == names.end()) return one_of(names);
  value = static_cast<Enumeration>(found - names.begin());
  return "";
}

template <typename Value>
std::string set_value(std::string_view text, Value& value) {
  return support::set_cell_value(text, value);
}

std::string set_value(std::string_view text, std::optional<bool>& value) {
  value = truth_of(text);
  return value ? "" : "1 or 0, true or false, yes or no";
}

std::string set_value(std::string_view text, MeasurementStatus& value) {
  return set_choice(text, status_names, value);
}

std::string set_value(std::string_view text, MeasurementQuality& value) {
  return set_choice(text, quality_names, value);
}

std::string text_of(const std::string& value) { return value; }
std::string text_of(std::optional<std::int64_t> value) {
  return value ? std::to_string(*value) : "";
}
std::string text_of(std::optional<double> value) { return value ? support::shortest(*value) : ""; }
std::string text_of(std::optional<bool> value) { return value ? (*value ? "1" : "0") : ""; }
std::string text_of(MeasurementStatus value) { return std::string(name_of(value)); }
std::string text_of(MeasurementQuality value) { return std::string(name_of(value)); }

/// What a member pointer points to in `row`, which may be const.
template <typename Row, typename Value>
auto& value_of(Row& row, Value Measurement::*member) {
  return row.*member;
}
template <typename Row>
auto& value_of(Row& row, std::optional<double> MeasuredFabric::*member) {
  return row.job_fabric.*member;
}

}  // namespace

std::span<const MeasurementColumn> measurement_columns() { return columns; }

const MeasurementColumn* find_measurement_column(std::string_view name) {
  const auto found = std::ranges::find(columns, name, &MeasurementColumn::name);
  return found == columns.end() ? nullptr : &*found;
}

std::string set_cell(const MeasurementColumn& column, std::string_view text, Measurement& row) {
  if (text.empty()) return "";
  if (!column.names.empty() && std::ranges::find(column.names, text) == column.names.end()) {
    return one_of(column.names);
  }
  return std::visit([&](auto member) { return set_value(text, value_of(row, member)); },
                    column.member);
}

std::string cell_text(const MeasurementColumn& column, const Measurement& row) {
  return std::visit([&](auto member) { return text_of(value_of(row, member)); }, column.member);
}

std::string option_text(std::string_view name, const Measurement& row) {
  const MeasurementColumn& column = *find_measurement_column(name);
  const std::string text = cell_text(column, row);
  const bool is_truth = std::holds_alternative<std::optional<bool> Measurement::*>(column.member);
  return !is_truth || text.empty() ? text : text == "1" ? "true" : "false";
}

std::string_view name_of(MeasurementStatus status) {
  return status_names[static_cast<std::size_t>(status)];
}

std::string_view name_of(MeasurementQuality quality) {
  return quality_names[static_cast<std::size_t>(quality)];
}

}  // namespace cubicbench::datasets
