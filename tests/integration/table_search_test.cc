// A search that plays a table of measured runs: killed and resumed it leaves the same bytes, and
// its report says what it was.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "tests/integration/program_run.h"
#include "tests/text_files.h"

namespace cubicbench::integration {
namespace {

using testing::HasSubstr;
using testing::Not;

using Words = std::vector<std::string>;

Words search(const std::string& out, const Words& more = {}) {
  Words words{"search",     "nanotron-3.57b-128gpu",
              "--searcher", "random,evolution,sobol",
              "--trials",   "60",
              "--seeds",    "3",
              "--out",      out};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(TableSearch, KilledAndResumedItLeavesTheSameBytes) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_program(search(folder / "whole")).exit_code, 0);
  const auto whole = files_below(folder / "whole");
  ASSERT_EQ(whole.size(), 11U);  // plan, list of the finished, nine journals: no truth is known
  for (const std::uint64_t moment : {1, 20'000, 60'000, 100'000}) {
    SCOPED_TRACE(moment);
    const std::string out = folder / std::to_string(moment);
    ProgramRun run(search(out, {"--sync"}));
    wait_until(run, [&] { return bytes_of(out) >= moment; });
    run.send(SIGKILL);
    run.wait();
    const Ending ending = run_program(search(out, {"--resume"}));
    EXPECT_EQ(ending.exit_code, 0) << ending.err;
    EXPECT_EQ(files_below(out), whole);
  }
}

TEST(TableSearch, TheReportShowsMeasuredRuns) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_program(search(folder / "out")).exit_code, 0);
  const Ending ending = run_program({"report", folder / "out", "--out", folder / "page.html"});
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  const std::string page = read_text(folder / "page.html");
  EXPECT_THAT(page, HasSubstr("nanotron-3.57b-128gpu"));
  EXPECT_THAT(page, HasSubstr("Each dot is the measured value of one real run of "));
  EXPECT_THAT(page, Not(HasSubstr("cubicbench simulate")));
}

TEST(TableSearch, WhatATableCannotDoExitsWith2) {
  const TemporaryFolder folder;
  const Ending simulate = run_program({"simulate", "nanotron-3.57b-128gpu"});
  EXPECT_EQ(simulate.exit_code, 2);
  EXPECT_EQ(simulate.out, "");
  EXPECT_THAT(simulate.err, HasSubstr("nanotron-3.57b-128gpu: expected a scenario with a model"));
  const Ending simulator = run_program(search(folder / "a", {"--backend", "simulator"}));
  EXPECT_EQ(simulator.exit_code, 2);
  EXPECT_THAT(simulator.err, HasSubstr("--backend: expected table with nanotron-3.57b-128gpu"));
  const Ending model = run_program(
      {"search", "tiny-gpt", "--searcher", "random", "--backend", "table", "--out", folder / "b"});
  EXPECT_EQ(model.exit_code, 2);
  EXPECT_THAT(model.err, HasSubstr("--backend: expected simulator, recorded:DIR, command:CMD or "
                                   "slurm:TEMPLATE with tiny-gpt"));
}

}  // namespace
}  // namespace cubicbench::integration
