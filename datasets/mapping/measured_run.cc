#include "datasets/mapping/measured_run.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string_view>

#include "datasets/mapping/assumptions.h"
#include "scenarios/catalog.h"
#include "scenarios/description_reader.h"
#include "scenarios/library_entry.h"
#include "scenarios/setting.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Kind;
using scenarios::Setting;
using sim::Plan;

/// The library's entries of one kind, read once.
template <class T>
using Shelf = std::map<std::string, T, std::less<>>;

template <class T>
Shelf<T> read_shelf(Kind kind,
                    T (*reader)(const scenarios::Document&, std::vector<scenarios::Problem>&)) {
  Shelf<T> shelf;
  std::vector<scenarios::Problem> problems;
  for (const scenarios::Entry& entry : scenarios::names(kind)) {
    shelf.emplace(entry.name,
                  reader(scenarios::find_document(kind, entry.name, "", entry.name), problems));
  }
  scenarios::throw_if_any(problems);
  return shelf;
}

struct Library {
  Shelf<sim::Device> devices = read_shelf(Kind::device, scenarios::read_device);
  Shelf<sim::Network> networks = read_shelf(Kind::network, scenarios::read_network);
  Shelf<sim::Stack> stacks = read_shelf(Kind::stack, scenarios::read_stack);
};

const Library& library() {
  static const Library read;
  return read;
}

/// A cell as text; "" where it is empty.
using Cell = std::string (*)(const Measurement&);

template <std::optional<std::int64_t> Measurement::*member>
std::string integer_cell(const Measurement& row) {
  return row.*member ? std::to_string(*(row.*member)) : std::string();
}
template <std::optional<bool> Measurement::*member>
std::string boolean_cell(const Measurement& row) {
  if (!(row.*member)) return {};
  return *(row.*member) ? "true" : "false";
}
template <std::string Measurement::*member>
std::string text_cell(const Measurement& row) {
  return row.*member;
}

struct PlanColumn {
  std::string_view column;
  std::string_view setting;
  Cell cell;
};

/// Columns that are settings under another name.
constexpr std::array<PlanColumn, 12> plan_columns{{
    {"tp", "tensor_parallel", integer_cell<&Measurement::tp>},
    {"sp", "sequence_parallel", boolean_cell<&Measurement::sp>},
    {"pp", "pipeline_parallel", integer_cell<&Measurement::pp>},
    {"vp", "virtual_stages", integer_cell<&Measurement::vp>},
    {"cp", "context_parallel", integer_cell<&Measurement::cp>},
    {"ep", "expert_parallel", integer_cell<&Measurement::ep>},
    {"micro_batch", "micro_batch", integer_cell<&Measurement::micro_batch>},
    {"sharding", "sharding", text_cell<&Measurement::sharding>},
    {"dtype", "dtype", text_cell<&Measurement::dtype>},
    {"recompute", "recompute", text_cell<&Measurement::recompute>},
    {"offload", "offload", text_cell<&Measurement::offload>},
    {"compile", "compile", boolean_cell<&Measurement::compile>},
}};

/// Settings that the schema has no column for.
constexpr std::array<std::string_view, 4> plan_settings{"schedule", "reduce_dtype", "optimizer",
                                                        "accumulate_without_sync"};

struct ModelColumn {
  std::string_view column;
  std::optional<std::int64_t> Measurement::*cell;
  std::int64_t sim::Transformer::*member;
};

constexpr std::array<ModelColumn, 7> model_columns{{
    {"n_layers", &Measurement::n_layers, &sim::Transformer::layers},
    {"d_model", &Measurement::d_model, &sim::Transformer::hidden},
    {"n_heads", &Measurement::n_heads, &sim::Transformer::attention_heads},
    {"n_kv_heads", &Measurement::n_kv_heads, &sim::Transformer::kv_heads},
    {"d_ff", &Measurement::d_ff, &sim::Transformer::ffn_hidden},
    {"vocab", &Measurement::vocab, &sim::Transformer::vocabulary},
    {"seq_len", &Measurement::seq_len, &sim::Transformer::sequence},
}};

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

/// Fills one scenario from one row; stops at the first thing that the simulator cannot play.
class Mapping {
 public:
  explicit Mapping(const Measurement& row) : row_(row) {}

  MappedRun map() {
    if (map_stack() && map_model() && map_cluster() && map_plan() && map_batch()) {
      finish();
      return {.run = std::move(run_), .reason = {}};
    }
    return {.run = std::nullopt, .reason = std::move(reason_)};
  }

 private:
  bool fail(std::string reason) {
    reason_ = std::move(reason);
    return false;
  }

  /// What the stack takes an empty cell to hold, remembered as assumed; "" when it says nothing.
  std::string assume(std::string_view name) {
    const auto found = std::ranges::find(stack_->columns, name, &Assumption::name);
    if (found == stack_->columns.end()) return {};
    run_.assumed.emplace_back(name);
    return found->value;
  }

  bool is_empty(std::string_view name) {
    return fail(std::string(name) + " is empty and no default fills it");
  }

  bool map_stack() {
    if (row_.stack.empty()) return is_empty("stack");
    const auto& stacks = assumptions().stacks;
    const auto found = std::ranges::find(stacks, row_.stack, &AssumedStack::stack);
    if (found == stacks.end()) return fail("no software stack stands for " + quoted(row_.stack));
    stack_ = &*found;
    const auto simulated = library().stacks.find(found->simulated_by);
    if (simulated == library().stacks.end()) {
      return fail("no stack " + quoted(found->simulated_by) + " in the library");
    }
    run_.scenario.stack_name = simulated->first;
    run_.scenario.stack = simulated->second;
    return true;
  }

