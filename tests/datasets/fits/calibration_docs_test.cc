// docs/calibration.md has a table of what was fitted on what.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "datasets/fits/calibration_plan.h"
#include "support/files.h"

namespace cubicbench::datasets {
namespace {

constexpr const char* path = CUBICBENCH_SOURCE_DIR "/docs/calibration.md";

std::string joined(const std::vector<std::string>& words, const char* separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

std::string rows_text(const CalibrationRows& rows) {
  std::string text = "`" + rows.table + "`";
  const auto add = [&](const char* what, const std::string& value) {
    if (!value.empty()) text += std::string(", ") + what + " " + value;
  };
  add("part", rows.part);
  add("device", rows.device);
  add("family", rows.family);
  add("source", rows.source);
  add("format", rows.dtype);
  return text;
}

std::string expected_table() {
  std::string text = "| stack or device | constants | rows | why these |\n|---|---|---|---|\n";
  for (const CalibrationPlan& plan : calibration_plans()) {
    std::vector<std::string> rows;
    for (const CalibrationRows& entry : plan.rows) rows.push_back(rows_text(entry));
    std::vector<std::string> owners = plan.also;
    owners.insert(owners.begin(), plan.of);
    text += "| " + joined(owners, ", ") + " | " + joined(plan.fit, ", ") + " | " +
            joined(rows, "; ") + " | " + plan.reason + " |\n";
  }
  return text;
}

TEST(CalibrationDocs, TellWhatWasFittedOnWhat) {
  std::string page = support::read_file(path);
  const std::size_t at = page.find("| stack or device |");
  const std::string before = page.substr(0, at);
  if (std::getenv("UPDATE_GOLDEN") != nullptr) {
    support::write_file_atomic(path,
                               before + (at == std::string::npos ? "\n" : "") + expected_table());
    page = support::read_file(path);
  }
  EXPECT_TRUE(page.ends_with("\n\n" + expected_table()))
      << "docs/calibration.md is not what datasets/measured/calibrations.json says: run\n"
         "  UPDATE_GOLDEN=1 datasets_test --gtest_filter='CalibrationDocs.*'";
}

}  // namespace
}  // namespace cubicbench::datasets
