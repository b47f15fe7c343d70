#include "scenarios/readers/scenario_reader.h"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "scenarios/catalog.h"
#include "scenarios/evaluation/violation_text.h"
#include "scenarios/readers/description_reader.h"
#include "scenarios/readers/network_reader.h"
#include "scenarios/readers/objective_reader.h"
#include "scenarios/readers/override.h"
#include "scenarios/readers/scenario_canonical.h"
#include "scenarios/readers/space_reader.h"
#include "scenarios/readers/workload_reader.h"
#include "scenarios/space/job_gpus.h"
#include "sim/base/binary_sizes.h"
#include "sim/network/collective.h"
#include "support/input_error.h"
#include "support/json/filled_string.h"
#include "support/json/object_reader.h"
#include "support/json/strict_json.h"
#include "support/sha256.h"

namespace cubicbench::scenarios {
namespace {

constexpr std::int64_t count_max = 1'000'000'000;
constexpr std::int64_t gpus_max = 131'072;
constexpr std::int64_t gpus_per_node_max = 72;
constexpr double memory_gib_min = 0.1;
constexpr double memory_gib_max = 10'000.0;
constexpr double usd_per_gpu_hour_min = 0.001;
constexpr double usd_per_gpu_hour_max = 10'000.0;
constexpr std::array<std::string_view, 2> engines{"analytical", "event"};
constexpr std::array<std::string_view, 2> noises{"none", "field"};
constexpr std::array<std::string_view, 2> failure_models{"none", "llama3-2024"};
constexpr std::array<std::string_view, 2> numeric_models{"none", "assumed-2026"};
constexpr std::array<std::string_view, 2> drift_models{"none", "assumed-releases"};

/// 0 of a network that is no torus.
std::int64_t torus_gpus(const sim::Network& network) {
  if (network.domain != sim::DomainKind::torus) return 0;
  std::int64_t gpus = 1;
  for (const int axis : network.torus) gpus *= std::max(axis, 1);
  return gpus;
}

/// Most GPUs that the links of a domain join, where they say: 0 of a switch.
std::int64_t joined_gpus(const sim::Network& network) {
  constexpr std::int64_t cube_mesh_gpus = 8;
  if (network.domain == sim::DomainKind::cube_mesh) return cube_mesh_gpus;
  return network.domain == sim::DomainKind::direct ? network.direct_peers + 1 : 0;
}

/// "dense-small" of "dense-small@3".
std::string family_of(const std::string& member) { return member.substr(0, member.rfind('@')); }

/// One scenario file on its way to a Scenario. Everything wrong with it gathers in `problems_`.
class ScenarioFile {
 public:
  ScenarioFile(Document document, std::span<const std::string> sets, Origin origin)
      : document_(std::move(document)),
        json_(support::parse_json(document_.text, document_.file)),
        origin_(origin) {
    overrides_ = apply_overrides(sets, json_, problems_);
  }

  Scenario read() {
    support::ObjectReader in(json_, document_.file, "", problems_);
    if (read_head(in)) {
      check_kind(overrides_, kind(), problems_);
      read_problem(in);
      read_study(in);
      read_baseline(in);
      in.finish();
    }
    name_options(overrides_, document_.file, problems_);
    support::throw_if_any(problems_);
    scenario_.sha256 = support::sha256_hex(canonical_text(scenario_, scenario_.baseline));
    scenario_.baseline = changed_baseline(scenario_, overrides_.settings);
    check_gpus();
    support::throw_if_any(problems_);
    return std::move(scenario_);
  }

 private:
  WorkloadKind kind() const { return kind_of(scenario_.workload); }

  /// False when this version cannot judge the rest of the file.
  bool read_head(support::ObjectReader& in) {
    in.one_of("schema", std::array<std::string_view, 1>{"cubicbench.scenario/1"});
    in.allow("version");
    scenario_.name = in.string("name");
    check_name(origin_ == Origin::file ? scenario_.name : family_of(scenario_.name),
               in.where("name"), problems_);
    scenario_.summary = in.string("summary", "");
    if (in.has("table")) {
      in.problem("table", "expected a model, got a table of runs");
      return false;
    }
    support::ObjectReader workload = in.object("workload");
    return read_workload(workload, directory_for("/workload/hugging_face"), scenario_.workload);
  }

