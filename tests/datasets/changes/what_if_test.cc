#include "datasets/changes/what_if.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "datasets/exhaustive/best_found.h"
#include "datasets/landscape/hill_climb.h"
#include "datasets/problem/table_scenario.h"
#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/scenario_reader.h"
#include "tests/draws_asked.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Configuration;
using scenarios::Reason;
using scenarios::Scenario;
using scenarios::SearchSpace;
using scenarios::TrueValue;

constexpr std::uint64_t seed = 0x6578706c61696e;

/// Scenarios of every kind whose spaces have conditions and constraints.
const std::vector<std::string> problems{"tiny-llama", "llama3-405b", "mixtral-8x7b", "ads-73b",
                                        "fine-tuning@0"};

sim::Plan drawn_plan(const Scenario& scenario, std::uint64_t draw) {
  Configuration configuration(scenario.space.size());
  scenario.space.sample(seed, draw, configuration);
  sim::Plan plan;
  scenario.space.apply(configuration, plan);
  return plan;
}

std::uint64_t number_of(const SearchSpace& space, const sim::Plan& plan) {
  return space.number_of(space.from_plan(plan).configuration);
}

TEST(PlanChanges, SinglesAreTheNeighboursOfAConfiguration) {
  for (const std::string& name : problems) {
    const Scenario scenario = read_scenario(name);
    for (std::uint64_t draw = 0; draw < draws_asked(20); ++draw) {
      SCOPED_TRACE(name + ", draw " + std::to_string(draw));
      const sim::Plan plan = drawn_plan(scenario, draw);
      std::set<std::uint64_t> numbers;
      for (const PlanChange& change : PlanChanges(scenario.space, plan).singles()) {
        if (change.outside.empty()) numbers.insert(number_of(scenario.space, change.plan));
      }
      const std::vector<std::uint64_t> expected =
          neighbours(scenario.space, number_of(scenario.space, plan), 1);
      EXPECT_EQ(std::vector<std::uint64_t>(numbers.begin(), numbers.end()), expected);
    }
  }
}

// What --set says of an inactive knob does not count, and one that becomes active is named.
TEST(PlanChanges, NameWhatTheyActivate) {
  const std::vector<std::string> sets{"schedule=1f1b"};
  const Scenario scenario = scenarios::read_scenario("llama3-405b", sets);
  bool found = false;
  for (const PlanChange& change : PlanChanges(scenario.space, scenario.baseline).singles()) {
    const std::string_view knob = change.set.front().setting->name;
    if (knob != "schedule" || change.plan.schedule != sim::Schedule::interleaved) continue;
    found = true;
    ASSERT_EQ(change.set.size(), 2U);
    EXPECT_EQ(change.set[1].setting->name, "virtual_stages");
    const int index = scenario.space.find("virtual_stages");
    EXPECT_EQ(change.set[1].value,
              scenario.space.parameters()[static_cast<std::size_t>(index)].values.front());
  }
  EXPECT_TRUE(found);
}

// Read again with its --set texts, the problem has the changed plan as its baseline.
TEST(PlanChanges, AreWhatSetMakesOfThePlan) {
  const Scenario scenario = scenarios::read_scenario("llama3-405b");
  const std::vector<PlanChange> singles = PlanChanges(scenario.space, scenario.baseline).singles();
  ASSERT_FALSE(singles.empty());
  for (std::size_t i = 0; i < singles.size(); i += 5) {
    if (!singles[i].outside.empty()) continue;
    std::vector<std::string> sets;
    for (const scenarios::Assignment& one : singles[i].set) {
      sets.push_back(std::string(one.setting->name) + "=" +
                     scenarios::format_setting(*one.setting, one.value));
    }
    EXPECT_EQ(scenarios::read_scenario("llama3-405b", sets).baseline, singles[i].plan) << sets[0];
  }
}

std::optional<double> value_of(const TrueValue& value) {
  return value.reason == Reason::none ? std::optional(value.value) : std::nullopt;
}

bool beats(const std::optional<double>& a, const std::optional<double>& b,
           scenarios::Direction direction) {
  return a && (!b || is_better(*a, *b, direction));
}

