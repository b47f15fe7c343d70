#include "results/tables/calibration_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "results/document/terminal.h"

namespace cubicbench::results {
namespace {

using predictor::FinishedCalibration;
using testing::HasSubstr;
using testing::Not;

/// Two constants of megatron-2021 fitted to runs of nine models.
FinishedCalibration calibration() {
  FinishedCalibration fit;
  fit.task.of = "megatron-2021";
  fit.task.fit = {"gemm_factor", "overlap_cost"};
  fit.task.tables = {"vtrain"};
  fit.task.rows.skipped = {{"a few", 3}, {"most", 1200}};
  fit.result.constants = {
      {.name = "gemm_factor", .before = 1.0, .after = 0.9, .low = 0.8, .high = 1.0},
      {.name = "overlap_cost", .before = 1.0, .after = 2.0, .low = 1.5, .high = 2.0}};
  fit.result.rows = 100;
  fit.result.models = 9;
  fit.result.error_before = 0.04;
  fit.result.error_after = 0.04;
  fit.result.sizes_before = fit.result.sizes_after = {0.04};
  return fit;
}

predictor::CalibratedSubject subject() {
  return predictor::find_subject(predictor::CalibrationSubject::stack, "megatron-2021", "--stack");
}

std::string text_of(const FinishedCalibration& fit) {
  return terminal_text(calibration_document(subject(), std::vector{fit}));
}

TEST(CalibrationReport, NamesReasonsMostFrequentFirst) {
  EXPECT_THAT(text_of(calibration()), HasSubstr("Not used: 1,200 most; 3 a few"));
}

TEST(CalibrationReport, HasEveryConstantWithItsInterval) {
  const Document document = calibration_document(subject(), std::vector{calibration()});
  const auto& table = std::get<Table>(document.blocks.at(1).content);
  EXPECT_EQ(table.rows, (std::vector<std::vector<Cell>>{{"gemm_factor", 1.0, 0.9, 0.8, 1.0},
                                                        {"overlap_cost", 1.0, 2.0, 1.5, 2.0}}));
  const nlohmann::ordered_json json =
      calibration_json(subject(), std::vector{calibration()}, "out.json");
  EXPECT_EQ(json["constants"][0].dump(),
            R"({"name":"gemm_factor","before":1.0,"after":0.9,"low":0.8,"high":1.0,"rows":100})");
  EXPECT_EQ(json["error_before"], 0.04);
  EXPECT_TRUE(json["error_left_out"].is_null());
}

TEST(CalibrationReport, SaysWhenAValueIsAtItsBoundAndWhenTheMedianRises) {
  FinishedCalibration fit = calibration();
  EXPECT_THAT(text_of(fit), Not(HasSubstr("bound")));
  EXPECT_THAT(text_of(fit), Not(HasSubstr("higher")));
  fit.result.constants[1].at_bound = true;
  fit.result.error_after = 0.05;
  fit.task.left = {"data_overlap"};
  EXPECT_THAT(text_of(fit), HasSubstr("overlap_cost is at its bound, 2: "));
  EXPECT_THAT(text_of(fit), HasSubstr("higher after the fit, 5.0 % against"));
  EXPECT_THAT(text_of(fit), HasSubstr("data_overlap is left as it is"));
  const nlohmann::ordered_json json = calibration_json(subject(), std::vector{fit}, "out.json");
  EXPECT_EQ(json["fits"][0]["notes"].size(), 3U);
  const std::string file = fitted_file(subject(), std::vector{fit}, "cubicbench calibrate");
  EXPECT_THAT(file, HasSubstr("90 % interval 1.5 to 2, at its bound; fitted to"));
  fit.result.error_after = 0.0404;  // reads the same
  EXPECT_THAT(text_of(fit), Not(HasSubstr("higher")));
}

}  // namespace
}  // namespace cubicbench::results