  /// What is trained, on what, and which knobs there are.
  void read_problem(support::ObjectReader& in) {
    support::ObjectReader cluster = in.object("cluster");
    read_cluster(cluster);
    scenario_.stack = referred(in, "stack", Kind::stack, read_stack, scenario_.stack_name);
    sim::limit_to_library(scenario_.stack, scenario_.cluster.network);
    if (auto settings = in.optional_object("settings")) {
      for (const Assignment& a : read_assignments(*settings, kind())) {
        a.setting->apply(scenario_.settings, a.value);
      }
    }
    support::ObjectReader space = in.object("space");
    scenario_.space = read_space(space, scenario_.settings, space_facts());
  }

  SpaceFacts space_facts() const {
    SpaceFacts facts{.kind = kind(),
                     .gpus = scenario_.cluster.gpus,
                     .gpus_per_node = scenario_.cluster.gpus_per_node};
    if (const auto* model = std::get_if<sim::Transformer>(&scenario_.workload)) {
      facts.layers = model->layers;
      facts.sequence = model->sequence;
      facts.attention_heads = model->attention_heads;
      facts.kv_heads = model->kv_heads;
      facts.experts = model->experts.count;
      facts.expert_ffn_hidden = model->experts.ffn_hidden;
    }
    return facts;
  }

  void read_cluster(support::ObjectReader& in) {
    sim::Cluster& cluster = scenario_.cluster;
    cluster.device = referred(in, "device", Kind::device, read_device, scenario_.device);
    in.allow("memory_gib");
    if (in.has("memory_gib")) {
      // Of a device, or what is left of it to the job: nothing else about it changes.
      cluster.device.memory = {in.number("memory_gib", memory_gib_min, memory_gib_max) *
                               sim::bytes_per_gib};
    }
    in.allow("usd_per_gpu_hour");
    if (in.has("usd_per_gpu_hour")) {
      scenario_.usd_per_gpu_hour =
          in.number("usd_per_gpu_hour", usd_per_gpu_hour_min, usd_per_gpu_hour_max);
    }
    const std::size_t before = problems_.size();
    cluster.gpus = static_cast<int>(in.integer("gpus", 1, gpus_max));
    cluster.network = referred(in, "network", Kind::network, read_network, scenario_.network);
    read_gpus_per_node(in, problems_.size() == before);
    if (problems_.size() == before && cluster.gpus > cluster.gpus_per_node &&
        cluster.gpus % cluster.gpus_per_node != 0) {
      in.problem("gpus", "expected a multiple of /cluster/gpus_per_node (" +
                             std::to_string(cluster.gpus_per_node) + "), got " +
                             std::to_string(cluster.gpus));
    }
    cluster.placement =
        static_cast<sim::Placement>(in.one_of("placement", placement_names(), std::size_t{0}));
    in.finish();
  }

  /// A torus is one domain: its GPUs are those of a node.
  void read_gpus_per_node(support::ObjectReader& in, bool network_known) {
    const std::size_t before = problems_.size();
    const std::int64_t torus = torus_gpus(scenario_.cluster.network);
    const std::int64_t most = std::max(torus, gpus_per_node_max);
    const std::int64_t read = in.integer("gpus_per_node", 1, most);
    scenario_.cluster.gpus_per_node = static_cast<int>(read);
    if (!network_known || problems_.size() != before) return;
    const std::int64_t joined = joined_gpus(scenario_.cluster.network);
    if (joined > 0 && read > joined) {
      in.problem("gpus_per_node", "expected at most " + std::to_string(joined) +
                                      ", the GPUs that the links of /cluster/network join, got " +
                                      std::to_string(read));
    }
    if (torus == 0 || read == torus) return;
    in.problem("gpus_per_node", "expected " + std::to_string(torus) +
                                    ", the GPUs of the torus of /cluster/network, got " +
                                    std::to_string(read));
  }

