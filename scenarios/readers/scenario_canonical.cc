#include "scenarios/readers/scenario_canonical.h"

#include <nlohmann/json.hpp>

#include "scenarios/readers/description_reader.h"
#include "scenarios/readers/network_canonical.h"
#include "scenarios/readers/network_reader.h"
#include "scenarios/readers/objective_reader.h"
#include "support/json/canonical.h"

namespace cubicbench::scenarios {
namespace {

using Json = nlohmann::ordered_json;

void add_experts(Json& document, const sim::Experts& e) {
  document["kind"] = "mixture_of_experts";
  document["experts"] = e.count;
  document["experts_per_token"] = e.per_token;
  document["expert_ffn_hidden"] = e.ffn_hidden;
  document["shared_expert_ffn_hidden"] = e.shared_ffn_hidden;
  document["first_dense_layers"] = e.first_dense_layers;
  document["expert_period"] = e.period;
  document["capacity_thousandths"] = e.capacity_thousandths;
  document["load_deviation_thousandths"] = e.load_deviation_thousandths;
  document["nodes_per_token"] = e.nodes_per_token;
}

/// Keys that came later are there only where the model has what they describe: without them,
/// problems keep the names that they had.
Json json_of(const sim::Transformer& m) {
  Json document = {{"kind", "transformer"},      {"layers", m.layers},
                   {"hidden", m.hidden},         {"attention_heads", m.attention_heads},
                   {"kv_heads", m.kv_heads},     {"head_size", m.head_size},
                   {"ffn_hidden", m.ffn_hidden}, {"gated_ffn", m.gated_ffn},
                   {"vocabulary", m.vocabulary}, {"tied_embeddings", m.tied_embeddings},
                   {"sequence", m.sequence}};
  if (sim::has_experts(m)) add_experts(document, m.experts);
  if (sim::has_latent_attention(m)) {
    document["latent_attention"] = {{"query_rank", m.latent.query_rank},
                                    {"key_rank", m.latent.key_rank},
                                    {"rope_size", m.latent.rope_size},
                                    {"value_size", m.latent.value_size}};
  }
  if (m.prediction_layers > 0) document["prediction_layers"] = m.prediction_layers;
  return document;
}

Json json_of(const sim::ResidualArch& arch) {
  return {{"kind", "residual"},
          {"layers", arch.layers},
          {"width", arch.width},
          {"ffn_hidden", arch.ffn_hidden}};
}

Json json_of(const sim::Mlp& mlp) { return {{"kind", "mlp"}, {"widths", mlp.widths}}; }

Json json_of(const std::monostate&) { return Json::object({{"kind", "none"}}); }

Json json_of(const sim::DotInteraction&) { return Json::object({{"kind", "dot"}}); }

Json json_of(const sim::CrossInteraction& cross) {
  return {{"kind", "cross"}, {"layers", cross.layers}, {"rank", cross.rank}};
}

Json json_of(const sim::StackedInteraction& stacked) {
  return {{"kind", "stacked"},
          {"layers", stacked.layers},
          {"features", stacked.features},
          {"dim", stacked.dim},
          {"compressed", stacked.compressed},
          {"ffn_hidden", stacked.ffn_hidden},
          {"product_features", stacked.product_features}};
}

Json json_of(const sim::SequenceArch& arch) {
  return {{"layers", arch.layers},
          {"width", arch.width},
          {"heads", arch.heads},
          {"ffn_hidden", arch.ffn_hidden}};
}

Json json_of(const sim::TableGroup& group) {
  return {{"tables", group.tables},   {"rows", group.rows}, {"dim", group.dim},
          {"pooling", group.pooling}, {"skew", group.skew}, {"element_bytes", group.element_bytes},
          {"pooled", group.pooled}};
}

/// One of the archs or interactions above.
template <class... Kinds>
Json json_of_kind(const std::variant<Kinds...>& kinds) {
  return std::visit([](const auto& kind) { return json_of(kind); }, kinds);
}

Json json_of(const sim::Recommendation& m) {
  Json tables = Json::array();
  for (const sim::TableGroup& group : m.tables) tables.push_back(json_of(group));
  Json dense = json_of_kind(m.dense);
  dense["inputs"] = m.dense_inputs;
  Json document = {{"kind", "recommendation"},
                   {"tables", tables},
                   {"dense", dense},
                   {"interaction", json_of_kind(m.interaction)},
                   {"over", json_of_kind(m.over)}};
  if (m.sequence) document["sequence"] = json_of(*m.sequence);
  return document;
}

Json json_of(const sim::Workload& workload) {
  return std::visit([](const auto& model) { return json_of(model); }, workload);
}

Json json_of(const sim::Device& d) {
  Json rates = Json::object();
  for (std::size_t i = 0; i < d.matmul_peak.size(); ++i) {
    rates[std::string(dtype_names()[i])] = d.matmul_peak[i].value;
  }
  return {{"matmul_flops_per_s", rates},
          {"memory_bytes", d.memory.value},
          {"memory_bytes_per_s", d.memory_bandwidth.value},
          {"memory_efficiency", d.memory_efficiency},
          {"host_bytes_per_s", d.host_bandwidth.value},
          {"sm_count", d.sm_count},
          {"gemm_efficiency", d.gemm_efficiency},
          {"gemm_share_fp8", d.gemm_share_fp8},
          {"gemm_share_mxfp8", d.gemm_share_mxfp8},
          {"gemm_share_nvfp4", d.gemm_share_nvfp4},
          {"gemm_k_half", d.gemm_k_half},
          {"gemm_wave_weight", d.gemm_wave_weight},
          {"attention_efficiency", d.attention_efficiency},
          {"attention_s_half", d.attention_s_half},
          {"kernel_overhead_s", d.kernel_overhead.value}};
}

Json json_of(const sim::Stack& s) {
  return {{"gemm_factor", s.gemm_factor},
          {"attention", attention_kernel_names()[static_cast<std::size_t>(s.attention)]},
          {"element_wise_factor", s.element_wise_factor},
          {"compiled_element_wise_factor", s.compiled_element_wise_factor},
          {"logits_traffic_bytes", s.logits_traffic_bytes},
          {"host_layer_forward_s", s.host_layer_forward.value},
          {"host_smoothness", s.host_smoothness},
          {"host_jitter_s", s.host_jitter.value},
          {"compiled_host_factor", s.compiled_host_factor},
          {"latency_per_rank_s", s.latency_per_rank.value},
          {"overlap_cost", s.overlap_cost},
          {"ring_block_cost", s.ring_block_cost},
          {"tensor_overlap", s.tensor_overlap},
          {"async_tensor_overlap", s.async_tensor_overlap},
          {"data_overlap", s.data_overlap},
          {"zero1_overlap", s.zero1_overlap},
          {"pipeline_overlap", s.pipeline_overlap},
          {"cuda_graphs", s.cuda_graphs},
          {"network_trees", s.network_trees},
          {"kept_per_hidden", s.kept_per_hidden},
          {"kept_per_hidden_whole", s.kept_per_hidden_whole},
          {"kept_per_kv", s.kept_per_kv},
          {"kept_per_ffn", s.kept_per_ffn},
          {"kept_per_ffn_plain", s.kept_per_ffn_plain},
          {"rotary_table_bytes", s.rotary_table_bytes},
          {"logits_kept_bytes", s.logits_kept_bytes},
          {"kept_per_hidden_context", s.kept_per_hidden_context},
          {"keeps_quantised", s.keeps_quantised},
          {"kept_per_micro_batch", s.kept_per_micro_batch},
          {"returned_gradient_bytes", s.returned_gradient_bytes},
          {"logits_split", s.logits_split},
          {"shard_weight_bytes", s.shard_weight_bytes},
          {"shard_gradient_bytes", s.shard_gradient_bytes},
          {"adam_bytes", s.adam_bytes},
          {"gradient_bytes", s.gradient_bytes},
          {"fp16_gradient_bytes", s.fp16_gradient_bytes},
          {"fp16_owned_gradient_bytes", s.fp16_owned_gradient_bytes},
          {"pass_gradient_bytes", s.pass_gradient_bytes},
          {"bucket_bytes", s.bucket_bytes},
          {"update_bytes", s.update_bytes},
          {"update_shard_bytes", s.update_shard_bytes},
          {"state_fragmentation", s.state_fragmentation},
          {"fragmentation", s.fragmentation},
          {"update_uncached", s.update_uncached},
          {"allocator_replayed", s.allocator_replayed},
          {"outside_allocator_bytes", s.outside_allocator.value},
          {"communicator_bytes", s.communicator.value},
          {"balance", stage_balance_names()[static_cast<std::size_t>(s.balance)]},
          {"context_exchange", context_exchange_names()[static_cast<std::size_t>(s.context)]}};
}

void add_experts(Json& document, const sim::Stack& s) {
  document["grouped_gemm_factor"] = s.grouped_gemm_factor;
  document["routing_factor"] = s.routing_factor;
  document["expert_launches"] = s.expert_launches;
  document["launches_an_expert"] = s.launches_an_expert;
  document["dispatch_factor"] = s.dispatch_factor;
  document["dispatch_overlap"] = s.dispatch_overlap;
  document["einsum_dispatch"] = s.einsum_dispatch;
  document["kept_per_routed"] = s.kept_per_routed;
}

/// What a kind of model knows nothing of is no part of its problems.
Json json_of(const sim::Stack& s, WorkloadKind kind) {
  Json document = json_of(s);
  if (s.update_traffic_bytes > 0.0) document["update_traffic_bytes"] = s.update_traffic_bytes;
  if (kind == WorkloadKind::transformer) return document;
  if (kind == WorkloadKind::mixture_of_experts) {
    add_experts(document, s);
    return document;
  }
  document["lookup_factor"] = s.lookup_factor;
  document["sparse_step_s"] = s.sparse_step.value;
  document["exchange_factor"] = s.exchange_factor;
  document["lookup_overlap"] = s.lookup_overlap;
  document["input_sample_s"] = s.input_sample.value;
  return document;
}

/// The settings that belong to the workload's kind.
Json json_of(const sim::Plan& plan, WorkloadKind kind) {
  Json object = Json::object();
  for (const Setting& setting : settings()) {
    if (!belongs(setting, kind)) continue;
    object[std::string(setting.name)] = scenarios::json_of(setting, setting.read(plan));
  }
  return object;
}

Json json_of(const SearchSpace& space, const Parameter& parameter) {
  Json values = Json::array();
  for (const std::int64_t code : parameter.values) {
    values.push_back(scenarios::json_of(*parameter.setting, code));
  }
  Json when = Json::object();
  for (const Condition& condition : parameter.when) {
    const Setting& on = *space.parameters()[static_cast<std::size_t>(condition.parameter)].setting;
    Json& allowed = when[std::string(on.name)] = Json::array();
    for (const std::int64_t code : condition.values) {
      allowed.push_back(scenarios::json_of(on, code));
    }
  }
  return {{"name", parameter.setting->name},
          {"type", parameter_type_names()[static_cast<std::size_t>(parameter.type)]},
          {"values", values},
          {"when", when}};
}

Json json_of(const SearchSpace& space) {
  Json parameters = Json::array();
  for (const Parameter& parameter : space.parameters()) {
    parameters.push_back(json_of(space, parameter));
  }
  Json constraints = Json::array();
  for (const Constraint& constraint : space.constraints()) {
    constraints.push_back({{"name", constraint.name}, {"require", constraint.require.text()}});
  }
  return {{"parameters", parameters}, {"constraints", constraints}};
}

}  // namespace

std::string canonical_text(const Scenario& s, const sim::Plan& baseline) {
  const WorkloadKind kind = kind_of(s.workload);
  Json document = {
      {"schema", "cubicbench.scenario/1"},
      {"name", s.name},
      {"workload", json_of(s.workload)},
      {"cluster",
       {{"device", json_of(s.cluster.device)},
        {"gpus", s.cluster.gpus},
        {"gpus_per_node", s.cluster.gpus_per_node},
        {"network", canonical_json(s.cluster.network)},
        {"placement", placement_names()[static_cast<std::size_t>(s.cluster.placement)]}}},
      {"stack", json_of(s.stack, kind)},
      {"settings", json_of(s.settings, kind)},
      {"space", json_of(s.space)},
      {"objective", objective_json(s.objective)},
      {"job",
       {{"steps", s.job.steps},
        {"startup_s", s.job.startup.value},
        {"time_limit_s", s.job.time_limit.value}}},
      {"truth",
       {{"noise", s.truth.noise},
        {"failures", s.truth.failures},
        {"max_retries", s.truth.max_retries}}},
      {"budget", {{"trials", s.budget.trials}}},
      {"baseline", json_of(baseline, kind)}};
  // Keys that came later: without them, problems keep the names that they had.
  if (s.engine == Engine::event) document["engine"] = "event";
  if (s.truth.numeric != "none") document["truth"]["numeric"] = s.truth.numeric;
  if (s.truth.drift != "none") document["truth"]["drift"] = s.truth.drift;
  return support::canonical(document);
}

}  // namespace cubicbench::scenarios
