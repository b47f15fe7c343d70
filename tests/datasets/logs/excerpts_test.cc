// Excerpts in the published formats of training programs: each is read, with the step time that it
// was written for to 0.5 %, its memory and its layout.
#include "tests/datasets/logs/excerpts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "datasets/logs/log_formats.h"
#include "datasets/logs/read_log.h"
#include "datasets/tables/measurement_schema.h"
#include "support/parsed.h"

namespace cubicbench::datasets {
namespace {

constexpr double tolerance = 0.005;

TEST(LogExcerpts, AreReadWithTimeMemoryAndLayout) {
  EXPECT_GE(excerpts().size(), 50U);
  for (const Excerpt& excerpt : excerpts()) {
    SCOPED_TRACE(excerpt.file);
    const ReadLog log = read_log(excerpt.text, excerpt.file);
    EXPECT_EQ(log.format, excerpt.expected.at("format"));
    EXPECT_EQ(log.version, excerpt.expected.at("version"));
    for (const auto& [column, text] : excerpt.expected) {
      if (column == "format" || column == "version") continue;
      SCOPED_TRACE(column);
      const std::string cell = cell_text(*find_measurement_column(column), log.row);
      if (column == "step_time_s" || column == "peak_mem_gib") {
        const double number = support::parsed<double>(text).value();
        EXPECT_NEAR(support::parsed<double>(cell).value_or(0.0), number, tolerance * number);
      } else {
        EXPECT_EQ(cell, text);
      }
    }
  }
}

TEST(LogExcerpts, AreUnderstoodInFull) {
  for (const Excerpt& excerpt : excerpts()) {
    for (const NotUnderstood& one : read_log(excerpt.text, excerpt.file).not_understood) {
      ADD_FAILURE() << excerpt.file << ":" << one.line << ": " << one.what;
    }
    EXPECT_EQ(read_log(excerpt.text, excerpt.file).row.id,
              excerpt.file.substr(0, excerpt.file.rfind('.')));
  }
}

TEST(LogExcerpts, HaveEveryVersionOfEveryFormat) {
  std::set<std::string> seen;
  for (const Excerpt& excerpt : excerpts()) {
    seen.insert(excerpt.expected.at("format") + " " + excerpt.expected.at("version"));
  }
  for (const LogFormat& format : log_formats()) {
    for (const std::string_view version : format.versions) {
      EXPECT_TRUE(seen.contains(std::string(format.name) + " " + std::string(version)))
          << format.name << " " << version;
    }
  }
}

/// Kernels of compute take four fifths of a step, a collective 0.15 of it from its tenth on, while
/// compute pauses from 0.2 to 0.25: 0.05 are exposed, 1 - 0.85 idle. Steps are 20 us apart.
TEST(LogExcerpts, SayHowBusyStreamsAre) {
  const auto trace = std::ranges::find(excerpts(), "kineto-8gpu.json", &Excerpt::file);
  ASSERT_NE(trace, excerpts().end());
  EXPECT_THAT(read_log(trace->text, trace->file).row.notes,
              testing::HasSubstr("kernels of compute 80 %, of communication 15 %, exposed "
                                 "communication 5 %, idle 15 %; _allgather_base x 5: "));
}

/// Windows' line ends and a lost line end at the end of the file change nothing.
TEST(LogExcerpts, DoNotDependOnLineEnds) {
  for (const Excerpt& excerpt : excerpts()) {
    SCOPED_TRACE(excerpt.file);
    const Measurement row = read_log(excerpt.text, excerpt.file).row;
    std::string windows;
    for (const char c : excerpt.text) windows += c == '\n' ? "\r\n" : std::string(1, c);
    const std::string open = excerpt.text.substr(0, excerpt.text.size() - 1);
    for (const std::string& text : {windows, open}) {
      const Measurement other = read_log(text, excerpt.file).row;
      EXPECT_EQ(other.step_time_s, row.step_time_s);
      EXPECT_EQ(other.peak_mem_gib, row.peak_mem_gib);
      EXPECT_EQ(other.n_gpus, row.n_gpus);
      EXPECT_EQ(other.micro_batch, row.micro_batch);
    }
  }
}

}  // namespace
}  // namespace cubicbench::datasets