  /// Reads the device, network or stack that `key` names, and remembers the name. What the library
  /// has is read once: it is compiled in.
  template <class T>
  T referred(support::ObjectReader& in, std::string_view key, Kind kind,
             T (*reader)(const Document&, std::vector<support::Problem>&), std::string& name) {
    name = support::filled_string(in, key, "a name or a path");
    if (name.empty()) return {};
    thread_local std::map<std::string, T> library;
    if (const auto known = library.find(name); known != library.end()) return known->second;
    const std::size_t before = problems_.size();
    const T read = support::gathered(problems_, [&] {
      const std::string pointer = in.pointer() + "/" + std::string(key);
      return reader(find_document(kind, name, directory_for(pointer), in.where(key)), problems_);
    });
    if (problems_.size() == before && !is_path(name)) library.emplace(name, read);
    return read;
  }

  /// A path on the command line starts from the working folder, one in the file from its folder.
  std::string directory_for(const std::string& pointer) const {
    return overrides_.fields.contains(pointer) ? "" : document_.directory;
  }

  /// How configurations are judged and what a trial costs.
  void read_study(support::ObjectReader& in) {
    if (kind() == WorkloadKind::recommendation) scenario_.objective.metric = Metric::samples_per_s;
    if (auto objective = in.optional_object("objective")) read_objective(*objective);
    if (auto job = in.optional_object("job")) {
      scenario_.job.steps = job->integer("steps", 1, count_max, scenario_.job.steps);
      scenario_.job.startup = {job->number("startup_s", 0.0, 1e9, scenario_.job.startup.value)};
      scenario_.job.time_limit = {
          job->number("time_limit_s", 1.0, 1e9, scenario_.job.time_limit.value)};
      job->finish();
    }
    if (auto truth = in.optional_object("truth")) {
      scenario_.truth.noise = noises[truth->one_of("noise", noises, std::size_t{0})];
      scenario_.truth.failures =
          failure_models[truth->one_of("failures", failure_models, std::size_t{0})];
      scenario_.truth.max_retries =
          truth->integer("max_retries", 0, 100, scenario_.truth.max_retries);
      scenario_.truth.numeric =
          numeric_models[truth->one_of("numeric", numeric_models, std::size_t{0})];
      scenario_.truth.drift = drift_models[truth->one_of("drift", drift_models, std::size_t{0})];
      truth->finish();
    }
    scenario_.engine = static_cast<Engine>(in.one_of("engine", engines, std::size_t{0}));
    if (auto budget = in.optional_object("budget")) {
      scenario_.budget.trials = budget->integer("trials", 1, count_max, scenario_.budget.trials);
      budget->finish();
    }
  }

  void read_objective(support::ObjectReader& in) {
    Objective& objective = scenario_.objective;
    objective = scenarios::read_objective(in, objective);
    if (objective.metric == Metric::column) {
      in.problem("column",
                 "expected a metric, as only a table of trials has columns, got a column");
    }
    if (objective.deadline && kind() == WorkloadKind::recommendation) {
      in.problem("deadline", "expected none, as a recommendation model has no tokens");
    }
    if (name_of(objective).starts_with("tokens_") && kind() == WorkloadKind::recommendation) {
      in.problem("metric",
                 "expected one of step_time_s, samples_per_s, mfu, samples_per_joule, "
                 "samples_per_usd, as a recommendation model has no tokens, got \"" +
                     std::string(name_of(objective)) + "\"");
    }
    check_power_and_price(in);
    in.finish();
  }

  /// Nobody's power and no price is assumed.
  void check_power_and_price(support::ObjectReader& in) {
    const Metric metric = scenario_.objective.metric;
    const std::string got = ", got \"" + std::string(name_of(scenario_.objective)) + "\"";
    const bool device_read = scenario_.cluster.device.memory.value > 0.0;
    if (is_of_energy(metric) && device_read && scenario_.cluster.device.board_watts == 0.0) {
      in.problem("metric", "expected a metric that needs no power, as the device " +
                               scenario_.device + " states no board_watts" + got);
    }
    if (is_of_cost(metric) && !scenario_.usd_per_gpu_hour) {
      in.problem(
          "metric",
          "expected a metric that needs no price, as /cluster has no usd_per_gpu_hour" + got);
    }
  }

