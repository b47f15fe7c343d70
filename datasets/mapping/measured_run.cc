#include "datasets/mapping/measured_run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "datasets/mapping/adapter_shape.h"
#include "datasets/mapping/assumed_names.h"
#include "datasets/mapping/expert_shape.h"
#include "datasets/mapping/measured_systems.h"
#include "datasets/mapping/model_catalog.h"
#include "datasets/mapping/network_choice.h"
#include "datasets/mapping/refusal.h"
#include "datasets/mapping/row_condition.h"
#include "datasets/mapping/slice_axes.h"
#include "datasets/mapping/stack_defaults.h"
#include "datasets/mapping/text_match.h"
#include "datasets/mapping/transformer_shape.h"
#include "datasets/tables/measurement_schema.h"
#include "scenarios/evaluation/evaluate.h"
#include "scenarios/space/setting.h"
#include "sim/network/collective.h"
#include "sim/plan/plan.h"
#include "sim/truth/noise_and_failures.h"
#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Setting;
using sim::Plan;

using Count = std::optional<std::int64_t>;

constexpr std::int64_t job_gpus_max = 1'000'000;
constexpr double bits_per_byte = 8.0;

struct PlanColumn {
  std::string_view column;
  std::string_view setting;
};

/// Columns that are settings under another name.
constexpr std::array<PlanColumn, 11> plan_columns{{
    {"tp", "tensor_parallel"},
    {"sp", "sequence_parallel"},
    {"pp", "pipeline_parallel"},
    {"vp", "virtual_stages"},
    {"cp", "context_parallel"},
    {"ep", "expert_parallel"},
    {"sharding", "sharding"},
    {"dtype", "dtype"},
    {"recompute", "recompute"},
    {"offload", "offload"},
    {"compile", "compile"},
}};

/// "ZERO1 within 8 ranks": 8. Nothing where the text names no group.
std::string_view shard_group(std::string_view strategy) {
  constexpr std::string_view before = "within ";
  constexpr std::string_view digits = "0123456789";
  const std::size_t found = strategy.find(before);
  if (found == std::string_view::npos) return {};
  strategy.remove_prefix(found + before.size());
  return strategy.substr(0, strategy.find_first_not_of(digits));
}

/// Fills one scenario from one row; stops at the first thing that the simulator cannot play.
class Mapping {
 public:
  Mapping(const Measurement& row, const Library& among)
      : row_(row),
        among_(among),
        family_(find_family(model_catalog(), row.model)),
        mixture_(is_mixture(row, family_)),
        stack_(stack_catalog(), row, mixture_) {}

  MappedRun map() {
    if (map_kind() && map_stack() && map_model() && map_cluster() && map_plan() && map_batch()) {
      finish();
      sim::limit_to_library(run_.scenario.stack, run_.scenario.cluster.network);
      return {.run = std::move(run_), .reason = {}, .mixture = mixture_};
    }
    return {.run = std::nullopt, .reason = std::move(fail_.reason), .mixture = mixture_};
  }

 private:
  /// What an empty cell is taken to hold, remembered as assumed; "" when nothing says it.
  std::string_view assume(std::string_view name) {
    const Default* const found = stack_.column(name);
    if (found == nullptr) return {};
    assumed_.add(name);
    return found->value;
  }

  Count assume_count(std::string_view name) { return count_of(assume(name)); }

  bool is_empty(std::string_view name) {
    return fail_(std::string(name) + " is empty and no default fills it");
  }

  /// Rows that the simulator has no model of, whatever else they say.
  bool map_kind() {
    if (family_ != nullptr && !family_->needs.empty()) return fail_("needs " + family_->needs);
    for (const OtherTask& task : stack_catalog().other_tasks) {
      if (!holds(task.when, row_)) continue;
      if (!task.trains_adapters) return fail_("needs " + task.needs);
      trains_adapters_ = true;
      if (task.quantizes_base) run_.scenario.baseline.quantize_base = true;
    }
    return true;
  }

