#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/problem/scenario.h"
#include "search/backends/backend.h"
#include "search/backends/simulated_backends.h"
#include "search/searchers/searcher.h"

namespace cubicbench::search {

/// A problem with one parameter, `micro_batch`, of eight values; what its trials come to is up to
/// the backend.
inline scenarios::Scenario scenario_of_eight(std::int64_t max_retries = 2) {
  scenarios::Scenario scenario;
  scenario.name = "eight";
  scenario.sha256 = std::string(64, 'a');
  scenario.truth.max_retries = max_retries;
  scenarios::BuiltSpace built =
      scenarios::SearchSpace::build({{.name = "micro_batch",
                                      .type = scenarios::ParameterType::integer,
                                      .values = {1, 2, 3, 4, 5, 6, 7, 8},
                                      .when = {}}},
                                    {}, sim::Plan{}, {});
  EXPECT_TRUE(built.problems.empty());
  scenario.space = std::move(built.space);
  return scenario;
}

/// Proposes what it was given, in that order, and remembers what it was told and when.
class ListSearcher final : public Searcher {
 public:
  explicit ListSearcher(std::vector<scenarios::Configuration> configs)
      : configs_(std::move(configs)) {}

  std::optional<Proposal> ask() override {
    calls += 'a';
    if (next_ == configs_.size()) return std::nullopt;
    const auto round = static_cast<std::int64_t>(next_);
    return Proposal{configs_[next_++], round};
  }
  void tell(const ToldTrial& trial) override {
    calls += 't';
    told.push_back(trial);
  }

  std::string calls;  ///< 'a' for each ask, 't' for each tell
  std::vector<ToldTrial> told;

 private:
  std::vector<scenarios::Configuration> configs_;
  std::size_t next_ = 0;
};

/// Proposes what it was given, at the fidelities that were given with it.
class ProposalSearcher final : public Searcher {
 public:
  explicit ProposalSearcher(std::vector<Proposal> proposals) : proposals_(std::move(proposals)) {}

  void observe(const StudyState& state) override { states.push_back(state); }
  std::optional<Proposal> ask() override {
    return next_ == proposals_.size() ? std::nullopt : std::optional(proposals_[next_++]);
  }
  void tell(const ToldTrial& trial) override { told.push_back(trial); }

  std::vector<StudyState> states;  ///< before each ask
  std::vector<ToldTrial> told;

 private:
  std::vector<Proposal> proposals_;
  std::size_t next_ = 0;
};

/// Decides what a launch comes to.
using Outcomes = std::function<scenarios::TrialOutcome(const Launch&)>;

inline scenarios::TrialOutcome completed(double value, double hours = 1.0) {
  return {.state = scenarios::TrialState::complete,
          .reason = scenarios::Reason::none,
          .value = value,
          .metrics = {},
          .cost_gpu_hours = 8.0 * hours,
          .duration_h = hours};
}

inline scenarios::TrialOutcome failed(scenarios::Reason reason, double hours = 1.0) {
  return {.state = scenarios::TrialState::fail,
          .reason = reason,
          .value = std::nullopt,
          .metrics = {},
          .cost_gpu_hours = 8.0 * hours,
          .duration_h = hours};
}

/// A simulated cluster on which everything goes as `outcomes` says.
class ScriptedBackend final : public Backend {
 public:
  explicit ScriptedBackend(Outcomes outcomes, bool runs_short = true)
      : outcomes_(std::move(outcomes)), runs_short_(runs_short) {}

  bool runs_short_launches() const override { return runs_short_; }

  void start(Launch launch) override {
    scenarios::TrialOutcome outcome = outcomes_(launch);
    started.push_back(launch);
    clock_.start(std::move(launch), std::move(outcome), std::nullopt);
  }
  Finished wait() override { return clock_.next(); }

  std::vector<Launch> started;

 private:
  Outcomes outcomes_;
  bool runs_short_;
  SimulatedClock clock_;
};

}  // namespace cubicbench::search