  void read_baseline(support::ObjectReader& in) {
    support::ObjectReader baseline = in.object("baseline");
    const std::vector<Assignment> assignments = read_assignments(baseline, kind());
    if (!problems_.empty()) {
      return;  // whatever is wrong with the baseline may follow from them
    }
    scenario_.baseline = scenario_.settings;
    for (const Assignment& a : assignments) a.setting->apply(scenario_.baseline, a.value);
    const Placement placement = scenario_.space.from_assignment(assignments);
    if (placement.in_space()) {
      // The space knows which settings are inactive here; those keep the value of `settings`.
      scenario_.space.apply(placement.configuration, scenario_.baseline);
    }
    // A changed problem may make the baseline impossible; that is then the simulator's answer.
    if (overrides_.fields.empty() && origin_ != Origin::draft) check_baseline(baseline, placement);
  }

  void check_baseline(support::ObjectReader& baseline, const Placement& placement) {
    if (scenario_.space.count() == 0) {
      problems_.push_back({document_.file + "#/space",
                           "expected at least one configuration that meets the constraints"});
      return;
    }
    const auto where = [&](std::string_view setting) {
      if (setting == "cluster.gpus") return document_.file + "#/cluster/gpus";
      const std::string key(setting);
      const bool fixed =
          !baseline.has(key) && json_.contains("settings") && json_["settings"].contains(key);
      return fixed ? document_.file + "#/settings/" + key : baseline.where(key);
    };
    problems_ = layout_problems(scenario_.baseline, scenario_.workload, scenario_.cluster, where);
    if (!problems_.empty()) return;
    for (const SpaceProblem& problem : placement.problems) {
      problems_.push_back({baseline.where() + problem.pointer, problem.text});
    }
  }

  /// Plans say how many GPUs they take only where the space lets it vary. What the space itself
  /// says has been checked.
  void check_gpus() {
    const bool varies = scenario_.space.find("gpus") >= 0;
    const auto check = [&](std::int64_t gpus, const std::string& where) {
      const std::string expected =
          varies ? expected_gpus(gpus, scenario_.space.facts())
                 : "no number, as /space has no parameter \"gpus\" and all of "
                   "/cluster/gpus are used";
      if (gpus == 0 || expected.empty()) return;
      problems_.push_back({where, "expected " + expected + ", got " + std::to_string(gpus)});
    };
    std::string where = document_.file + "#/baseline/gpus";
    for (std::size_t i = 0; i < overrides_.settings.size(); ++i) {
      if (overrides_.settings[i].setting->name == "gpus") where = overrides_.setting_options[i];
    }
    check(scenario_.settings.gpus, document_.file + "#/settings/gpus");
    if (problems_.empty()) check(scenario_.baseline.gpus, where);
  }

  Document document_;
  nlohmann::ordered_json json_;
  Origin origin_;
  std::vector<support::Problem> problems_;
  Overrides overrides_;
  Scenario scenario_;
};

}  // namespace

Scenario read_scenario(const std::string& name_or_path, std::span<const std::string> sets) {
  return read_scenario(find_document(Kind::scenario, name_or_path, "", name_or_path), sets,
                       Origin::file);
}

Scenario read_scenario(Document document, std::span<const std::string> sets, Origin origin) {
  return ScenarioFile(std::move(document), sets, origin).read();
}

sim::Plan changed_baseline(const Scenario& scenario, std::span<const Assignment> settings) {
  sim::Plan plan = scenario.baseline;
  if (settings.empty()) return plan;
  for (const Assignment& a : settings) a.setting->apply(plan, a.value);
  // One changed setting may deactivate others, as pipeline_parallel=1 does with the schedule.
  const Placement placement = scenario.space.from_plan(plan);
  if (placement.in_space()) scenario.space.apply(placement.configuration, plan);
  return plan;
}

std::vector<std::string> model_scenarios() {
  std::vector<std::string> models;
  for (const Entry& entry : names(Kind::scenario)) {
    const std::string file = file_of(Kind::scenario, entry.name);
    const auto json = support::parse_json(*text(Kind::scenario, entry.name), file);
    if (!json.contains("table")) models.push_back(entry.name);
  }
  return models;
}

}  // namespace cubicbench::scenarios
