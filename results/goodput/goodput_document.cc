#include "results/goodput/goodput_document.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "results/document/json.h"
#include "results/document/number_text.h"
#include "results/simulation/shown_problem.h"
#include "scenarios/evaluation/evaluate.h"
#include "support/json/canonical.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;

constexpr double day_s = 86'400.0;

/// What the time goes to, as a share of all of it.
struct Use {
  std::string_view key;
  std::string_view words;
  double share = 0.0;
};

std::vector<Use> uses_of(const Goodput& of) {
  const double running = 1.0 - of.waiting;
  std::vector<Use> uses{
      {"steps", "steps that count (goodput)", running * of.shares.steps},
      {"checkpoints", "standing still for checkpoints", running * of.shares.checkpoints},
      {"repeated", "steps repeated after failures", running * of.shares.repeated},
      {"restarts", "restarts", running * of.shares.restarts}};
  if (of.question.spares) uses.push_back({"waiting", "waiting for a node", of.waiting});
  return uses;
}

Table time_table(const Goodput& of) {
  Table table{.columns = {{"use", "where the time goes"},
                          {"share", "share", Show::percent},
                          {"days", "days", Show::fixed2}}};
  for (const Use& use : uses_of(of)) {
    table.rows.push_back({Cell(use.words), Cell(use.share), Cell(use.share * of.question.days)});
  }
  return table;
}

/// "3.104 h", "11.2 min", "4.128 s".
std::string long_time(double seconds) {
  constexpr double minute_s = 60.0;
  constexpr double hour_s = 3600.0;
  if (seconds >= hour_s) return scaled(seconds / hour_s) + " h";
  return seconds >= minute_s ? scaled(seconds / minute_s) + " min"
                             : duration(sim::Seconds{seconds});
}

std::string checkpoint_text(const Goodput& of) {
  const bool beside = of.question.writing == CheckpointWriting::asynchronous;
  return scaled(of.checkpoint.value) + "B every " + long_time(of.interval.value) +
         (of.question.interval_s ? "" : ", the best interval") + "; steps stand still for " +
         long_time(of.run.checkpoint.value) +
         (beside ? ", and it is written in " + long_time(of.run.written.value) + " beside them"
                 : "");
}

std::string failures_text(const Goodput& of) {
  return "one every " + long_time(1.0 / of.run.failures_per_s) + ", " +
         long_time(of.run.restart.value) + " until steps go on";
}

/// Tokens or samples a second of steps alone.
double rate_of(const Goodput& of) {
  const scenarios::Scenario& scenario = of.simulation.scenario;
  const sim::Seconds step = of.simulation.report.step;
  return scenarios::tokens_per_s(scenario, scenario.baseline, step)
      .value_or(scenarios::samples_per_s(scenario, scenario.baseline, step));
}

std::string_view unit_of(const Goodput& of) {
  const auto kind = scenarios::kind_of(of.simulation.scenario.workload);
  return kind == scenarios::WorkloadKind::recommendation ? "samples" : "tokens";
}

std::string throughput_text(const Goodput& of) {
  const double share = *goodput_share(of);
  const std::string unit(unit_of(of));
  return scaled(share * rate_of(of)) + " " + unit + "/s of " + scaled(rate_of(of)) + ", " +
         scaled(share * rate_of(of) * of.question.days * day_s) + " " + unit + " in " +
         support::shortest(of.question.days) + " days";
}

std::string spares_text(const Goodput& of) {
  if (!of.question.spares) return "a node that breaks is replaced at once";
  return counted(*of.question.spares, "node", "nodes") + ", a broken one is back after " +
         support::shortest(of.question.repair_hours.value_or(repair_hours_assumed)) + " h";
}

}  // namespace

Document goodput_document(const Goodput& of) {
  const scenarios::Scenario& scenario = of.simulation.scenario;
  Document document{.title = scenario.name};
  if (!has_step(of.simulation)) {
    document.add(Facts{.items = {{"scenario", scenario.name},
                                 {"result", "no run: " + reason(of.simulation).value_or("")}}});
    return document;
  }
  document.add(Facts{.items = {{"scenario", scenario.name},
                               {"run", support::shortest(of.question.days) + " days on " +
                                           grouped(scenario.cluster.gpus) + " GPUs"},
                               {"failures", failures_text(of)},
                               {"checkpoints", checkpoint_text(of)},
                               {"spares", spares_text(of)},
                               {"throughput", throughput_text(of)}}});
  document.add(time_table(of));
  return document;
}

Json goodput_json(const Goodput& of) {
  const Simulation& simulation = of.simulation;
  Json document = support::new_document("goodput");
  document["scenario"] = simulation.scenario.name;
  document["scenario_sha256"] = simulation.scenario.sha256;
  document["config"] = config_json(simulation.config);
  document["status"] = status_of(simulation);
  document["why"] = json_of(Cell(reason(simulation)));
  document["days"] = of.question.days;
  document["goodput"] = json_of(Cell(goodput_share(of)));
  if (!has_step(simulation)) return document;
  const double rate = *goodput_share(of) * rate_of(of);
  for (const Use& use : uses_of(of)) document["shares"][use.key] = use.share;
  document["failures_per_day"] = of.run.failures_per_s * day_s;
  document["restart_s"] = of.run.restart.value;
  document["checkpoint"] = {{"bytes", of.checkpoint.value},
                            {"interval_s", of.interval.value},
                            {"stands_still_s", of.run.checkpoint.value},
                            {"written_s", of.run.written.value}};
  document[unit_of(of) == "tokens" ? "tokens_per_s" : "samples_per_s"] = rate;
  return document;
}

}  // namespace cubicbench::results
