#include "results/sweep/sweep_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "results/document/csv.h"
#include "results/document/html.h"
#include "results/document/terminal.h"
#include "results/sweep/sweep_figure.h"
#include "tests/results/well_formed.h"

namespace cubicbench::results {
namespace {

using scenarios::Reason;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::ordered_json;

constexpr double gib = 1024.0 * 1024.0 * 1024.0;

SweepPoint running(double rate) {
  return {.status = "ok",
          .in_space = true,
          .step_time_s = 1000.0 / rate,
          .objective = rate,
          .mfu = rate / 10'000.0,
          .bound_by = sim::StepPart::gemm,
          .memory_bytes = 40.0 * gib,
          .capacity_bytes = 75.0 * gib};
}

SweepPoint failing(const char* status, Reason reason, const char* why) {
  return {.status = status, .reason = reason, .why = why};
}

/// Two values down and three across, of which two do not run; a third axis is the same everywhere.
Sweep example() {
  SweepPoint full = failing("oom_late", Reason::oom_late, "stage 0 needs too much");
  full.memory_bytes = 90.0 * gib;
  full.capacity_bytes = 75.0 * gib;
  return {.asked = {.scenario = "made-up",
                    .axes = {{"micro_batch", {"1", "2"}},
                             {"sharding", {"full_shard"}},
                             {"tensor_parallel", {"1", "2", "8"}}}},
          .scenario = "made-up",
          .objective = {.metric = scenarios::Metric::tokens_per_s},
          .points = {running(1000.0), running(1500.0), running(1250.0), full, running(4000.0),
                     failing("invalid", Reason::invalid, "8 is too many")}};
}

TEST(SweepDocument, HasAGridOfTwoAxes) {
  const std::string text = terminal_text(sweep_document(example(), {.scenario = "made-up"}));
  EXPECT_THAT(text, HasSubstr("made-up: 6 points of micro_batch (2) x tensor_parallel (3), all "
                              "with\nsharding=full_shard."));
  EXPECT_THAT(text, HasSubstr("micro_batch        1        2        8\n"
                              "1            1.000 k  1.500 k  1.250 k\n"
                              "2                OOM  4.000 k  invalid\n"));
  EXPECT_THAT(text, HasSubstr("2 of 6 points do not run: 1 out of memory, 1 invalid."));
  EXPECT_THAT(text, HasSubstr("Best: micro_batch=2 tensor_parallel=2, with 4.000 k tokens/s, "));
  EXPECT_THAT(text, HasSubstr("cubicbench simulate made-up --set micro_batch=2 --set "
                              "sharding=full_shard --set tensor_parallel=2\n"));
  EXPECT_THAT(text, HasSubstr("out of memory: stage 0 needs too much"));
}

TEST(SweepDocument, HasARowPerPointOfOneAxis) {
  Sweep sweep = example();
  sweep.asked.axes = {{"tensor_parallel", {"1", "2", "8"}}};
  sweep.points.erase(sweep.points.begin(), sweep.points.begin() + 3);
  const std::string text = terminal_text(sweep_document(sweep, {.scenario = "made-up"}));
  EXPECT_THAT(text, HasSubstr("made-up: 3 values of tensor_parallel."));
  EXPECT_THAT(text, HasSubstr("250.0 ms   4.000 k  40%   40.00  matrix products\n"));
  EXPECT_THAT(text, HasSubstr("invalid: 8 is too many"));
  EXPECT_THAT(text, Not(HasSubstr("why it does not run\n1 ")));
}

TEST(SweepDocument, WhereLessIsBetterTheLeastIsBest) {
  Sweep sweep = example();
  EXPECT_EQ(best_point(sweep), 4U);
  sweep.objective.direction = scenarios::Direction::minimize;
  EXPECT_EQ(best_point(sweep), 0U);
  for (SweepPoint& point : sweep.points) point = failing("invalid", Reason::invalid, "no");
  EXPECT_EQ(best_point(sweep), std::nullopt);
  const std::string text = terminal_text(sweep_document(sweep, {.scenario = "made-up"}));
  EXPECT_THAT(text, HasSubstr("6 of 6 points do not run: 6 invalid."));
  EXPECT_THAT(text, Not(HasSubstr("Best")));
}

TEST(SweepDocument, JsonIsAsTheContractHasIt) {
  const Json document = sweep_json(example());
  EXPECT_EQ(document["schema"], "cubicbench.sweep/1");
  EXPECT_EQ(document["axes"][2], Json({{"name", "tensor_parallel"}, {"values", {1, 2, 8}}}));
  ASSERT_EQ(document["points"].size(), 6U);
  const Json& best = document["points"][4];
  EXPECT_EQ(best["set"].dump(), R"({"micro_batch":2,"sharding":"full_shard","tensor_parallel":2})");
  EXPECT_EQ(best["status"], "ok");
  EXPECT_EQ(best["why"], nullptr);
  EXPECT_EQ(best["step_time_s"], 0.25);
  EXPECT_EQ(best["objective"], 4000.0);
  EXPECT_EQ(best["memory_bytes"], 40LL << 30);
  EXPECT_EQ(document["points"][3]["memory_bytes"], 90LL << 30);
  EXPECT_EQ(document["points"][3]["objective"], nullptr);
  EXPECT_EQ(document["points"][5]["memory_bytes"], nullptr);
}

TEST(SweepDocument, TheTableHasEveryPoint) {
  const std::string csv = csv_of(point_table(example()));
  EXPECT_THAT(csv,
              HasSubstr("micro_batch,sharding,tensor_parallel,status,reason,in_space,"
                        "step_time_s,objective,mfu,bound_by,memory_bytes,capacity_bytes,why\n"));
  EXPECT_THAT(csv, HasSubstr("2,full_shard,8,invalid,invalid,0,,,,,,,8 is too many\n"));
}

TEST(SweepFigure, HasALinePerValueAndMarksWhatFails) {
  const std::vector<Drawing> drawings = sweep_drawings(example());
  ASSERT_EQ(drawings.size(), 2U);
  const Figure& objective = drawings.front().figure;
  std::vector<std::string> labels;
  for (const Series& series : objective.series) {
    if (!series.label.empty()) labels.push_back(series.label);
  }
  EXPECT_EQ(labels, (std::vector<std::string>{"tensor_parallel=1", "tensor_parallel=2",
                                              "tensor_parallel=8"}));
  ASSERT_EQ(objective.strip.size(), 3U);
  // Of the first line the second point is out of memory, of the last one invalid.
  std::size_t marks = 0;
  for (const Series& series : objective.strip[0].series) {
    marks += series.points.size();
    for (const FigurePoint& point : series.points) EXPECT_EQ(point.x, 2.0);
  }
  EXPECT_EQ(marks, 1U);
  EXPECT_EQ(drawings.back().figure.levels.front().label, "capacity");
  EXPECT_EQ(drawings.back().figure.levels.front().y, 75.0);
  const Page page = page_of(sweep_document(example(), {.scenario = "made-up"}, "cubicbench sweep"));
  EXPECT_EQ(xml_problem(page.html), "");
}

TEST(SweepFigure, IsLeftOutWhereNothingVariesOrLinesAreTooMany) {
  Sweep sweep = example();
  sweep.asked.axes = {{"micro_batch", {"1"}}};
  sweep.points.resize(1);
  EXPECT_TRUE(sweep_drawings(sweep).empty());
  SweepAxis many{"tensor_parallel", {}};
  for (int i = 1; i <= 25; ++i) many.values.push_back(std::to_string(i));
  sweep.asked.axes = {{"micro_batch", {"1", "2"}}, many};
  sweep.points.assign(50, running(1.0));
  EXPECT_TRUE(sweep_drawings(sweep).empty());
  sweep.asked.axes.back().values.pop_back();
  sweep.points.resize(48);
  EXPECT_EQ(sweep_drawings(sweep).size(), 2U);
}

}  // namespace
}  // namespace cubicbench::results