/// The best of the configurations that differ from `plan` in at most `changes` knobs, one after the
/// other in their order, itself left out: by indices of values, without PlanChanges.
class BruteForce {
 public:
  BruteForce(const scenarios::Instance& instance, const sim::Plan& plan)
      : instance_(instance), space_(instance.scenario().space) {
    configuration_ = space_.from_plan(plan).configuration;
  }

  std::optional<double> best(int changes) {
    best_.reset();
    visit(configuration_, 0, changes);
    return best_;
  }

 private:
  void visit(const Configuration& from, std::size_t first, int changes) {
    for (std::size_t i = first; i < space_.size(); ++i) {
      if (from[i] == scenarios::inactive) continue;
      for (std::int64_t v = 0; v < std::ssize(space_.parameters()[i].values); ++v) {
        if (v == from[i]) continue;
        Configuration changed = from;
        changed[i] = v;
        space_.canonicalise(changed);
        if (space_.satisfies(changed)) look(changed);
        if (changes > 1) visit(changed, i + 1, changes - 1);
      }
    }
  }

  void look(const Configuration& configuration) {
    const auto value = value_of(instance_.true_value(configuration, workspace_));
    if (beats(value, best_, instance_.scenario().objective.direction)) best_ = value;
  }

  const scenarios::Instance& instance_;
  const SearchSpace& space_;
  Configuration configuration_;
  std::optional<double> best_;
  sim::Workspace workspace_;
};

const JudgedChange* advice_of(const WhatIf& what_if, std::initializer_list<AdviceKind> kinds) {
  for (const Advice& advice : what_if.advice) {
    if (std::ranges::find(kinds, advice.kind) != kinds.end()) return &advice.judged;
  }
  return nullptr;
}

void expect_best(const WhatIf& what_if, const JudgedChange* advised,
                 const std::optional<double>& best, const std::optional<double>& than,
                 scenarios::Direction direction) {
  if (!beats(best, than, direction)) {  // then at most one that runs and has no value
    EXPECT_TRUE(advised == nullptr || (!than && !advised->outcome.has_value()));
    return;
  }
  ASSERT_NE(advised, nullptr);
  EXPECT_EQ(advised->outcome.truth.value, *best);
  EXPECT_FALSE(what_if.singles.empty());
}

TEST(WhatIf, TheBestChangeAndTheBestPairAreTheBest) {
  for (const std::string& name : problems) {
    const Scenario scenario = read_scenario(name);
    const scenarios::Instance instance(scenario, 0);
    const scenarios::Direction direction = scenario.objective.direction;
    for (std::uint64_t draw = 0; draw < draws_asked(3); ++draw) {
      SCOPED_TRACE(name + ", draw " + std::to_string(draw));
      const sim::Plan plan = drawn_plan(scenario, draw);
      const WhatIf what_if = datasets::what_if(instance, plan, 2);
      ASSERT_EQ(what_if.searched.firsts, what_if.searched.singles);
      BruteForce force(instance, plan);
      const auto now = value_of(what_if.now.truth);
      const auto single = force.best(1);
      const auto pair = force.best(2);
      expect_best(what_if, advice_of(what_if, {AdviceKind::best_change, AdviceKind::makes_it_fit}),
                  single, now, direction);
      expect_best(what_if,
                  advice_of(what_if, {AdviceKind::best_pair, AdviceKind::pair_makes_it_fit}), pair,
                  beats(now, single, direction) ? now : single, direction);
    }
  }
}

TEST(WhatIf, AdviceDoesWhatItSays) {
  for (const std::string& name : problems) {
    const Scenario scenario = read_scenario(name);
    const scenarios::Instance instance(scenario, 1);
    sim::Workspace workspace;
    for (std::uint64_t draw = 0; draw < draws_asked(5); ++draw) {
      SCOPED_TRACE(name + ", draw " + std::to_string(draw));
      const sim::Plan plan = drawn_plan(scenario, draw);
      const WhatIf what_if = datasets::what_if(instance, plan, 2);
      for (const Advice& advice : what_if.advice) {
        const PlanOutcome& outcome = advice.judged.outcome;
        EXPECT_EQ(outcome.truth, instance.true_value(advice.judged.change.plan, workspace));
        EXPECT_TRUE(scenario.space.from_plan(advice.judged.change.plan).in_space());
        EXPECT_EQ(outcome.status, sim::StepStatus::ok);
        const bool frees =
            advice.kind == AdviceKind::frees_for_nothing || advice.kind == AdviceKind::frees_most;
        if (!frees) continue;
        EXPECT_LT(outcome.demand(), what_if.now.demand());
        if (advice.kind != AdviceKind::frees_most) continue;
        for (const JudgedChange& other : what_if.singles) {
          const bool counts = what_if.now.has_value() ? other.outcome.has_value()
                                                      : other.outcome.status == sim::StepStatus::ok;
          if (!counts) continue;
          EXPECT_GE(other.outcome.demand(), outcome.demand());
        }
      }
    }
  }
}

