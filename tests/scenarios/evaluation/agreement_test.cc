// The closed forms of the analytical engine against the event engine, which plays the same step
// pass by pass and collective by collective. Nothing shares a link here: what contention adds is
// the event engine's own.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/catalog.h"
#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/description_reader.h"
#include "scenarios/readers/scenario_reader.h"
#include "sim/engine/event/event_engine.h"
#include "sim/plan/validity.h"
#include "tests/draws_asked.h"
#include "tests/scenarios/scenario_suite.h"

namespace cubicbench::scenarios {
namespace {

// Of random configurations a few lie where the closed forms leave out what the longest path does
// between chunks of a pipeline (docs/models.md, section P): less than 3 % of a thousand.
constexpr double close = 0.01;
/// Of a full interleaved pipeline without a spare micro-batch: its longest path goes on from chunk
/// to chunk, and the closed form of unequal stages leaves out what it waits for there.
constexpr double close_without_spare = 0.015;
constexpr double most = 0.97;
constexpr std::size_t outside = 2;  ///< besides, of however few
constexpr double widest = 0.04;  ///< units of several layers in chunks of few, or in a V of stages
// Of 400 drawn in each space of a model with experts 97 % lie within 1 %, and one parts by more
// than 5 %: FSDP units beside copies to the host between chunks.
constexpr double most_with_experts = 0.97;
constexpr double widest_with_experts = 0.085;
constexpr std::uint64_t seed = 20;

std::size_t configurations() { return draws_asked(40); }

class Agreement : public testing::TestWithParam<std::string> {
 protected:
  /// How much longer the event engine says that a step takes; NaN where it does not fit.
  double difference(const sim::Plan& plan) {
    const sim::StepReport closed = evaluate(scenario_, plan, workspace_);
    if (closed.status != sim::StepStatus::ok) return std::nan("");
    sim::EventOptions options;
    options.contention = false;
    const sim::EventReport played = sim::play(scenario_.workload, plan, scenario_.cluster,
                                              scenario_.stack, options, workspace_);
    return played.step.step.value / closed.step.value - 1.0;
  }

  bool has_experts() const {
    const auto* model = std::get_if<sim::Transformer>(&scenario_.workload);
    return model != nullptr && sim::has_experts(*model);
  }

  const Scenario scenario_ = read_scenario(GetParam());
  sim::Workspace workspace_;
};

TEST_P(Agreement, OfTheBaseline) {
  const sim::Plan& plan = scenario_.baseline;
  const bool lacks_spare = plan.schedule == sim::Schedule::interleaved &&
                           plan.global_batch == plan.pipeline_parallel * plan.micro_batch *
                                                    sim::data_parallel(plan, scenario_.cluster);
  EXPECT_NEAR(difference(plan), 0.0, lacks_spare ? close_without_spare : close);
}

TEST_P(Agreement, OfRandomConfigurations) {
  const std::size_t wanted = configurations();
  Configuration drawn(scenario_.space.size());
  sim::Plan plan = scenario_.settings;
  std::size_t tried = 0;
  std::size_t agree = 0;
  for (std::uint64_t draw = 0; tried < wanted && draw < 100 * wanted; ++draw) {
    scenario_.space.sample(seed, draw, drawn);
    scenario_.space.apply(drawn, plan);
    const double found = difference(plan);
    if (std::isnan(found)) continue;
    ++tried;
    if (std::abs(found) <= close) ++agree;
    EXPECT_LE(std::abs(found), has_experts() ? widest_with_experts : widest)
        << "seed " << seed << ", draw " << draw << ": "
        << testing::PrintToString(config_text(scenario_.space, drawn));
  }
  EXPECT_EQ(tried, wanted);
  const double share = has_experts() ? most_with_experts : most;
  EXPECT_GE(agree + outside,
            static_cast<std::size_t>(std::ceil(share * static_cast<double>(tried))));
}

// Traffic slows the passes beside it; where these are the first or last of a pipeline of chunks,
// part of that time is bubble in the event engine, and is not in the closed form.
constexpr double most_by_laws = 0.8;
constexpr double widest_by_laws = 0.04;

/// Stacks that count kernels, on a model of each kind of plan.
class AgreementByLaws : public testing::TestWithParam<std::string> {};

TEST_P(AgreementByLaws, OfRandomConfigurations) {
  for (const char* const name : {"llama3-8b", "llama3-405b", "gpt3-175b"}) {
    SCOPED_TRACE(name);
    Scenario scenario = read_scenario(name);
    std::vector<support::Problem> problems;
    scenario.stack = read_stack(find_document(Kind::stack, GetParam(), "", name), problems);
    ASSERT_TRUE(problems.empty());
    sim::Workspace workspace;
    Configuration drawn(scenario.space.size());
    sim::Plan plan = scenario.settings;
    std::size_t tried = 0;
    std::size_t agree = 0;
    for (std::uint64_t draw = 0; tried < configurations() && draw < 4000; ++draw) {
      scenario.space.sample(seed, draw, drawn);
      scenario.space.apply(drawn, plan);
      const sim::StepReport closed = evaluate(scenario, plan, workspace);
      if (closed.status != sim::StepStatus::ok) continue;
      sim::EventOptions options;
      options.contention = false;
      const sim::EventReport played =
          sim::play(scenario.workload, plan, scenario.cluster, scenario.stack, options, workspace);
      const double found = played.step.step.value / closed.step.value - 1.0;
      ++tried;
      if (std::abs(found) <= close) ++agree;
      EXPECT_LE(std::abs(found), widest_by_laws) << "draw " << draw;
    }
    EXPECT_EQ(tried, configurations());
    EXPECT_GE(agree + outside,
              static_cast<std::size_t>(std::ceil(most_by_laws * static_cast<double>(tried))));
  }
}

INSTANTIATE_TEST_SUITE_P(Stacks, AgreementByLaws,
                         testing::Values("megatron", "pytorch-eager", "pytorch-compiled"),
                         name_in_suite);

INSTANTIATE_TEST_SUITE_P(Library, Agreement, testing::ValuesIn(model_scenarios()), name_in_suite);

}  // namespace
}  // namespace cubicbench::scenarios
