#include "predictor/neural/mlp_ensemble.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "predictor/learners/registry.h"
#include "sim/base/philox.h"
#include "support/statistics/correlation.h"

namespace cubicbench::predictor {
namespace {

using datasets::Column;
using datasets::ColumnKind;

/// Rows of two numbers and a category, and a value that neither one alone explains.
struct Sample {
  static std::vector<Column> columns() {
    return {{.name = "x"},
            {.name = "y"},
            {.name = "kind", .kind = ColumnKind::category, .levels = {"a", "b", "c", "d"}}};
  }

  explicit Sample(std::size_t rows, std::uint64_t seed) {
    for (std::size_t i = 0; i < rows; ++i) {
      const auto draw = [&](std::uint32_t number) {
        return sim::uniform({.seed = seed, .entity = i, .draw = number});
      };
      const double x = 2.0 * draw(0) - 1.0;
      const double y = 2.0 * draw(1) - 1.0;
      const double kind = std::floor(4.0 * draw(2));
      cells.insert(cells.end(), {x, y, kind});
      targets.push_back(x * y + std::abs(x) + (kind == 2.0 ? 1.0 : 0.3 * kind));
    }
  }

  std::size_t rows() const { return targets.size(); }

  std::vector<double> cells;
  std::vector<double> targets;
};

MlpEnsemble fitted(const Sample& sample, const MlpOptions& options) {
  return {Sample::columns(), sample.cells, sample.targets, options};
}

TEST(MlpEnsemble, LearnsToOrderRowsAndToSayTheirValue) {
  const Sample train(150, 1);
  const Sample test(300, 2);
  for (const MlpLoss loss : {MlpLoss::ranking, MlpLoss::squared}) {
    SCOPED_TRACE(static_cast<int>(loss));
    const MlpEnsemble ensemble = fitted(train, {.loss = loss});
    const std::vector<double> predicted = ensemble.predict(test.cells, test.rows());
    EXPECT_GT(support::kendall_tau_b(predicted, test.targets), 0.85);
    if (loss == MlpLoss::ranking) continue;
    double error = 0.0;
    for (std::size_t i = 0; i < test.rows(); ++i) error += std::abs(predicted[i] - test.targets[i]);
    EXPECT_LT(error / static_cast<double>(test.rows()), 0.1);  // of a range from -0.3 to 3
  }
}

TEST(MlpEnsemble, LearnsWhatIsLikely) {
  Sample train(300, 3);
  Sample test(300, 4);
  for (double& target : train.targets) target = target > 0.8 ? 1.0 : 0.0;
  const MlpEnsemble ensemble = fitted(train, {.loss = MlpLoss::logistic, .members = 3});
  const std::vector<double> chance = ensemble.predict(test.cells, test.rows());
  int right = 0;
  for (std::size_t i = 0; i < test.rows(); ++i) {
    ASSERT_GE(chance[i], 0.0);
    ASSERT_LE(chance[i], 1.0);
    right += (chance[i] > 0.5) == (test.targets[i] > 0.8) ? 1 : 0;
  }
  EXPECT_GT(right, 270);
}

TEST(MlpEnsemble, OrderAloneCountsWhereItIsTrainedOnOrder) {
  // Another scale keeps every order, and standardising takes it away.
  const Sample train(60, 5);
  Sample scaled = train;
  for (double& target : scaled.targets) target = 4.0 * target - 8.0;
  const Sample test(40, 6);
  const MlpOptions options{.members = 2, .epochs = 10};
  EXPECT_EQ(fitted(train, options).predict(test.cells, test.rows()),
            fitted(scaled, options).predict(test.cells, test.rows()));
}

TEST(MlpEnsemble, IsAFunctionOfItsSeedAndAverageOfItsMembers) {
  const Sample train(40, 7);
  const Sample test(50, 8);
  const MlpOptions options{.members = 3, .epochs = 5, .seed = 9};
  const MlpEnsemble ensemble = fitted(train, options);
  const std::vector<double> once = ensemble.predict(test.cells, test.rows());
  EXPECT_EQ(fitted(train, options).predict(test.cells, test.rows()), once);
  MlpOptions other = options;
  other.seed = 10;
  EXPECT_NE(fitted(train, other).predict(test.cells, test.rows()), once);
  std::vector<std::vector<double>> each;
  for (std::size_t m = 0; m < 3; ++m) {
    each.push_back(ensemble.predict(test.cells, test.rows(), m, 1));
  }
  EXPECT_NE(each[0], each[1]);
  for (std::size_t i = 0; i < test.rows(); ++i) {
    EXPECT_NEAR(once[i], (each[0][i] + each[1][i] + each[2][i]) / 3.0, 1e-12);
  }
}

TEST(MlpEnsemble, RowsDoNotInfluenceEachOther) {
  const Sample train(40, 7);
  const Sample test(77, 8);
  const MlpEnsemble ensemble = fitted(train, {.members = 2, .epochs = 5});
  const std::vector<double> together = ensemble.predict(test.cells, test.rows());
  for (std::size_t i = 0; i < test.rows(); ++i) {
    EXPECT_EQ(ensemble.predict(std::span(test.cells).subspan(3 * i, 3), 1).front(), together[i]);
  }
}

TEST(MlpEnsemble, IsFiniteWhateverTheData) {
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Column> columns = Sample::columns();
  struct Case {
    const char* name;
    std::vector<double> cells;
    std::vector<double> targets;
  };
  for (const Case& c :
       {Case{"one row", {1, 2, 0}, {5}}, Case{"equal rows", {1, 2, 0, 1, 2, 0}, {5, 6}},
        Case{"equal targets", {1, 2, 0, 3, 4, 1}, {5, 5}},
        Case{"nothing known", {nothing, nothing, nothing, 1, 2, 3}, {5, 6}},
        Case{"large numbers", {1e300, -1e300, 0, -1e300, 0, 1}, {-1e9, 1e9}}}) {
    for (const MlpLoss loss : {MlpLoss::ranking, MlpLoss::squared}) {
      SCOPED_TRACE(c.name);
      const MlpEnsemble ensemble(columns, c.cells, c.targets, {.loss = loss, .members = 2});
      const std::vector<double> asked{0.5, nothing, 3, -1e308, 1e308, 7};
      for (const double prediction : ensemble.predict(asked, 2)) {
        EXPECT_TRUE(std::isfinite(prediction));
      }
    }
  }
}

TEST(Mlp, PredictsDatasets) {
  const Sample sample(80, 11);
  datasets::Dataset data;
  data.columns = Sample::columns();
  data.cells = sample.cells;
  std::vector<double> values;
  for (const double target : sample.targets) {
    values.push_back(std::exp(target));
    data.jobs.emplace_back();
    data.jobs.back().value = values.back();
  }
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < sample.rows(); ++i) all.push_back(i);
  for (const char* name : {"mlp", "mlp-squared"}) {
    SCOPED_TRACE(name);
    const PredictorEntry& entry = find_predictor(name, "test");
    EXPECT_EQ(entry.calibrated, std::string(name) == "mlp-squared");
    const auto model = entry.fit(data, std::span(all).first(60), 1);
    const std::vector<double> predicted = model->predict(data, all);
    EXPECT_GT(support::kendall_tau_b(predicted, values), 0.8);
    if (!entry.calibrated) continue;
    EXPECT_NEAR(predicted.front(), sample.targets.front(), 0.3);
  }
}

}  // namespace
}  // namespace cubicbench::predictor