  /// A row that names a stack, as studies that became tables do, is simulated by it.
  bool map_stack() {
    if (stack_.is_assumed()) assumed_.add("stack");
    const auto named = among_.stacks.find(row_.stack);
    const bool is_named = named != among_.stacks.end();
    if (!is_named && !stack_.family().empty()) {
      assumed_.add("stack=" + std::string(stack_.generic()));
      run_.judges_memory = stack_.judges_memory();
    }
    const auto simulated = is_named ? named : among_.stacks.find(stack_.simulated_by());
    if (simulated == among_.stacks.end()) {
      return fail_("no stack " + support::in_quotes(stack_.simulated_by()) + " in the library");
    }
    run_.scenario.stack_name = simulated->first;
    run_.scenario.stack = simulated->second;
    map_attention();
    return true;
  }

  /// The kernel that the row states, unless it says no more than what the stack has.
  void map_attention() {
    const Default* const assumed = stack_.column("attention_impl");
    std::string_view stated = row_.attention_impl;
    if (stated.empty()) {
      assumed_.add("attention_impl");
      if (assumed == nullptr) return;
      stated = assumed->value;
    }
    const auto& texts = stack_catalog().attention;
    const AttentionText* const found = first_contained(texts, stated);
    if (found == nullptr) return;
    sim::Stack& stack = run_.scenario.stack;
    const bool is_fused = stack.attention != sim::AttentionKernel::unfused;
    if (!found->any_fused || !is_fused) stack.attention = found->kernel;
  }

  bool map_model() {
    TransformerShape shape = transformer_shape(row_, family_, stack_, assumed_);
    if (!shape.model) return fail_(std::move(shape.reason));
    if (trains_adapters_) {
      std::string reason = fill_adapters(stack_, assumed_, *shape.model);
      if (!reason.empty()) return fail_(std::move(reason));
    }
    run_.scenario.workload = *shape.model;
    return true;
  }

  bool map_cluster() {
    scenarios::Scenario& scenario = run_.scenario;
    const auto device = among_.devices.find(row_.device);
    if (device == among_.devices.end()) {
      return fail_(row_.device.empty()
                       ? "device is empty"
                       : "no device " + support::in_quotes(row_.device) + " in the library");
    }
    scenario.device = device->first;
    scenario.cluster.device = device->second;
    network_device_ = network_device(network_choices(), device->first, device->second);
    Count gpus = row_.n_gpus ? row_.n_gpus : gpus_of_plan();
    if (!gpus) gpus = assume_count("n_gpus");
    if (!gpus) return is_empty("n_gpus");
    if (*gpus < 1) return fail_("n_gpus is not above zero");
    if (*gpus > job_gpus_max) return fail_("n_gpus is above 10^6");
    scenario.cluster.gpus = static_cast<int>(*gpus);
    scenario.cluster.jitter = sim::field_jitter.gpu_mean;  // what is measured is a mean step
    return map_node() && map_network();
  }

  /// Data x tensor x pipeline x context parallel; what is not stated is not used.
  Count gpus_of_plan() {
    if (!row_.dp) return std::nullopt;
    std::int64_t gpus = 1;
    for (const Count& factor : {row_.dp, row_.tp, row_.pp, row_.cp}) {
      if (factor.value_or(1) > job_gpus_max) return std::nullopt;
      gpus *= factor.value_or(1);
      if (gpus > job_gpus_max) return std::nullopt;
    }
    assumed_.add("n_gpus");
    return gpus;
  }

  bool map_node() {
    const Count per_node = row_.gpus_per_node ? row_.gpus_per_node : assume_count("gpus_per_node");
    if (!per_node) return is_empty("gpus_per_node");
    if (*per_node < 1) return fail_("gpus_per_node is not above zero");
    if (*per_node > job_gpus_max) return fail_("gpus_per_node is above 10^6");
    sim::Cluster& cluster = run_.scenario.cluster;
    const std::int64_t domain =
        fast_domain(network_choices(), network_device_, cluster.gpus, *per_node);
    if (domain != *per_node) assumed_.add("gpus_per_node");
    cluster.gpus_per_node = static_cast<int>(domain);
    return true;
  }

