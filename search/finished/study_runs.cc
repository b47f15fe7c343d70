#include "search/finished/study_runs.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "datasets/mapping/network_choice.h"
#include "datasets/tables/measurement_schema.h"
#include "scenarios/space/setting.h"
#include "sim/plan/plan_cluster.h"
#include "support/input_error.h"

namespace cubicbench::search {
namespace {

using datasets::Measurement;
using datasets::MeasurementStatus;
using scenarios::Metric;
using scenarios::Reason;
using scenarios::Scenario;

/// Settings that the schema has a column for, and the column.
constexpr std::pair<std::string_view, std::string_view> setting_columns[] = {
    {"tensor_parallel", "tp"},
    {"sequence_parallel", "sp"},
    {"pipeline_parallel", "pp"},
    {"virtual_stages", "vp"},
    {"context_parallel", "cp"},
    {"expert_parallel", "ep"},
    {"global_batch", "global_batch"},
    {"micro_batch", "micro_batch"},
    {"sharding", "sharding"},
    {"dtype", "dtype"},
    {"recompute", "recompute"},
    {"offload", "offload"},
    {"compile", "compile"}};

/// The settings of a launch over the scenario's. What is no value of its setting, as a failed
/// proposal may hold, is left as it was.
sim::Plan plan_of(const Scenario& scenario, const ConfigText& config) {
  sim::Plan plan = scenario.settings;
  for (const auto& [name, value] : config) {
    const scenarios::Setting* const setting = scenarios::find_setting(name);
    if (setting == nullptr) continue;
    if (const auto code = scenarios::parse_setting(*setting, value)) setting->apply(plan, *code);
  }
  return plan;
}

void write_plan(const Scenario& scenario, const sim::Plan& plan, Measurement& row) {
  for (const auto& [name, column] : setting_columns) {
    const scenarios::Setting& setting = *scenarios::find_setting(name);
    set_cell(*datasets::find_measurement_column(column),
             format_setting(setting, setting.read(plan)), row);
  }
  const std::int64_t model_gpus =
      plan.tensor_parallel * plan.context_parallel * plan.pipeline_parallel;
  const std::int64_t gpus = sim::gpus_of(plan, scenario.cluster);
  if (model_gpus < 1 || gpus % model_gpus != 0) return;
  row.dp = gpus / model_gpus;
  const std::int64_t samples = *row.dp * plan.micro_batch;
  if (samples >= 1 && plan.global_batch % samples == 0)
    row.grad_accum = plan.global_batch / samples;
}

void write_model(const sim::Transformer& model, Measurement& row) {
  row.n_layers = model.layers;
  row.d_model = model.hidden;
  row.n_heads = model.attention_heads;
  row.n_kv_heads = model.kv_heads;
  row.d_ff = model.ffn_hidden;
  row.vocab = model.vocabulary;
  row.seq_len = model.sequence;
  row.n_params_b = total_parameters(model) / 1e9;
}

/// The scenario's name behind what tells the architecture, for which the schema has no columns
/// (datasets/measured/models.json).
std::string model_name(const Scenario& scenario, const sim::Transformer& model) {
  const char* const architecture =
      model.gated_ffn ? (model.tied_embeddings ? "tied llama-like " : "llama-like ")
                      : (model.tied_embeddings ? "gpt-like " : "untied gpt-like ");
  return architecture + scenario.name;
}

/// The fabric that the scenario's network stands for; "" where it stands for none.
std::string fabric_of(const Scenario& scenario, std::int64_t gpus) {
  if (gpus <= scenario.cluster.gpus_per_node) return "nvlink";
  return datasets::fabric_of(datasets::network_choices(), scenario.device, scenario.network);
}

void write_cluster(const Scenario& scenario, std::int64_t gpus, Measurement& row) {
  row.device = scenario.device;
  row.n_gpus = gpus;
  row.gpus_per_node = scenario.cluster.gpus_per_node;
  row.interconnect = scenario.network;
  row.fabric = fabric_of(scenario, gpus);
  row.stack = scenario.stack_name;
}

/// The objective's value as tokens a second and GPU; only of metrics that are rates.
double rate_of(Metric metric, double value, const Measurement& row) {
  const auto gpus = static_cast<double>(*row.n_gpus);
  if (metric == Metric::tokens_per_s) return value / gpus;
  if (metric == Metric::samples_per_s) return value * static_cast<double>(*row.seq_len) / gpus;
  if (metric == Metric::tokens_per_gpu_hour) return value / 3600.0;
  return value;
}

void write_value(Metric metric, const StudyLaunch& launch, Measurement& row) {
  row.status = MeasurementStatus::ok;
  if (metric == Metric::step_time_s) {
    row.step_time_s = launch.value;
  } else if (launch.value) {
    row.tokens_per_s_per_gpu = rate_of(metric, *launch.value, row);
  }
  const std::optional<double> truth = launch.true_value();
  if (!truth) return;
  if (metric != Metric::step_time_s) {
    row.noise_free_tokens_per_s_per_gpu = rate_of(metric, *truth, row);
    return;
  }
  Measurement noise_free = row;
  noise_free.step_time_s = truth;
  row.noise_free_tokens_per_s_per_gpu = tokens_per_s_per_gpu(noise_free);
}

Measurement run_of(const Scenario& scenario, const StudyResult& study, const StudyLaunch& launch) {
  Measurement row;
  row.id =
      name_of(study) + "#" + std::to_string(launch.trial) + "." + std::to_string(launch.attempt);
  row.source = (is_real(study) ? "search " : "cubicbench search ") + name_of(study);
  const auto& model = std::get<sim::Transformer>(scenario.workload);
  row.model = model_name(scenario, model);
  row.family = scenario.name;
  row.searcher = study.searcher;
  write_model(model, row);
  const sim::Plan plan = plan_of(scenario, study.config_of(launch));
  write_cluster(scenario, sim::gpus_of(plan, scenario.cluster), row);
  write_plan(scenario, plan, row);
  if (launch.state == scenarios::TrialState::complete) {
    write_value(study.objective.metric, launch, row);
  } else {
    const bool memory = launch.reason == Reason::oom_init || launch.reason == Reason::oom_late;
    row.status = memory ? MeasurementStatus::oom : MeasurementStatus::other;
  }
  return row;
}

/// Why the runs of a study cannot be rows; "" when they can.
std::string refusal(const StudyResult& study, const Scenario* scenario) {
  if (is_table(study)) {
    return "expected a search that launched jobs, got one on a table of runs: these are measured "
           "already, learn from that table itself";
  }
  if (is_replay(study)) {
    return "expected a search that launched jobs, got one that played an earlier search again: "
           "take that one";
  }
  if (scenario == nullptr) {
    return "expected the scenario \"" + study.scenario +
           "\" as this study searched it (scenario_sha256 " + study.scenario_sha256.substr(0, 12) +
           "...); name its file with --scenario";
  }
  if (!std::holds_alternative<sim::Transformer>(scenario->workload)) {
    return "expected a language model, got a recommendation model, for whose knobs measured runs "
           "have no columns";
  }
  const Metric metric = study.objective.metric;
  if (metric == Metric::mfu || is_of_energy(metric) || is_of_cost(metric)) {
    return "expected an objective that is a rate or a time, got " +
           std::string(name_of(study.objective));
  }
  return "";
}

const Scenario* scenario_of(const StudyResult& study, std::span<const Scenario> scenarios) {
  const auto found = std::ranges::find(scenarios, study.scenario_sha256, &Scenario::sha256);
  return found == scenarios.end() ? nullptr : &*found;
}

}  // namespace

datasets::Measurements runs_of(const StudySet& set, std::span<const Scenario> scenarios) {
  std::vector<support::Problem> problems;
  std::set<std::string> refused;  // a scenario has many studies
  datasets::Measurements runs;
  for (const StudyResult& study : set.studies) {
    const Scenario* const scenario = scenario_of(study, scenarios);
    if (const std::string why = refusal(study, scenario); !why.empty()) {
      if (refused.insert(study.scenario).second) problems.push_back({name_of(study), why});
      continue;
    }
    for (const StudyLaunch& launch : study.launches) {
      runs.rows.push_back(run_of(*scenario, study, launch));
    }
  }
  support::throw_if_any(problems);
  return runs;
}

}  // namespace cubicbench::search
