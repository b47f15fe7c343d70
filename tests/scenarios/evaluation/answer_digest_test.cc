// What the simulator says of random configurations of every scenario, to the twelfth digit: a
// change that should move no answer moves no digest, and one that should says which.
#include <gtest/gtest.h>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "scenarios/catalog.h"
#include "scenarios/evaluation/evaluate.h"
#include "scenarios/evaluation/itemised_step.h"
#include "scenarios/evaluation/stage_replay.h"
#include "scenarios/readers/scenario_reader.h"
#include "sim/base/units.h"
#include "support/sha256.h"
#include "tests/golden_files.h"
#include "tests/scenarios/scenario_suite.h"

namespace cubicbench::scenarios {
namespace {

constexpr std::uint64_t seed = 30;
constexpr std::uint64_t drawn = 300;
constexpr int replayed = 20;  ///< of those that are valid, on either end of the pipeline
constexpr int itemised = 40;  ///< of those that fit
constexpr int played = 2;     ///< of those, by the event engine

/// A digest of numbers.
class Digest {
 public:
  void add(double number) {
    char shown[32];
    const auto end = std::to_chars(shown, std::end(shown), number, std::chars_format::general, 12);
    *end.ptr = '\n';
    sha_.add({shown, end.ptr + 1});
  }
  void add(sim::Seconds time) { add(time.value); }
  void add(sim::Bytes bytes) { add(bytes.value); }
  void add(sim::Flops flops) { add(flops.value); }
  template <class Range>
  void add_all(const Range& range) {
    for (const auto& element : range) add(element);
  }

  std::string text() const { return sha_.hex().substr(0, 12); }

 private:
  support::Sha256 sha_;
};

void add_memory(Digest& digest, const sim::MemoryReport& memory) {
  digest.add_all(memory.parts);
  digest.add_all(std::vector{memory.allocated, memory.demand, memory.demand_at_start,
                             memory.reserved, memory.capacity});
  digest.add(static_cast<double>(memory.stage));
  digest.add(static_cast<double>(memory.moment));
}

void add_time(Digest& digest, const sim::StepReport& report) {
  digest.add(report.step);
  digest.add_all(report.parts);
  digest.add(report.micro_batches);
}

void add_items(Digest& digest, const sim::ItemisedStep& step) {
  digest.add_all(step.terms);
  digest.add(static_cast<double>(step.stage));
  for (const sim::Transmission& sent : step.transmissions) {
    digest.add(sent.count);
    digest.add(sent.bytes);
    digest.add(sent.time);
    digest.add(sent.cost.time);
  }
  for (const sim::KernelSum& kernels : step.kernels) {
    digest.add(kernels.count);
    digest.add(kernels.work);
    digest.add(kernels.traffic);
    digest.add(kernels.time);
    digest.add(kernels.compute);
    digest.add(kernels.memory);
  }
}

class AnswerDigest : public testing::TestWithParam<std::string> {
 protected:
  AnswerDigest() {
    Configuration configuration(scenario_.space.size());
    for (std::uint64_t draw = 0; draw < drawn; ++draw) {
      scenario_.space.sample(seed, draw, configuration);
      plans_.push_back(scenario_.settings);
      scenario_.space.apply(configuration, plans_.back());
    }
  }

  const Scenario scenario_ = read_scenario(GetParam());
  std::vector<sim::Plan> plans_;
  sim::Workspace workspace_;
};

TEST_P(AnswerDigest, IsThatOfTheGolden) {
  Digest time;
  Digest memory;
  Digest replay;
  Digest items;
  Digest events;
  int valid = 0;
  int fit = 0;
  for (const sim::Plan& plan : plans_) {
    const sim::StepReport report = evaluate(scenario_, plan, workspace_);
    if (report.status == sim::StepStatus::invalid) continue;
    add_memory(memory, report.memory);
    if (valid++ < replayed) {
      for (const auto choice : {sim::StageChoice::first, sim::StageChoice::largest}) {
        const auto of_stage =
            replay_stage(scenario_, plan, choice, StageExchange::runs_ahead, workspace_);
        if (!of_stage) continue;
        replay.add(of_stage->reserved.value_or(sim::Bytes{}));
        replay.add(of_stage->allocated);
      }
    }
    if (report.status != sim::StepStatus::ok) continue;
    add_time(time, report);
    if (fit++ < itemised) add_items(items, itemised_step(scenario_, plan, workspace_));
    if (fit > played) continue;
    const sim::EventReport event = play(scenario_, plan, {}, workspace_);
    add_time(events, event.step);
    events.add(event.peak);
    events.add(static_cast<double>(event.counts.events));
  }
  EXPECT_GT(fit, 0);
  expect_golden("answers/" + GetParam() + ".txt",
                std::to_string(valid) + " valid, " + std::to_string(fit) + " fit\nmemory " +
                    memory.text() + "\nreplay " + replay.text() + "\ntime   " + time.text() +
                    "\nitems  " + items.text() + "\nevents " + events.text() + "\n");
}

INSTANTIATE_TEST_SUITE_P(Library, AnswerDigest, testing::ValuesIn(model_scenarios()),
                         name_in_suite);

}  // namespace
}  // namespace cubicbench::scenarios