  bool map_network() {
    const auto chosen = choose_network(network_choices(), network_device_, row_.fabric);
    if (!chosen) {
      return fail_("no network of the library stands for fabric " +
                   support::in_quotes(row_.fabric) + " of " + support::in_quotes(row_.device));
    }
    assumed_.add("network");
    scenarios::Scenario& scenario = run_.scenario;
    scenario.network = chosen->name;
    scenario.cluster.network = chosen->network;
    if (scenario.cluster.network.domain == sim::DomainKind::torus) map_slice();
    const int peers =
        direct_peers(network_choices(), network_device_, scenario.cluster.gpus_per_node);
    if (peers > 0) {
      scenario.cluster.network.domain = sim::DomainKind::direct;
      scenario.cluster.network.direct_peers = peers;
    }
    if (row_.nic_gbps_per_gpu && !is_nominal(row_.fabric)) {
      const double bytes_per_s = *row_.nic_gbps_per_gpu * 1e9 / bits_per_byte;
      scenario.cluster.network.inter_bandwidth = sim::BytesPerSecond{bytes_per_s};
    }
    return true;
  }

  /// The slice of the pod that the row names, else one as near to a cube as its chips allow.
  void map_slice() {
    sim::Cluster& cluster = run_.scenario.cluster;
    auto axes = slice_axes(row_.interconnect);
    const std::int64_t chips = cluster.gpus_per_node;
    if (!axes || product_of(*axes) != chips) axes = usual_slice(chips, cluster.network.torus);
    cut_to_slice(*axes, cluster.network);
  }

  /// Sockets do not reach the rate of an adapter, and Google's advertised rate counts one that
  /// carries no GPU traffic: the library's rate stands, as it does for collectives.
  static bool is_nominal(std::string_view fabric) {
    constexpr std::array<std::string_view, 5> nominal{"tcp", "tcpx", "tcpxo", "ipoib", "ethernet"};
    return std::ranges::find(nominal, fabric) != nominal.end();
  }

  bool map_plan() {
    for (const Default* setting : stack_.settings()) {
      assumed_.add(setting->name);
      if (!set(setting->name, setting->name, setting->value)) return false;
    }
    for (const PlanColumn& column : plan_columns) {
      const std::string cell = option_text(column.column, row_);
      const std::string_view text =
          cell.empty() ? assume(column.column) : meaning(column.column, cell);
      if (text.empty()) return is_empty(column.column);
      if (!set(column.column, column.setting, text)) return false;
    }
    Plan& plan = run_.scenario.baseline;
    if (plan.virtual_stages > 1) plan.schedule = sim::Schedule::interleaved;
    return map_shard_group() && map_precision();
  }

  /// What the stack means by a stated cell, remembered as assumed where it is not the cell's text.
  std::string_view meaning(std::string_view column, std::string_view cell) {
    const std::string_view text = stack_.meaning(column, cell);
    if (text != cell) assumed_.add(column);
    return text;
  }

  bool set(std::string_view column, std::string_view name, std::string_view text) {
    const Setting* const setting = scenarios::find_setting(name);
    const auto code = setting == nullptr ? std::nullopt : scenarios::parse_setting(*setting, text);
    if (!code)
      return fail_("no setting for " + std::string(column) + " " + support::in_quotes(text));
    setting->apply(run_.scenario.baseline, *code);
    return true;
  }

  bool map_shard_group() {
    const std::string_view ranks = shard_group(row_.fsdp_strategy);
    if (!ranks.empty()) return set("fsdp_strategy", "shard_group", ranks);
    if (sim::shards_in_groups(run_.scenario.baseline.sharding)) assumed_.add("shard_group");
    return true;
  }

  /// Without 16-bit products there are no 16-bit weights either; fp16 products read fp16 weights.
  bool map_precision() {
    Plan& plan = run_.scenario.baseline;
    if (sim::storage_bytes(plan.dtype) == sim::storage_bytes(sim::Dtype::fp32)) {
      plan.param_dtype = sim::Dtype::fp32;
    }
    if (plan.dtype == sim::Dtype::fp16) plan.param_dtype = sim::Dtype::fp16;
    return true;
  }

