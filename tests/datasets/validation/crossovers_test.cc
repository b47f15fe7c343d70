#include "datasets/validation/crossovers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/datasets/validation/made_up_validation.h"

namespace cubicbench::datasets {
namespace {

constexpr double mebibyte = 0x1p20;

/// The lesser of two lines that meet at `crossing` bytes.
double time_of(double size, double crossing) {
  return std::min(20e-6 + size / 10e9, 20e-6 + crossing * (1 / 10e9 - 1 / 200e9) + size / 200e9);
}

/// A curve measured to change at one size and simulated to change at another.
void add_curve(Validation& validation, const std::string& group, double measured,
               double simulated) {
  for (double size = 1024.0; size <= 1024.0 * mebibyte; size *= 2.0) {
    ValidatedRow row =
        made_up_collective("c", size, time_of(size, measured), time_of(size, simulated));
    row.group = group;
    validation.rows.push_back(row);
  }
}

TEST(Crossovers, AreOfCurvesWithTwoRegimes) {
  Validation validation;
  add_curve(validation, "first", 2.0 * mebibyte, 8.0 * mebibyte);
  add_curve(validation, "second", 4.0 * mebibyte, 3.0 * mebibyte);
  validation.rows.push_back(made_up_run("a run", "runs", "g", 1.0, 1.0));
  const std::vector<Crossover> found = crossovers_of(validation);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].source, "nccl");
  EXPECT_EQ(found[0].system, "cluster");
  EXPECT_EQ(found[0].collective, "all_reduce");
  EXPECT_EQ(found[0].gpus, 8);
  EXPECT_NEAR(found[0].measured, 2.0 * mebibyte, 1.0);
  EXPECT_NEAR(found[0].simulated.value(), 8.0 * mebibyte, 1.0);
  EXPECT_NEAR(factor_of(found[0]).value(), 4.0, 1e-3);
  EXPECT_NEAR(factor_of(found[1]).value(), 4.0 / 3.0, 1e-3);
  const CrossoverSummary summary = summary_of(found);
  EXPECT_EQ(summary.n, 2);
  EXPECT_EQ(summary.within, 0.5);
  EXPECT_NEAR(summary.median_factor.value(), (4.0 + 4.0 / 3.0) / 2.0, 1e-3);
}

TEST(Crossovers, ACurveWithoutTwoRegimesHasNone) {
  Validation validation;
  add_curve(validation, "one line", 1e-3, 2.0 * mebibyte);  // below all sizes
  EXPECT_TRUE(crossovers_of(validation).empty());
  Validation pairs;
  add_curve(pairs, "pairs", 2.0 * mebibyte, 2.0 * mebibyte);
  for (ValidatedRow& row : pairs.rows) row.collective = "sendrecv";
  EXPECT_TRUE(crossovers_of(pairs).empty());
  Validation few;
  add_curve(few, "few", 2.0 * mebibyte, 2.0 * mebibyte);
  few.rows.resize(7);
  EXPECT_TRUE(crossovers_of(few).empty());
}

TEST(Crossovers, OneThatIsNotSimulatedIsOutsideAnyFactor) {
  Validation validation;
  add_curve(validation, "one", 2.0 * mebibyte, 2.0 * mebibyte);
  for (ValidatedRow& row : validation.rows) row.step_time_simulated = row.size_bytes / 1e11;
  const std::vector<Crossover> found = crossovers_of(validation);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_FALSE(found[0].simulated);
  EXPECT_FALSE(factor_of(found[0]));
  EXPECT_EQ(summary_of(found).within, 0.0);
  EXPECT_FALSE(summary_of(found).median_factor);
}

TEST(Crossovers, TheFurthestOffComesFirst) {
  const auto of = [](double measured, std::optional<double> simulated) {
    return Crossover{.source = {},
                     .system = {},
                     .collective = {},
                     .gpus = 8,
                     .measured = measured,
                     .simulated = simulated};
  };
  const auto sorted = worst_first({of(2.0, 1.0), of(3.0, std::nullopt), of(1.0, 5.0)});
  EXPECT_EQ(sorted[0].measured, 3.0);
  EXPECT_EQ(sorted[1].measured, 1.0);
  EXPECT_EQ(sorted[2].measured, 2.0);
}

}  // namespace
}  // namespace cubicbench::datasets
