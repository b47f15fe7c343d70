#include "scenarios/readers/scenario_canonical.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "scenarios/constants/constants.h"
#include "scenarios/readers/description_reader.h"
#include "scenarios/readers/layer_pattern.h"
#include "scenarios/readers/network_canonical.h"
#include "scenarios/readers/network_reader.h"
#include "scenarios/readers/objective_reader.h"
#include "sim/kernels/kernels.h"
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
  if (e.latent_size > 0) document["expert_latent_size"] = e.latent_size;
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
  if (sim::has_window(m)) {
    document["sliding_window"] = {{"tokens", m.window.tokens},
                                  {"full_period", m.window.full_period}};
  }
  if (m.packed_sample > 0) document["packed_sample"] = m.packed_sample;
  if (sim::has_adapters(m)) {
    document["adapters"] = {{"rank", m.adapters.rank}, {"products", m.adapters.products}};
  }
  if (sim::has_state_space(m)) {
    document["state_space"] = {{"heads", m.state_space.heads},
                               {"head_size", m.state_space.head_size},
                               {"state_size", m.state_space.state_size},
                               {"groups", m.state_space.groups},
                               {"convolution", m.state_space.convolution},
                               {"chunk", m.state_space.chunk}};
  }
  if (!m.pattern.empty()) document["layer_pattern"] = layer_pattern_text(m.pattern);
  if (m.prediction_layers > 0) document["prediction_layers"] = m.prediction_layers;
  if (m.prediction_kind) document["prediction_pattern"] = layer_pattern_text({*m.prediction_kind});
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
  Json document = {{"layers", arch.layers}, {"width", arch.width}, {"heads", arch.heads}};
  if (arch.kind == sim::SequenceLayer::hstu) {
    document["kind"] = "hstu";
    document["head_size"] = arch.head_size;
  } else {
    document["ffn_hidden"] = arch.ffn_hidden;
  }
  if (arch.lengths.max > 0) {
    document["max_tokens"] = arch.lengths.max;
    document["length_skew"] = arch.lengths.skew;
  }
  return document;
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

/// Constants of models with experts, and of recommendation models, alone.
constexpr std::array<std::string_view, 7> of_experts{
    "grouped_gemm_factor", "routing_factor",   "expert_launches",      "launches_an_expert",
    "dispatch_factor",     "dispatch_overlap", "kept_per_routed_bytes"};
constexpr std::array<std::string_view, 5> of_recommendation{
    "lookup_factor", "sparse_step_ms", "exchange_factor", "lookup_overlap", "input_sample_us"};

/// Constants of stacks and devices that came later, and say nothing at 0.
constexpr std::array<std::string_view, 11> came_later{
    "update_traffic_bytes", "launch_us",           "accumulation_bytes",
    "training_efficiency",  "training_share_fp8",  "training_share_mxfp8",
    "training_share_nvfp4", "host_factor",         "table_row_bytes",
    "table_copy_bytes",     "node_input_sample_us"};

/// What a kind of model knows nothing of is no part of its problems, nor are constants that came
/// later and say nothing: without them, problems keep the names that they had.
bool is_part(const StackConstant& constant, const sim::Stack& stack, WorkloadKind kind) {
  const auto among = [&](const auto& names) {
    return std::ranges::find(names, constant.name) != names.end();
  };
  if (among(of_experts)) return kind == WorkloadKind::mixture_of_experts;
  if (among(of_recommendation)) return kind == WorkloadKind::recommendation;
  if (among(came_later)) return value_of(constant, stack) > 0.0;
  if (constant.name == "gated_attention_factor") return value_of(constant, stack) != 1.0;
  return constant.name != "plain_activation_factor";
}

/// "host_jitter_us" of a file is "host_jitter_s", in the program's unit; "kept_per_kv_bytes", of
/// values that are bytes themselves, is "kept_per_kv".
std::string canonical_name(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> units{
      {{"_ms", "_s"}, {"_us", "_s"}, {"_gib", "_bytes"}, {"_mib", "_bytes"}}};
  for (const auto& [unit, canonical] : units) {
    if (!name.ends_with(unit)) continue;
    return std::string(name.substr(0, name.size() - unit.size())) + std::string(canonical);
  }
  return std::string(name.starts_with("kept_per_") ? name.substr(0, name.rfind('_')) : name);
}