  /// global batch = data parallel x micro-batch x accumulation: one of them that is not stated
  /// follows from the others. A stated global batch that replicas and micro-batches do not divide
  /// gives way to the product; any other contradiction is the plan's problem, not ours.
  bool map_batch() {
    Plan& plan = run_.scenario.baseline;
    plan.data_parallel = replicas_of_chips(row_.dp.value_or(0));
    if (row_.dp != plan.data_parallel) assumed_.add("dp");
    place_experts_beside_data();
    if (plan.data_parallel < 0) return fail_("dp is not above zero");
    const Count micro_batch = row_.micro_batch ? row_.micro_batch : micro_batch_of_rest();
    if (!micro_batch) return is_empty("micro_batch");
    if (!set("micro_batch", "micro_batch", std::to_string(*micro_batch))) return false;
    Count batch = row_.global_batch;
    if (batch && ((row_.grad_accum && *batch % samples_at_once(*micro_batch) != 0) ||
                  states_batch_of_replica())) {
      batch.reset();
      assumed_.add("global_batch");
    }
    if (!batch) batch = batch_of_rest(*micro_batch);
    if (!batch) return is_empty("global_batch");
    if (*batch < 1) return fail_("global_batch is not above zero");
    return set("global_batch", "global_batch", std::to_string(*batch));
  }

  /// Where a chip has several cores that the program calls devices, a layout is stated in cores:
  /// the replicas of a chip's cores are one replica of the chip.
  std::int64_t replicas_of_chips(std::int64_t stated) const {
    const Plan& plan = run_.scenario.baseline;
    const std::int64_t cores = cores_of_chip(network_choices(), network_device_);
    const std::int64_t model =
        plan.tensor_parallel * plan.pipeline_parallel * plan.context_parallel;
    const Count ranks = product(stated, model);
    const bool of_cores = ranks == run_.scenario.cluster.gpus * cores && stated % cores == 0;
    return of_cores ? stated / cores : stated;
  }

  /// Ranks that share the experts and read the same samples: the simulator, which lays experts out
  /// over data-parallel ranks, plays each as a replica with samples of its own, which take as long.
  void place_experts_beside_data() {
    Plan& plan = run_.scenario.baseline;
    if (!mixture_ || stack_.shape("experts_beside_data") == nullptr) return;
    alike_ = std::max<std::int64_t>(1, plan.expert_parallel);
    if (plan.data_parallel > 0) plan.data_parallel *= alike_;
  }

  /// Stated, or what the other degrees leave of the GPUs; at least 1.
  std::int64_t replicas() const {
    const Plan& plan = run_.scenario.baseline;
    if (plan.data_parallel > 0) return plan.data_parallel;
    const auto model = plan.tensor_parallel * plan.pipeline_parallel * plan.context_parallel;
    return std::max<std::int64_t>(1, run_.scenario.cluster.gpus / model);
  }

  std::int64_t samples_at_once(std::int64_t micro_batch) const {
    return std::max<std::int64_t>(1, product(replicas(), micro_batch).value_or(1));
  }

  /// Nothing where it does not fit a number.
  static Count product(std::int64_t a, std::int64_t b) {
    if (a < 0 || b < 0) return std::nullopt;
    if (b != 0 && a > std::numeric_limits<std::int64_t>::max() / b) return std::nullopt;
    return a * b;
  }

  /// A batch of fewer sequences than there are replicas is one of a replica.
  bool states_batch_of_replica() const {
    return row_.global_batch && *row_.global_batch < replicas();
  }

  Count micro_batch_of_rest() {
    if (!row_.global_batch) return assume_count("micro_batch");
    if (states_batch_of_replica()) {
      assumed_.add("micro_batch");
      return row_.global_batch;
    }
    Count steps = row_.grad_accum;
    if (!steps) {
      if (const Count usual = assume_count("micro_batch")) return usual;
      steps = assume_count("grad_accum");
    }
    if (!steps) return std::nullopt;
    const Count parts = product(replicas(), *steps);
    if (!parts || *parts < 1 || *row_.global_batch % *parts != 0) return std::nullopt;
    assumed_.add("micro_batch");
    return *row_.global_batch / *parts;
  }

  Count batch_of_rest(std::int64_t micro_batch) {
    Count steps = row_.grad_accum ? row_.grad_accum : accumulation_of_speed(micro_batch);
    if (!steps) steps = assume_count("grad_accum");
    if (!steps) return std::nullopt;
    assumed_.add("global_batch");
    const Count at_once = product(replicas(), micro_batch);
    return at_once ? product(*at_once, *steps) : std::nullopt;
  }

