#include "results/simulation/step_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/document/terminal.h"
#include "results/simulation/part_names.h"
#include "results/simulation/simulation_document.h"
#include "scenarios/readers/scenario_reader.h"

namespace cubicbench::results {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(StepWords, EveryPartOfAStepHasAMeaning) {
  for (std::size_t i = 0; i < sim::step_part_count; ++i) {
    const std::string_view label = label_of(static_cast<sim::StepPart>(i));
    EXPECT_NE(meaning_of_word(label), "") << label;
  }
  for (std::size_t i = 0; i < sim::memory_part_count; ++i) {
    const std::string_view label = label_of(static_cast<sim::MemoryPart>(i));
    EXPECT_NE(meaning_of_word(label), "") << label;
  }
  EXPECT_EQ(meaning_of_word("summary"), "");
}

std::string words_after(const std::vector<std::string>& sets) {
  const scenarios::Scenario scenario = scenarios::read_scenario("tiny-llama", sets);
  return terminal_text(words_of(simulation_document(simulate(scenario, sets))));
}

TEST(StepWords, OnlyThoseThatAreUsedAreExplained) {
  const std::string runs = words_after({});
  for (const char* const word :
       {"- MFU:", "- demand:", "- reserved:", "- headroom:", "- replay:"}) {
    EXPECT_THAT(runs, HasSubstr(word));
  }
  EXPECT_THAT(runs, Not(HasSubstr("- embedding tables:")));
  EXPECT_THAT(runs, Not(HasSubstr("- result:")));
  const std::string invalid = words_after({"tensor_parallel=3"});
  EXPECT_THAT(invalid, HasSubstr("- result:"));
  EXPECT_THAT(invalid, Not(HasSubstr("- demand:")));
}

}  // namespace
}  // namespace cubicbench::results