TEST(WhatIf, RanksSinglesAndLeavesNoneOut) {
  const Scenario scenario = read_scenario("llama3-405b");
  const scenarios::Instance instance(scenario, 0);
  const WhatIf what_if = datasets::what_if(instance, scenario.baseline, 1);
  EXPECT_EQ(what_if.singles.size(),
            PlanChanges(scenario.space, scenario.baseline).singles().size());
  for (std::size_t i = 1; i < what_if.singles.size(); ++i) {
    EXPECT_FALSE(is_better(what_if.singles[i].outcome, what_if.singles[i - 1].outcome,
                           scenario.objective.direction));
  }
}

TEST(WhatIf, IsTheSameOnAnyNumberOfThreads) {
  const Scenario scenario = read_scenario("ads-73b");
  const scenarios::Instance instance(scenario, 0);
  const auto told = [&](int threads) {
    std::vector<double> numbers;
    const WhatIf what_if = datasets::what_if(instance, scenario.baseline, threads, 500);
    for (const JudgedChange& one : what_if.singles) numbers.push_back(one.outcome.truth.value);
    for (const Advice& one : what_if.advice) {
      numbers.push_back(static_cast<double>(one.kind));
      numbers.push_back(one.judged.outcome.step.value);
    }
    return numbers;
  };
  EXPECT_EQ(told(1), told(2));
  EXPECT_EQ(told(1), told(8));
}

// With room for ten pairs the five best single changes, which activate nothing, are paired:
// 0 + 1 + 2 + 3 + 4 = 10.
TEST(WhatIf, PairsOfTheBestChangesWhereAllAreTooMany) {
  const Scenario scenario = read_scenario("ads-73b");
  const scenarios::Instance instance(scenario, 0);
  const WhatIf what_if = datasets::what_if(instance, scenario.baseline, 1, 10);
  EXPECT_EQ(what_if.searched.firsts, 5U);
  EXPECT_GT(what_if.searched.singles, 5U);
  EXPECT_LE(what_if.searched.pairs, 10U);
}

TEST(WhatIf, SaysWhatMakesAPlanFit) {
  const std::vector<std::string> sets{"workload.sequence=32768"};
  const Scenario scenario = scenarios::read_scenario("llama3-405b", sets);
  const scenarios::Instance instance(scenario, 0);
  const WhatIf what_if = datasets::what_if(instance, scenario.baseline, 1);
  ASSERT_NE(what_if.now.status, sim::StepStatus::ok);
  const JudgedChange* fits =
      advice_of(what_if, {AdviceKind::makes_it_fit, AdviceKind::pair_makes_it_fit});
  ASSERT_NE(fits, nullptr);
  EXPECT_EQ(fits->outcome.status, sim::StepStatus::ok);
  EXPECT_LE(fits->outcome.demand(), fits->outcome.memory.capacity);
}

// Outside the space by the batch alone: what --set allows is simulated all the same.
TEST(WhatIf, ChangesAPlanOutsideTheSpace) {
  const std::vector<std::string> sets{"global_batch=4096"};
  const Scenario scenario = scenarios::read_scenario("llama3-405b", sets);
  ASSERT_FALSE(scenario.space.from_plan(scenario.baseline).in_space());
  const scenarios::Instance instance(scenario, 0);
  const WhatIf what_if = datasets::what_if(instance, scenario.baseline, 1);
  EXPECT_NE(advice_of(what_if, {AdviceKind::best_change}), nullptr);
}

}  // namespace
}  // namespace cubicbench::datasets