  /// A step of T seconds at v tokens a second and GPU has T v n tokens.
  Count accumulation_of_speed(std::int64_t micro_batch) {
    if (!row_.step_time_s || !row_.tokens_per_s_per_gpu || !mixture_) return std::nullopt;
    const auto sequence =
        static_cast<double>(std::get<sim::Transformer>(run_.scenario.workload).sequence);
    const double samples = *row_.step_time_s * *row_.tokens_per_s_per_gpu *
                           static_cast<double>(run_.scenario.cluster.gpus) / sequence;
    const std::int64_t ranks = replicas() / alike_;
    const double at_once = static_cast<double>(ranks * micro_batch);
    if (!(samples >= at_once / 2.0) || samples > 1e9) return std::nullopt;
    return std::max<std::int64_t>(1, std::llround(samples / at_once));
  }

  void finish() {
    scenarios::Scenario& scenario = run_.scenario;
    scenario.name = row_.id;
    scenario.settings = scenario.baseline;
    scenario.objective.metric = scenarios::Metric::tokens_per_s_per_gpu;
    run_.mem_kind = row_.mem_kind.empty() ? assume("mem_kind") : row_.mem_kind;
    run_.assumed = assumed_.take();
  }

  const Measurement& row_;
  const Library& among_;
  const ModelFamily* family_;  ///< null where the catalogue has none
  bool mixture_;
  bool trains_adapters_ = false;
  std::int64_t alike_ = 1;  ///< ranks that read the same samples
  ChosenStack stack_;
  std::string network_device_;  ///< whose networks these are
  AssumedNames assumed_;
  MeasuredRun run_;
  Refusal fail_;
};

/// What a device stands for that has another name than in the library ("RTX 4090", "trn2"); null
/// where nothing does.
const GpuRule* rule_of_device(const Measurement& row, const Library& among) {
  if (row.device.empty() || among.devices.contains(row.device)) return nullptr;
  const GpuRule* const rule = find_gpu(row.device);
  return rule != nullptr && among.devices.contains(rule->device) ? rule : nullptr;
}

/// The row in the names of the library. A node of more than eight is no larger than the job: a
/// slice of a pod, or some chips of a torus.
Measurement named_by(const GpuRule& rule, const Measurement& row) {
  constexpr std::int64_t usual = 8;
  Measurement named = row;
  named.device = rule.device;
  if (!row.gpus_per_node) {
    const std::int64_t most = row.n_gpus ? std::max(*row.n_gpus, usual) : rule.gpus_per_node;
    named.gpus_per_node = std::min(rule.gpus_per_node, most);
  }
  return named;
}

/// What the run assumes by the rule beside the rest.
void take_rule(const GpuRule& rule, const Measurement& row, MeasuredRun& run) {
  if (rule.memory) run.scenario.cluster.device.memory = *rule.memory;
  run.assumed.emplace_back("device");
  const bool assumed = std::ranges::find(run.assumed, "gpus_per_node") != run.assumed.end();
  if (!row.gpus_per_node && !assumed) run.assumed.emplace_back("gpus_per_node");
}

}  // namespace

MappedRun map_run(const Measurement& row, NetworkOfRun network) {
  return map_run(row, network, library());
}

MappedRun map_run(const Measurement& row, NetworkOfRun network, const Library& among) {
  const GpuRule* const rule = rule_of_device(row, among);
  MappedRun mapped = Mapping(rule == nullptr ? row : named_by(*rule, row), among).map();
  if (mapped.run && rule != nullptr) take_rule(*rule, row, *mapped.run);
  if (mapped.run && network == NetworkOfRun::measured) {
    sim::Cluster& cluster = mapped.run->scenario.cluster;
    if (cluster.gpus > cluster.gpus_per_node) apply_measured(row.job_fabric, cluster);
  }
  return mapped;
}

double tokens_per_step(const scenarios::Scenario& run) {
  return scenarios::tokens_per_s(run, run.baseline, sim::Seconds{1.0}).value_or(0.0);
}

sim::Seconds measured_step(const Measurement& row, const scenarios::Scenario& run) {
  if (row.step_time_s) return sim::Seconds{*row.step_time_s};
  return sim::Seconds{tokens_per_step(run) / (*row.tokens_per_s_per_gpu * run.cluster.gpus)};
}

}  // namespace cubicbench::datasets
