// The real program judging predictors: interrupted, and with any number of threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/integration/program_run.h"
#include "tests/text_files.h"

namespace cubicbench::integration {
namespace {

TEST(PredictCommand, CtrlCEndsItWith130AndLeavesNothing) {
  const TemporaryFolder folder;
  const std::string out = folder / "page";
  const Ending ending = interrupted({"predict", "hf_ultrascale_nanotron_sweep", "--predictor",
                                     "xgboost,ridge", "--repeats", "5000", "--out", out});
  EXPECT_EQ(ending.exit_code, 130);
  EXPECT_EQ(ending.out, "");
  EXPECT_EQ(ending.err, "cubicbench: ended by SIGINT; nothing was written\n");
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST(PredictCommand, ThreadsChangeNoByteOfThePage) {
  const TemporaryFolder folder;
  const auto page = [&](const std::string& threads) {
    const std::string out = folder / threads;
    const Ending ending = run_program({"predict", "tiny-llama", "--rows", "150", "--train", "20,40",
                                       "--repeats", "3", "--threads", threads, "--out", out});
    EXPECT_EQ(ending.exit_code, 0) << ending.err;
    return files_below(out);
  };
  const auto one = page("1");
  EXPECT_TRUE(one.contains("index.html"));
  EXPECT_EQ(page("4"), one);
}

}  // namespace
}  // namespace cubicbench::integration
