#include "datasets/mapping/mapped_recommendation.h"

#include <algorithm>
#include <string_view>

#include "datasets/mapping/adapter_rate.h"
#include "datasets/mapping/library.h"
#include "datasets/mapping/measured_systems.h"
#include "datasets/mapping/network_choice.h"
#include "datasets/mapping/recommendation_defaults.h"
#include "datasets/mapping/refusal.h"
#include "datasets/mapping/text_match.h"
#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/recommendation_reader.h"
#include "scenarios/space/setting.h"
#include "sim/base/units.h"
#include "sim/network/collective.h"
#include "sim/workload/arch_work.h"
#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

constexpr std::int64_t accelerators_max = 1 << 20;
constexpr std::int64_t rows_max = std::int64_t{1} << 40;

/// Adapters that carry the job's own traffic: some texts name those of the storage first.
std::string_view compute_part(std::string_view adapters) {
  const std::size_t at = adapters.find("Compute");
  return at == std::string_view::npos ? adapters : adapters.substr(at);
}

/// Fills one scenario from one row; stops at the first thing that the simulator cannot play.
class RecommendationMapping {
 public:
  explicit RecommendationMapping(const RecommendationMeasurement& row) : row_(row) {}

  MappedRun map() {
    if (map_device() && map_framework() && map_model() && map_cluster() && map_stack() &&
        map_batch()) {
      finish();
      sim::limit_to_library(run_.scenario.stack, run_.scenario.cluster.network);
      return {.run = std::move(run_), .reason = {}};
    }
    return {.run = std::nullopt, .reason = std::move(fail_.reason)};
  }

 private:
  void assume(std::string_view name) {
    auto& assumed = run_.assumed;
    if (std::ranges::find(assumed, name) == assumed.end()) assumed.emplace_back(name);
  }

  bool map_device() {
    gpu_ = find_gpu(row_.accelerator);
    if (gpu_ != nullptr && !gpu_->needs.empty()) return fail_("needs " + gpu_->needs);
    // Their embeddings have cores of their own.
    if (gpu_ != nullptr && gpu_->device.starts_with("tpu")) return fail_("needs tpu");
    const auto& devices = library().devices;
    const auto device = gpu_ == nullptr ? devices.end() : devices.find(gpu_->device);
    if (device == devices.end()) {
      return fail_(row_.accelerator.empty() ? "accelerator is empty"
                                            : "no device of the library stands for " +
                                                  support::in_quotes(row_.accelerator));
    }
    run_.scenario.device = device->first;
    run_.scenario.cluster.device = device->second;
    if (gpu_->memory) run_.scenario.cluster.device.memory = *gpu_->memory;
    return true;
  }

  bool map_framework() {
    framework_ = first_contained(recommendation_defaults().frameworks, row_.framework);
    if (framework_ == nullptr) {
      return fail_("no software stack for " + support::in_quotes(row_.framework));
    }
    for (const KnownNeed& need : framework_->needs) {
      if (contains_any_case(row_.notes, need.notes)) return fail_("needs " + need.needs);
    }
    return true;
  }

  bool map_model() {
    const RecommendationDefaults& known = recommendation_defaults();
    const KnownTables* const tables = first_contained(known.tables, row_.model);
    const KnownArchs* const archs =
        first_contained(known.archs, row_.interaction + " " + row_.model);
    if (tables == nullptr || archs == nullptr) {
      return fail_("nothing is known of the tables and layers of " +
                   support::in_quotes(row_.model));
    }
    sim::Recommendation model = archs->model;
    model.tables = tables->groups;
    if (tables->sized_by_row && !size_tables(model.tables)) return false;
    if (archs->hidden_by_row && !add_hidden(model.over)) return false;
    const scenarios::Mismatch wrong = scenarios::mismatch(model);
    if (!wrong.text.empty()) return fail_(std::string(wrong.key) + ": " + wrong.text);
    run_.scenario.workload = std::move(model);
    assume("tables");
    assume("layers");
    return true;
  }