template <class T>
void add_constant(const Constant<T>& constant, T of, Json& document) {
  document[canonical_name(constant.name)] =
      std::visit([&](auto member) { return number_of(of, member); }, constant.member);
}

Json json_of(const sim::Device& d, const sim::Stack& stack) {
  Json rates = Json::object();
  for (std::size_t i = 0; i < d.matmul_peak.size(); ++i) {
    rates[std::string(dtype_names()[i])] = d.matmul_peak[i].value;
  }
  Json document = {{"matmul_flops_per_s", rates},
                   {"memory_bytes", d.memory.value},
                   {"memory_bytes_per_s", d.memory_bandwidth.value},
                   {"host_bytes_per_s", d.host_bandwidth.value},
                   {"sm_count", d.sm_count},
                   {"attention_efficiency", d.attention_efficiency}};
  for (const DeviceConstant& constant : device_constants()) {
    const bool later = std::ranges::find(came_later, constant.name) != came_later.end();
    const bool read = !later || sim::reaches_in_training(d, stack);
    if (read) add_constant(constant, d, document);
  }
  return document;
}

Json json_of(const sim::Fusion& fusion) {
  return {{"norms", fusion.norms},
          {"rotary", fusion.rotary},
          {"projections", fusion.projections},
          {"activation", fusion.activation},
          {"residuals", fusion.residuals},
          {"delayed_scaling", fusion.delayed_scaling}};
}

Json json_of(const sim::Stack& s, WorkloadKind kind) {
  Json document = {
      {"attention", attention_kernel_names()[static_cast<std::size_t>(s.attention)]},
      {"cuda_graphs", s.cuda_graphs},
      {"network_trees", s.network_trees},
      {"keeps_quantised", s.keeps_quantised},
      {"logits_split", s.logits_split},
      {"allocator_replayed", s.allocator_replayed},
      {"stages_outermost", s.stages_outermost},
      {"balance", stage_balance_names()[static_cast<std::size_t>(s.balance)]},
      {"context_exchange", context_exchange_names()[static_cast<std::size_t>(s.context)]}};
  if (sim::counts_kernels(s)) document["fused"] = json_of(s.fusion);
  if (kind == WorkloadKind::mixture_of_experts) document["einsum_dispatch"] = s.einsum_dispatch;
  if (s.updates_all_rows) document["updates_all_rows"] = true;
  for (const StackConstant& constant : stack_constants()) {
    if (is_part(constant, s, kind)) add_constant(constant, s, document);
  }
  return document;
}

/// Settings that came later are there only where they say something.
bool is_unsaid(const Setting& setting, const sim::Plan& plan) {
  constexpr std::array<std::string_view, 7> later{
      "gpus",          "length_balancing",     "ulysses_degree", "context_exchange",
      "quantize_base", "context_load_balance", "index_dedup"};
  const bool is_later = std::ranges::find(later, setting.name) != later.end();
  return is_later && setting.read(plan) == setting.read(sim::Plan{});
}

/// The settings that belong to the workload's kind.
Json json_of(const sim::Plan& plan, WorkloadKind kind) {
  Json object = Json::object();
  for (const Setting& setting : settings()) {
    if (!belongs(setting, kind) || is_unsaid(setting, plan)) continue;
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
       {{"device", json_of(s.cluster.device, s.stack)},
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
  if (is_of_cost(s.objective.metric)) {
    document["cluster"]["usd_per_gpu_hour"] = *s.usd_per_gpu_hour;
  }
  if (is_of_energy(s.objective.metric)) {
    document["cluster"]["device"]["board_watts"] = s.cluster.device.board_watts;
    document["cluster"]["device"]["waiting_watts"] = s.cluster.device.waiting_watts;
  }
  return support::canonical(document);
}

}  // namespace cubicbench::scenarios
