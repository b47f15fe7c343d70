#include "search/study/telling.h"

#include <algorithm>
#include <array>

#include "scenarios/problem/score.h"
#include "support/input_error.h"
#include "support/json/object_reader.h"

namespace cubicbench::search {
namespace {

using scenarios::Reason;
using scenarios::TrialState;

constexpr std::array<std::string_view, 5> names{"drop", "worst", "penalty", "reason", "bytes"};

constexpr double minimised_penalty = 7'200.0;

bool ran_out_of_memory(Reason reason) {
  return reason == Reason::oom_init || reason == Reason::oom_late;
}

}  // namespace

std::span<const std::string_view> telling_names() { return names; }

std::string_view name_of(Telling telling) { return names[static_cast<std::size_t>(telling)]; }

Telling parse_telling(std::string_view text, const std::string& where) {
  const auto found = std::ranges::find(names, text);
  if (found != names.end()) return static_cast<Telling>(found - names.begin());
  throw support::InputError(where, "expected " + support::expected_choice(names) + ", got \"" +
                                       support::shortened(text) + "\"");
}

double penalty_score(const scenarios::Objective& objective) {
  return objective.direction == scenarios::Direction::maximize ? 0.0 : -minimised_penalty;
}

std::optional<ToldTrial> Teller::told(std::int64_t trial, const scenarios::Configuration& config,
                                      const scenarios::TrialOutcome& outcome) {
  ToldTrial told;
  told.trial = trial;
  told.config = config;
  told.cost_gpu_hours = outcome.cost_gpu_hours;
  if (outcome.state == TrialState::complete && outcome.value) {
    told.score = score_of(objective_, *outcome.value);
    worst_ = worst_ ? std::min(*worst_, *told.score) : *told.score;
    if (telling_ == Telling::bytes) told.peak_bytes = metric_of(outcome, peak_bytes_metric);
    return told;
  }
  switch (telling_) {
    case Telling::drop:
      return std::nullopt;
    case Telling::worst:
      told.score = worst_.value_or(penalty_score(objective_));
      return told;
    case Telling::penalty:
      told.score = penalty_score(objective_);
      return told;
    case Telling::reason:
    case Telling::bytes:
      break;
  }
  told.state = TrialState::fail;
  told.reason = outcome.reason;
  if (telling_ == Telling::bytes && ran_out_of_memory(outcome.reason)) {
    told.over_bytes = metric_of(outcome, over_bytes_metric);
  }
  return told;
}

}  // namespace cubicbench::search
