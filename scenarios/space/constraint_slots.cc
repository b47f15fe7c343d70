#include "scenarios/space/constraint_slots.h"

#include <algorithm>

namespace cubicbench::scenarios {
namespace {

/// Of all but the last, the GPUs of the cluster.
constexpr std::array<std::string_view, fact_count - 1> fact_names{
    "gpus_per_node", "layers",  "sequence",         "attention_heads",
    "kv_heads",      "experts", "expert_ffn_hidden"};
/// How many of them every kind of workload has, and how many transformers have; the others belong
/// to mixtures of experts.
constexpr std::size_t common_facts = 1;
constexpr std::size_t transformer_facts = 5;
constexpr std::size_t cluster_gpus = setting_count + fact_count - 1;

/// What data_parallel is derived from: the GPU count, and the degrees that divide it.
constexpr std::string_view gpu_count = "gpus";
constexpr std::array<std::string_view, 3> model_degrees{"tensor_parallel", "pipeline_parallel",
                                                        "context_parallel"};

/// Where the settings that make up the device mesh lie.
struct MeshSlots {
  std::array<std::size_t, model_degrees.size()> model{};
  std::size_t data = index_of(*find_setting("data_parallel"));
  std::size_t gpus = index_of(*find_setting(gpu_count));

  MeshSlots() {
    for (std::size_t i = 0; i < model.size(); ++i) {
      model[i] = index_of(*find_setting(model_degrees[i]));
    }
  }
};

const MeshSlots& mesh_slots() {
  static const MeshSlots slots;
  return slots;
}

std::string fact_of(std::string_view models, WorkloadKind kind) {
  return "fact of " + std::string(models) + "; this scenario trains " +
         std::string(phrase_of(kind));
}

}  // namespace

std::vector<std::string_view> constraint_names() {
  std::vector<std::string_view> names(setting_names().begin(), setting_names().end());
  names.insert(names.end(), fact_names.begin(), fact_names.end());
  return names;
}

std::string misplaced_name(std::size_t slot, WorkloadKind kind) {
  if (slot == mesh_slots().gpus) return "";  // all kinds run on some
  if (slot < setting_count) {
    return belongs(settings()[slot], kind) ? "" : misplaced(settings()[slot], kind);
  }
  const std::size_t fact = slot - setting_count;
  if (fact >= transformer_facts && kind != WorkloadKind::mixture_of_experts) {
    return fact_of("mixtures of experts", kind);
  }
  if (fact >= common_facts && !is_transformer(kind)) return fact_of("transformers", kind);
  return "";
}

ConstraintSlots constraint_slots(const sim::Plan& plan, const SpaceFacts& facts) {
  ConstraintSlots slots{};
  for (const Setting& setting : settings()) slots[index_of(setting)] = setting.read(plan);
  const std::array<std::int64_t, fact_count> values{
      facts.gpus_per_node, facts.layers,  facts.sequence,          facts.attention_heads,
      facts.kv_heads,      facts.experts, facts.expert_ffn_hidden, facts.gpus};
  std::copy(values.begin(), values.end(), slots.begin() + setting_count);
  return slots;
}

void derive_counts(ConstraintSlots& slots) {
  const MeshSlots& at = mesh_slots();
  if (slots[at.gpus] == 0) slots[at.gpus] = slots[cluster_gpus];
  if (slots[at.data] != 0) return;
  std::int64_t model = 1;
  for (const std::size_t degree : at.model) model *= slots[degree];
  const std::int64_t gpus = slots[at.gpus];
  slots[at.data] = model > 0 && gpus % model == 0 ? gpus / model : 0;
}

std::vector<std::string_view> settings_behind(std::size_t slot) {
  if (slot >= setting_count) return {};
  const std::string_view name = settings()[slot].name;
  if (slot != mesh_slots().data) return {name};
  std::vector<std::string_view> names{name, gpu_count};
  names.insert(names.end(), model_degrees.begin(), model_degrees.end());
  return names;
}

}  // namespace cubicbench::scenarios
