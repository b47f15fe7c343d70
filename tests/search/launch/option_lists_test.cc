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

/// `--name` of `--name=value`; "" of what is no option.
std::string option_in(const std::string& word) {
  return word.starts_with("--") ? word.substr(0, word.find('=')) : "";
}

/// What stands around the options of the plan: torchrun's, then the trainer's own.
TEST(OptionLists, HoldWhatStartsAndChecksARun) {
  const OptionList torchrun("torchrun-fsdp2@2");
  for (const Launcher& launcher : launchers()) {
    SCOPED_TRACE(launcher.name());
    const bool ads = launcher.trains(scenarios::WorkloadKind::recommendation);
    const Scenario scenario = scenarios::read_scenario(ads ? "ads-73b" : "tiny-llama");
    const ProgramCall call = program_call(launcher, scenario, scenario.baseline, "", "test");
    const OptionList list(launcher.name());
    ASSERT_EQ(call.start.size(), 5U);
    EXPECT_TRUE(torchrun.has(call.start[1])) << call.start[1];
    EXPECT_TRUE(torchrun.has(call.start[3])) << call.start[3];
    std::vector<std::string> words(call.command.begin() + 5, call.command.end());
    words.insert(words.end(), call.dry_run.begin(), call.dry_run.end());
    for (const std::string& word : words) {
      EXPECT_TRUE(option_in(word).empty() || list.has(option_in(word))) << word;
    }
  }
}

}  // namespace
}  // namespace cubicbench::search
