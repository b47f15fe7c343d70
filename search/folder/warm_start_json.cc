#include "search/folder/warm_start_json.h"

#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "scenarios/readers/campaign_reader.h"
#include "search/study/telling.h"
#include "support/json/json_document.h"
#include "support/json/strict_json.h"
#include "support/sha256.h"

namespace cubicbench::search {
namespace {

using Json = nlohmann::ordered_json;
using scenarios::TrialState;
using support::ObjectReader;
using support::ValueReader;

constexpr double infinite = std::numeric_limits<double>::infinity();

/// What a searcher may be told of an outcome, and no more.
scenarios::TrialOutcome told_part(const scenarios::TrialOutcome& outcome) {
  scenarios::TrialOutcome told{.state = outcome.state,
                               .reason = outcome.reason,
                               .value = outcome.value,
                               .metrics = {},
                               .cost_gpu_hours = outcome.cost_gpu_hours,
                               .duration_h = 0.0};
  for (const auto name : {over_bytes_metric, peak_bytes_metric}) {
    if (const auto value = metric_of(outcome, name)) told.metrics.emplace_back(name, *value);
  }
  return told;
}

Json launch_json(const KnownLaunch& launch) {
  const scenarios::TrialOutcome& outcome = launch.outcome;
  Json config = Json::object();
  for (const auto& [name, value] : launch.config) config[name] = support::parse_json(value, name);
  Json metrics = Json::object();
  for (const auto& [name, value] : outcome.metrics) metrics[name] = value;
  const std::string_view reason = name_of(outcome.reason);
  return {{"config", std::move(config)},
          {"state", name_of(outcome.state)},
          {"reason", reason.empty() ? Json() : Json(reason)},
          {"value", outcome.value ? Json(*outcome.value) : Json()},
          {"metrics", std::move(metrics)},
          {"cost_gpu_hours", outcome.cost_gpu_hours}};
}

Json launches_json(const std::vector<KnownLaunch>& launches) {
  Json list = Json::array();
  for (const KnownLaunch& launch : launches) list.push_back(launch_json(launch));
  return list;
}

void read_end(ObjectReader& in, scenarios::TrialOutcome& outcome) {
  constexpr std::string_view states[] = {"complete", "fail"};
  const bool failed = in.one_of("state", states) == 1;
  if (failed) outcome.state = TrialState::fail;
  if (const std::string reason = in.string("reason", ""); !reason.empty()) {
    const auto known = scenarios::reason_of(reason);
    outcome.reason = known.value_or(scenarios::Reason::none);
    if (!known || !failed) in.problem("reason", "expected why the launch failed, or null");
  }
  if (in.has("value")) outcome.value = in.number("value", -infinite, infinite);
  in.allow("value");
  if (outcome.value.has_value() == failed) {
    in.problem("value", "expected a number exactly when the state is complete");
  }
}

KnownLaunch read_launch(const ValueReader& value) {
  ObjectReader in = value.object();
  KnownLaunch launch;
  ObjectReader config = in.object("config");
  for (const std::string& name : config.keys()) {
    const Json* const setting = config.raw(name);
    if (setting == nullptr) continue;
    if (setting->is_structured()) {
      config.problem(name, "expected a value of a setting, got " + support::shown(*setting));
    } else {
      launch.config.emplace_back(name, setting->dump());
    }
  }
  config.finish();
  read_end(in, launch.outcome);
  ObjectReader metrics = in.object("metrics");
  for (const std::string& name : metrics.keys()) {
    launch.outcome.metrics.emplace_back(name, metrics.number(name, -infinite, infinite));
  }
  metrics.finish();
  launch.outcome.cost_gpu_hours = in.number("cost_gpu_hours", 0.0, infinite);
  in.finish();
  return launch;
}

std::shared_ptr<const WarmStart> read_problem(const ValueReader& value) {
  ObjectReader in = value.object();
  const std::size_t before = in.problems().size();
  std::string scenario = in.string("scenario");
  const std::int64_t instance = in.integer("instance", 0, scenarios::instances_max);
  const std::string sha256 = in.string("sha256");
  std::vector<KnownLaunch> launches;
  for (const ValueReader& one : in.array("launches")) launches.push_back(read_launch(one));
  in.finish();
  auto warm = std::make_shared<const WarmStart>(
      warm_start_of(std::move(scenario), instance, std::move(launches)));
  if (in.problems().size() == before && warm->sha256 != sha256) {
    in.problem("sha256", "expected that of the launches below, " + warm->sha256 + ", got another");
  }
  return warm;
}

}  // namespace

Json warm_starts_json(const WarmStarts& warm) {
  Json problems = Json::array();
  for (const auto& one : warm.problems) {
    problems.push_back({{"scenario", one->scenario},
                        {"instance", one->instance},
                        {"sha256", one->sha256},
                        {"launches", launches_json(one->launches)}});
  }
  return {{"from", warm.from}, {"problems", std::move(problems)}};
}

WarmStarts read_warm_starts(ObjectReader in) {
  WarmStarts warm;
  for (const ValueReader& from : in.array("from")) warm.from.push_back(from.string());
  for (const ValueReader& one : in.array("problems")) warm.problems.push_back(read_problem(one));
  in.finish();
  return warm;
}

WarmStart warm_start_of(std::string scenario, std::int64_t instance,
                        std::vector<KnownLaunch> launches) {
  for (KnownLaunch& launch : launches) launch.outcome = told_part(launch.outcome);
  WarmStart warm{.scenario = std::move(scenario),
                 .instance = instance,
                 .launches = std::move(launches),
                 .sha256 = {}};
  warm.sha256 = support::sha256_hex(support::line_text(launches_json(warm.launches)));
  return warm;
}

}  // namespace cubicbench::search
