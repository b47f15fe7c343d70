// What ships is what was fitted: every plan of datasets/measured/calibrations.json, fitted again.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/fits/calibration_plan.h"
#include "predictor/calibration/subject_calibration.h"
#include "scenarios/constants/constants.h"
#include "support/json/canonical.h"

namespace cubicbench::predictor {
namespace {

constexpr double tolerance = 0.02;  // of the fitted value, where the interval is narrower

std::string command_of(CalibrationSubject kind, const std::string& name) {
  const bool of_stack = kind == CalibrationSubject::stack;
  return "  cubicbench calibrate " + std::string(of_stack ? "--stack " : "--device ") + name +
         " --out scenarios/" + (of_stack ? "stacks/" : "hardware/") + name +
         ".json   (all: scripts/calibrate_all.sh)";
}

double shipped_value(const CalibratedSubject& subject, std::string_view name) {
  return subject.kind == CalibrationSubject::stack
             ? value_of(*scenarios::find_stack_constant(name), subject.stack)
             : value_of(*scenarios::find_device_constant(name), subject.device);
}

void expect_as_fitted(const CalibratedSubject& subject, const FittedConstant& constant) {
  using support::shortest;
  const double value = shipped_value(subject, constant.name);
  const bool in_interval = constant.low <= value && value <= constant.high;
  const bool near = std::abs(value - constant.after) <=
                    tolerance * std::max(std::abs(value), std::abs(constant.after));
  EXPECT_TRUE(in_interval || near)
      << subject.name << " ships " << constant.name << " = " << shortest(value) << ", fitted is "
      << shortest(constant.after) << " (" << shortest(constant.low) << " to "
      << shortest(constant.high) << "). Run\n"
      << command_of(subject.kind, subject.name);
}

TEST(ShippedConstants, AreThoseThatAreFitted) {
  std::set<std::string> seen;
  for (const datasets::CalibrationPlan& plan : datasets::calibration_plans()) {
    const CalibratedSubject subject = find_subject(plan.subject, plan.of, plan.name);
    if (!seen.insert(subject.name).second) continue;  // its plans were fitted one after the other
    SCOPED_TRACE(subject.name);
    const auto fits = run_calibrations(subject, planned_tasks(subject), plan.name, 0);
    for (const FinishedCalibration& fit : fits) {
      std::vector<std::string> owners = datasets::find_calibration_plan(fit.task.name)->also;
      owners.push_back(subject.name);
      for (const std::string& owner : owners) {
        const CalibratedSubject twin = find_subject(plan.subject, owner, plan.name);
        for (const FittedConstant& constant : fit.result.constants) {
          expect_as_fitted(twin, constant);
        }
      }
    }
  }
  EXPECT_GE(seen.size(), 16U);  // stacks and devices that a plan names
}

}  // namespace
}  // namespace cubicbench::predictor
