// The scripts of docs/how-to/many-machines.md on a stand-in for Slurm's sbatch that kills tasks:
// shards merge to the bytes of one process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>

#include "support/process.h"
#include "tests/integration/program_run.h"
#include "tests/program_path.h"
#include "tests/text_files.h"

namespace cubicbench::integration {
namespace {

namespace fs = std::filesystem;
using support::Process;
using testing::HasSubstr;

constexpr const char* search =
    "search tiny-llama --searcher random,evolution --trials 20 --seeds 8";
constexpr const char* enumeration = "enumerate gpt3-175b --best-of 20";
constexpr const char* sketch = "enumerate gpt3-175b --best-of 20 --sketch";

class ManyMachines : public testing::Test {
 protected:
  ManyMachines() { fs::create_directory(folder_ / "jobs"); }

  /// What a shell says of the command, with the program and the stand-in in its path.
  Ending shell(const std::string& command) const {
    const std::string source = CUBICBENCH_SOURCE_DIR;
    return run_script("export STAND_IN='" + (folder_ / "jobs").string() + "'\n" + command,
                      folder_.path(),
                      source + "/tests/integration/array_stand_in:" + source + "/scripts/slurm:");
  }

  /// Submits the command in 12 shards of 4 tasks.
  Ending submit(const std::string& variables, const std::string& command) const {
    return shell(variables + " SHARDS=12 TASKS=4 submit.sh out " + command);
  }

  /// How many lines the stand-in noted of tasks that were killed, or that failed.
  std::ptrdiff_t noted(const std::string& file) const {
    const std::string path = folder_ / ("jobs/" + file);
    if (!fs::exists(path)) return 0;
    const std::string text = read_text(path);
    return std::ranges::count(text, '\n');
  }

  const TemporaryFolder folder_;
};

TEST_F(ManyMachines, ASearchWhoseTasksAreKilledAndRequeuedMergesToTheBytesOfOneProcess) {
  ASSERT_EQ(shell(std::string("cubicbench ") + search + " --out whole").exit_code, 0);
  const Ending submitted = submit("STAND_IN_KILLS=3 STAND_IN_CALLS=3", search);
  EXPECT_EQ(submitted.exit_code, 0) << submitted.err;
  EXPECT_THAT(submitted.out, HasSubstr("runs 12 shards in 4 tasks"));
  EXPECT_EQ(noted("killed"), 3);
  EXPECT_EQ(noted("failed"), 0);
  EXPECT_TRUE(files_below(folder_ / "whole") == files_below(folder_ / "out/whole"));
}

TEST_F(ManyMachines, AnEnumerationWhoseTasksAreKilledMergesOnceItIsSubmittedAgain) {
  for (const char* const command : {enumeration, sketch}) {
    SCOPED_TRACE(command);
    ASSERT_EQ(shell(std::string("cubicbench ") + command + " --out whole.json").exit_code, 0);
    const auto killed_before = noted("killed");
    const Ending first = submit("STAND_IN_KILLS=3 STAND_IN_CALLS=3 STAND_IN_REQUEUE=no", command);
    EXPECT_EQ(first.exit_code, 0) << first.err;
    EXPECT_EQ(noted("killed"), killed_before + 3);
    EXPECT_FALSE(fs::exists(folder_ / "out/whole.json"));
    EXPECT_THAT(read_text(folder_ / "out/logs/merge.log"), HasSubstr("of 12 shards are missing: "));

    const Ending again = submit("", command);
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_TRUE(read_text(folder_ / "whole.json") == read_text(folder_ / "out/whole.json"));
    fs::remove_all(folder_ / "out");
  }
}

TEST_F(ManyMachines, AFinishedShardIsLeftAsItIs) {
  const std::string command = std::string("one_shard.sh out 2/3 ") + enumeration;
  ASSERT_EQ(shell(command).exit_code, 0);
  write_text(folder_ / "out/shards/2.json", "what is there");
  EXPECT_EQ(shell(command).exit_code, 0);
  EXPECT_EQ(read_text(folder_ / "out/shards/2.json"), "what is there");
}

TEST_F(ManyMachines, SaysWhatIsMissingOrContradicts) {
  ASSERT_EQ(shell(std::string("one_shard.sh out 1/3 ") + enumeration).exit_code, 0);
  struct Case {
    const char* command;
    int exit_code;
    const char* message;
  };
  for (const Case& c :
       {Case{"submit.sh out enumerate tiny-llama", 2, "submit.sh: expected SHARDS"},
        Case{"SHARDS=3 TASKS=4 submit.sh out enumerate tiny-llama", 2,
             "expected at least as many shards as tasks, got 3 and 4"},
        Case{"SHARDS=3 TASKS=2 CUBICBENCH=nowhere submit.sh out enumerate tiny-llama", 2,
             "nowhere is not in the PATH"},
        Case{"one_shard.sh out 2 enumerate tiny-llama", 2, "expected a shard I/N, got \"2\""},
        Case{"one_shard.sh out 2/3 report out", 2, "expected the command enumerate or search"},
        Case{"one_shard.sh out 2/3 enumerate tiny-llama --out x", 2, "without --out"},
        Case{"one_shard.sh out 2/3 enumerate tiny-llama", 2, "names another command"},
        Case{"one_shard.sh other 4/3 enumerate tiny-llama", 2, "--shard"},
        Case{"array_task.sh 2 . out 3 enumerate tiny-llama", 2, "SLURM_ARRAY_TASK_ID"},
        Case{"merge_shards.sh out", 1, "2 of 3 shards are missing: 2 3."},
        Case{"merge_shards.sh nowhere", 1, "no shard was begun in nowhere"}}) {
    SCOPED_TRACE(c.command);
    const Ending ending = shell(c.command);
    EXPECT_EQ(ending.exit_code, c.exit_code);
    EXPECT_THAT(ending.err, HasSubstr(c.message));
  }
}

}  // namespace
}  // namespace cubicbench::integration