  bool size_tables(std::vector<sim::TableGroup>& groups) {
    if (!row_.vocab) return fail_("vocab is empty");
    if (!row_.embedding_dim) return fail_("embedding_dim is empty");
    const std::int64_t shares = framework_->vocabulary_of_each_gpu ? row_.n_accel.value_or(1) : 1;
    for (sim::TableGroup& group : groups) {
      if (*row_.vocab > rows_max / shares) return fail_("more rows than any table has");
      group.rows = std::max<std::int64_t>(1, *row_.vocab * shares / group.tables);
      if (group.dim > 1) group.dim = *row_.embedding_dim;
    }
    return true;
  }

  /// "7x1024": as many layers of that width before those that are known.
  bool add_hidden(sim::Arch& arch) {
    auto* const mlp = std::get_if<sim::Mlp>(&arch);
    const std::size_t by = row_.mlp_hidden.find('x');
    const auto layers = count_of(std::string_view(row_.mlp_hidden).substr(0, by));
    const auto width = by == std::string::npos
                           ? std::nullopt
                           : count_of(std::string_view(row_.mlp_hidden).substr(by + 1));
    const auto room = static_cast<std::int64_t>(sim::mlp_widths_max);
    if (mlp == nullptr || !layers || !width || *layers < 1 || *width < 1 ||
        *layers + std::ssize(mlp->widths) > room) {
      return fail_("no layers are " + support::in_quotes(row_.mlp_hidden));
    }
    mlp->widths.insert(mlp->widths.begin(), static_cast<std::size_t>(*layers), *width);
    return true;
  }

  bool map_cluster() {
    if (!row_.n_accel) return fail_("n_accel is empty");
    if (*row_.n_accel > accelerators_max) return fail_("more GPUs than any machine has");
    const std::int64_t per_node =
        fast_domain(network_choices(), gpu_->device, *row_.n_accel, gpus_per_node());
    sim::Cluster& cluster = run_.scenario.cluster;
    cluster.gpus = static_cast<int>(*row_.n_accel);
    cluster.gpus_per_node = static_cast<int>(std::min(*row_.n_accel, per_node));
    return map_network(*row_.n_accel > per_node);
  }

  /// What the row says, else the machine that it names, else the device's usual one.
  std::int64_t gpus_per_node() {
    if (row_.accel_per_node) return *row_.accel_per_node;
    if (row_.n_nodes) return (*row_.n_accel + *row_.n_nodes - 1) / *row_.n_nodes;
    if (*row_.n_accel > 1) assume("accel_per_node");
    const GpuRule* const machine = find_gpu(row_.system);
    const bool fits = machine != nullptr && machine->device == gpu_->device;
    return std::min(*row_.n_accel, (fits ? machine : gpu_)->gpus_per_node);
  }

  bool map_network(bool leaves_node) {
    scenarios::Scenario& scenario = run_.scenario;
    const std::string_view adapters = compute_part(row_.nic);
    const FabricRule* fabric = leaves_node ? find_fabric(adapters) : nullptr;
    if (leaves_node && fabric == nullptr) fabric = find_fabric(row_.system);
    const auto chosen =
        choose_network(network_choices(), gpu_->device, fabric == nullptr ? "" : fabric->fabric);
    if (!chosen)
      return fail_("no network of the library stands for " + support::in_quotes(gpu_->device));
    if (leaves_node) assume("network");
    scenario.network = chosen->name;
    scenario.cluster.network = chosen->network;
    if (fabric != nullptr) set_rate(*fabric, adapters);
    return true;
  }

  /// Of a GPU's share of what leaves its node.
  void set_rate(const FabricRule& fabric, std::string_view adapters) {
    constexpr double bytes_per_gigabit = 1e9 / 8.0;
    auto gbps = adapter_gbps(adapters, gpus_per_node());
    if (fabric.node_gbps > 0.0) gbps = fabric.node_gbps / sim::real(gpus_per_node());
    if (!fabric.takes_rate || !gbps) return;
    run_.scenario.cluster.network.inter_bandwidth = sim::BytesPerSecond{*gbps * bytes_per_gigabit};
  }

