// What laws say of runs, by one set of constants for all software (docs/calibration.md).
#include "predictor/calibration/law_fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "predictor/calibration/subject_calibration.h"
#include "scenarios/constants/constants.h"
#include "support/statistics/quantile.h"

namespace cubicbench::predictor {
namespace {

/// vTrain's runs on one node are 1,080 rows of 32 measurements.
constexpr std::string_view repeated = "vtrain, Ampere, one node";

struct Errors {
  double median;
  double mean;
  double most;  ///< nine in ten are below
};

Errors errors_of(const std::vector<LawErrors>& sources, std::string_view but) {
  std::vector<double> all;
  for (const LawErrors& source : sources) {
    if (source.source != but) all.insert(all.end(), source.fitted.begin(), source.fitted.end());
  }
  const double sum = std::accumulate(all.begin(), all.end(), 0.0);
  return {.median = support::median(all),
          .mean = sum / static_cast<double>(all.size()),
          .most = support::quantile(all, 0.9)};
}

class Laws : public testing::Test {
 protected:
  static void SetUpTestSuite() { fit_ = new LawFit(fit_laws(datasets::law_plan(), false, 0)); }
  static void TearDownTestSuite() { delete fit_; }

  static const LawFit* fit_;
};
const LawFit* Laws::fit_ = nullptr;

TEST_F(Laws, TimeDenseModelsOfAllSoftware) {
  const Errors all = errors_of(fit_->sources, "");
  EXPECT_LE(all.median, 0.035);
  EXPECT_LE(all.mean, 0.06);
  EXPECT_LE(all.most, 0.15);
  const Errors others = errors_of(fit_->sources, repeated);
  EXPECT_LE(others.median, 0.04);
  EXPECT_LE(others.mean, 0.065);
  EXPECT_LE(others.most, 0.15);
  EXPECT_GE(fit_->rows.runs.size(), 1850U);
}

TEST_F(Laws, ShipAsTheyAreFitted) {
  const datasets::LawPlan& plan = datasets::law_plan();
  const datasets::Library& library = datasets::library();
  for (std::size_t i = 0; i < plan.constants.size(); ++i) {
    const datasets::LawConstant& constant = plan.constants[i];
    const FittedConstant& fitted = fit_->result.constants[i];
    const auto expect_as_fitted = [&](double value) {
      EXPECT_NEAR(value, fitted.after, 0.02 * std::abs(fitted.after)) << constant.label;
    };
    for (const std::string& device : constant.devices) {
      expect_as_fitted(value_of(*scenarios::find_device_constant(constant.constant),
                                library.devices.find(device)->second));
    }
    if (!constant.devices.empty()) continue;
    expect_as_fitted(value_of(*scenarios::find_stack_constant(constant.constant),
                              library.stacks.find(plan.of)->second));
  }
}

TEST_F(Laws, GiveEachSubjectItsOwnConstants) {
  const datasets::LawPlan& plan = datasets::law_plan();
  const Calibration software = constants_of(*fit_, plan, CalibrationSubject::stack, "laws");
  const Calibration volta = constants_of(*fit_, plan, CalibrationSubject::device, "v100-sxm");
  EXPECT_EQ(software.constants.size(), 6U);
  EXPECT_EQ(software.constants.front().name, "launch_us");
  ASSERT_EQ(volta.constants.size(), 2U);
  EXPECT_EQ(volta.constants.front().name, "training_efficiency");
  EXPECT_TRUE(has_laws(plan, CalibrationSubject::device, "gb300"));
  EXPECT_FALSE(has_laws(plan, CalibrationSubject::device, "tpu-v4"));
  EXPECT_FALSE(has_laws(plan, CalibrationSubject::stack, "megatron"));
}

}  // namespace
}  // namespace cubicbench::predictor