  bool map_model() {
    if (row_.n_experts.value_or(0) > 1) return fail("needs mixture_of_experts");
    sim::Transformer model;
    for (const ModelColumn& column : model_columns) {
      std::optional<std::int64_t> value = row_.*column.cell;
      if (!value) {
        const std::string text = assume(column.column);
        value = text == "n_heads" ? row_.n_heads : integer_of(text);
      }
      if (!value) return is_empty(column.column);
      if (*value < 1) return fail(std::string(column.column) + " is not above zero");
      model.*column.member = *value;
    }
    if (model.hidden % model.attention_heads != 0) return fail("n_heads does not divide d_model");
    if (model.attention_heads % model.kv_heads != 0) {
      return fail("n_kv_heads does not divide n_heads");
    }
    model.head_size = model.hidden / model.attention_heads;
    return map_architecture(model);
  }

  /// What is a property of the model and has no column.
  bool map_architecture(sim::Transformer& model) {
    const auto& models = assumptions().models;
    const auto found = std::ranges::find_if(
        models, [&](const AssumedModel& entry) { return row_.model.starts_with(entry.model); });
    if (found == models.end()) {
      return fail("nothing is known of the feed-forward network of " + quoted(row_.model));
    }
    model.gated_ffn = found->gated_ffn;
    model.tied_embeddings = found->tied_embeddings;
    run_.assumed.insert(run_.assumed.end(), {"gated_ffn", "tied_embeddings"});
    run_.scenario.workload = model;
    return true;
  }

  bool map_cluster() {
    scenarios::Scenario& scenario = run_.scenario;
    const auto device = library().devices.find(row_.device);
    if (device == library().devices.end()) {
      return fail(row_.device.empty() ? "device is empty"
                                      : "no device " + quoted(row_.device) + " in the library");
    }
    scenario.device = device->first;
    scenario.cluster.device = device->second;
    const auto per_node =
        row_.gpus_per_node ? row_.gpus_per_node : integer_of(assume("gpus_per_node"));
    if (!row_.n_gpus) return is_empty("n_gpus");
    if (!per_node) return is_empty("gpus_per_node");
    if (*row_.n_gpus < 1 || *per_node < 1) return fail("n_gpus is not above zero");
    scenario.cluster.gpus = static_cast<int>(*row_.n_gpus);
    scenario.cluster.gpus_per_node = static_cast<int>(*per_node);
    return map_network();
  }

  bool map_network() {
    scenarios::Scenario& scenario = run_.scenario;
    const auto& networks = assumptions().networks;
    const auto found = std::ranges::find_if(networks, [&](const AssumedNetwork& entry) {
      return entry.device == row_.device && entry.fabric == row_.fabric;
    });
    if (found == networks.end()) {
      return fail("no network of the library stands for fabric " + quoted(row_.fabric) + " of " +
                  quoted(row_.device));
    }
    const auto network = library().networks.find(found->network);
    if (network == library().networks.end()) {
      return fail("no network " + quoted(found->network) + " in the library");
    }
    run_.assumed.emplace_back("network");
    scenario.network = network->first;
    scenario.cluster.network = network->second;
    return true;
  }

  bool map_plan() {
    for (const std::string_view name : plan_settings) {
      const std::string text = assume(name);
      if (!text.empty() && !set(name, name, text)) return false;
    }
    for (const PlanColumn& column : plan_columns) {
      std::string text = column.cell(row_);
      if (text.empty()) text = assume(column.column);
      if (text.empty()) return is_empty(column.column);
      if (!set(column.column, column.setting, text)) return false;
    }
    Plan& plan = run_.scenario.baseline;
    if (plan.virtual_stages > 1) plan.schedule = sim::Schedule::interleaved;
    return true;
  }

  bool set(std::string_view column, std::string_view name, std::string_view text) {
    const Setting* const setting = scenarios::find_setting(name);
    const auto code = setting == nullptr ? std::nullopt : scenarios::parse_setting(*setting, text);
    if (!code) return fail("no setting for " + std::string(column) + " " + quoted(text));
    setting->apply(run_.scenario.baseline, *code);
    return true;
  }

  /// A stated global batch that contradicts its factors is the plan's problem, not ours.
  bool map_batch() {
    Plan& plan = run_.scenario.baseline;
    plan.data_parallel = row_.dp.value_or(0);
    std::optional<std::int64_t> batch = row_.global_batch;
    if (!batch && row_.dp && row_.grad_accum)
      batch = *row_.dp * plan.micro_batch * *row_.grad_accum;
    if (!batch) return is_empty("global_batch");
    if (*batch < 1 || plan.data_parallel < 0) return fail("global_batch is not above zero");
    plan.global_batch = *batch;
    return true;
  }

  void finish() {
    scenarios::Scenario& scenario = run_.scenario;
    scenario.name = row_.id;
    scenario.settings = scenario.baseline;
    scenario.objective = {.metric = scenarios::Metric::tokens_per_s_per_gpu,
                          .percentile = 50.0,
                          .direction = scenarios::Direction::maximize};
  }

  static std::optional<std::int64_t> integer_of(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
  }

  const Measurement& row_;
  const AssumedStack* stack_ = nullptr;
  MeasuredRun run_;
  std::string reason_;
};

}  // namespace

MappedRun map_run(const Measurement& row) { return Mapping(row).map(); }

}  // namespace cubicbench::datasets