  bool map_stack() {
    const RecommendationDefaults& known = recommendation_defaults();
    const std::string& name = stack_of(*framework_, row_.framework, row_.round, row_.notes);
    const auto stack = library().stacks.find(name);
    if (stack == library().stacks.end()) {
      return fail_("no stack " + support::in_quotes(name) + " in the library");
    }
    run_.scenario.stack_name = stack->first;
    run_.scenario.stack = stack->second;
    if (framework_->contains.empty()) assume("stack");
    if (!set(framework_->settings, true)) return false;
    const KnownPrecision* const precision = first_contained(known.precisions, row_.precision);
    return precision == nullptr || set(precision->settings, false);
  }

  bool applies(const AssumedSetting& entry) const {
    const bool of_device = entry.device.empty() || entry.device == run_.scenario.device;
    return of_device && *row_.n_accel >= entry.accelerators_min &&
           contains_any_case(row_.notes, entry.notes);
  }

  bool set(const std::vector<AssumedSetting>& settings, bool assumed) {
    for (const AssumedSetting& entry : settings) {
      if (!applies(entry)) continue;
      const scenarios::Setting* const setting = scenarios::find_setting(entry.name);
      const auto code =
          setting == nullptr ? std::nullopt : scenarios::parse_setting(*setting, entry.value);
      if (!code) return fail_("no setting " + entry.name + " " + support::in_quotes(entry.value));
      setting->apply(run_.scenario.baseline, *code);
      if (assumed) assume(entry.name);
    }
    return true;
  }

  bool map_batch() {
    std::optional<std::int64_t> batch = row_.batch_per_gpu;
    if (row_.global_batch) batch = *row_.global_batch / *row_.n_accel;
    if (!batch) return fail_("global_batch is empty");
    if (*batch < 1) return fail_("global_batch is below n_accel");
    if (row_.global_batch && *row_.global_batch % *row_.n_accel != 0) assume("global_batch");
    run_.scenario.baseline.batch_per_gpu = *batch;
    return true;
  }

  void finish() {
    scenarios::Scenario& scenario = run_.scenario;
    scenario.name = row_.id;
    scenario.settings = scenario.baseline;
    scenario.objective.metric = scenarios::Metric::samples_per_s;
    run_.mem_kind = "device";
  }

  const RecommendationMeasurement& row_;
  const GpuRule* gpu_ = nullptr;
  const KnownFramework* framework_ = nullptr;
  MeasuredRun run_;
  Refusal fail_;
};

}  // namespace

MappedRun map_recommendation(const RecommendationMeasurement& row) {
  return RecommendationMapping(row).map();
}

sim::Flops counted_flops(const sim::Recommendation& model, std::int64_t batch_per_gpu) {
  constexpr double of_products = 3.0;
  constexpr double of_attention = 3.5;
  const sim::ArchWork work = sim::arch_work(model, sim::ModuleGroup::sequence);
  double products = 0.0;
  for (const sim::ArchProduct& p : work.layer.all()) products += 2.0 * p.rows * p.n * p.k;
  const sim::SelfAttention& a = work.layer.attention;
  const double attention = 2.0 * a.tokens * a.context * a.heads * a.head_size;
  return sim::Flops{sim::real(batch_per_gpu) * work.layers *
                    (of_products * products + of_attention * attention)};
}

std::optional<double> measured_step(const RecommendationMeasurement& row,
                                    const scenarios::Scenario& run) {
  if (row.samples_per_s) {
    const double samples = row.global_batch ? sim::real(*row.global_batch)
                                            : scenarios::samples_per_step(run, run.baseline);
    return samples / *row.samples_per_s;
  }
  const auto* const model = std::get_if<sim::Recommendation>(&run.workload);
  if (!row.tflops_per_gpu || model == nullptr) return std::nullopt;
  constexpr double tera = 1e12;
  const sim::Flops work = counted_flops(*model, run.baseline.batch_per_gpu);
  return work.value > 0.0 ? std::optional(work.value / (*row.tflops_per_gpu * tera)) : std::nullopt;
}

bool is_out_of_memory(const RecommendationMeasurement& row) { return row.oom.value_or(0) == 1; }

}  // namespace cubicbench::datasets
