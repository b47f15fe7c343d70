// Every option that a launcher emits is one of its release, with a value that it takes.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/catalog.h"
#include "scenarios/readers/scenario_reader.h"
#include "search/launch/program_call.h"
#include "sim/base/philox.h"
#include "tests/draws_asked.h"
#include "tests/search/launch/option_list.h"

namespace cubicbench::search {
namespace {

using scenarios::Scenario;
using scenarios::Setting;

/// All scenarios of the library that are simulated.
std::vector<Scenario> library() {
  std::vector<Scenario> all;
  for (const scenarios::Entry& entry : scenarios::names(scenarios::Kind::scenario)) {
    try {
      all.push_back(scenarios::read_scenario(entry.name));
    } catch (const support::InputError&) {
      continue;  // a table of runs, which has no plan
    }
  }
  return all;
}

/// A legal value of every setting: small numbers, so that divisions often have no rest.
sim::Plan wild_plan(const Scenario& scenario, std::uint64_t draw) {
  sim::Plan plan = scenario.baseline;
  for (const Setting& setting : scenarios::settings()) {
    const std::uint64_t dice = sim::mix(draw * 64 + scenarios::index_of(setting));
    if (dice % 3 == 0 || setting.name == "data_parallel") continue;
    const bool is_name = setting.kind == scenarios::SettingKind::choice;
    const std::int64_t most = is_name ? setting.max : std::min<std::int64_t>(setting.max, 16);
    const std::int64_t span = most - setting.min + 1;
    setting.apply(plan, setting.min + static_cast<std::int64_t>(dice / 3) % span);
  }
  return plan;
}

void expect_known(const OptionList& list, const ProgramCall& call) {
  for (const SpokenOption& option : call.options) {
    ASSERT_TRUE(list.has(option.name)) << option.name;
    if (option.value) {
      EXPECT_TRUE(list.takes(option.name, *option.value)) << option.name << " " << *option.value;
    }
  }
}

TEST(OptionLists, HoldAllThatIsEmittedOfRandomPlans) {
  const std::uint64_t draws = draws_asked(200);
  const std::vector<Scenario> scenarios = library();
  std::size_t seen = 0;
  for (const Launcher& launcher : launchers()) {
    SCOPED_TRACE(launcher.name());
    const OptionList list(launcher.name());
    for (const Scenario& scenario : scenarios) {
      if (!launcher.trains(scenario.space.facts().kind)) continue;
      SCOPED_TRACE(scenario.name);
      std::vector<std::int64_t> configuration(scenario.space.size());
      for (std::uint64_t draw = 0; draw < draws; ++draw) {
        sim::Plan drawn;
        scenario.space.sample(7, draw, configuration);
        scenario.space.apply(configuration, drawn);
        for (const sim::Plan& plan : {drawn, wild_plan(scenario, draw)}) {
          const ProgramCall call = program_call(launcher, scenario, plan, "", "test");
          expect_known(list, call);
          if (HasFatalFailure()) return;
          seen += call.options.size();
        }
      }
    }
  }
  EXPECT_GT(seen, 100 * draws) << "each launcher was asked";
}

/// The cases that no random plan meets, too.
TEST(OptionLists, HoldEveryOptionOfTheData) {
  for (const Launcher& launcher : launchers()) {
    SCOPED_TRACE(launcher.name());
    const OptionList list(launcher.name());
    EXPECT_GT(list.size(), 30U);
    for (const LaunchRule& rule : launcher.rules) {
      for (const LaunchCase& one : rule.cases) {
        for (const LaunchOption& option : one.options) {
          EXPECT_TRUE(list.has(option.name)) << option.name;
        }
      }
    }
  }
}

TEST(OptionLists, HoldWhatStartsTheProcesses) {
  const Scenario scenario = scenarios::read_scenario("tiny-llama");
  const OptionList torchrun("torchrun-fsdp2@2");
  for (const Launcher& launcher : launchers()) {
    EXPECT_EQ(start_words(launcher, scenario, scenario.baseline).size(), 4U) << launcher.name();
    for (const std::string& word : start_words(launcher, scenario, scenario.baseline)) {
      EXPECT_TRUE(!word.starts_with("--") || torchrun.has(word)) << word;
    }
  }
}

}  // namespace
}  // namespace cubicbench::search
