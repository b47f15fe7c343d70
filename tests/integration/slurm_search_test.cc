// The program itself on a Slurm that is a folder, killed between all that it does: each launch runs
// once and is accounted once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tests/integration/program_run.h"
#include "tests/search/backends/slurm_stand_in.h"
#include "tests/text_files.h"

namespace cubicbench::integration {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using Words = std::vector<std::string>;

constexpr std::int64_t trials = 12;

/// Notes that it ran, and answers with what depends on the request alone; trial 3 fails at its
/// first attempt, as on a node that is lost.
constexpr const char* body = R"sh(
read -r request
field() { printf '%s' "$request" | sed "s/.*\"$1\":\([0-9]*\).*/\1/"; }
echo "$(field trial) $(field attempt)" >>"$STAND_IN/ran"
sleep 0.05
if [ "$(field trial).$(field attempt)" = 3.0 ]; then
  echo '{"state":"fail","reason":"infra","cost_gpu_hours":0.25}'
  exit 1
fi
echo "{\"state\":\"complete\",\"value\":$((1000 + $(field trial))),\"cost_gpu_hours\":0.5}"
)sh";

class SlurmSearch : public testing::Test {
 protected:
  Words words(const std::string& out, int slots) const {
    return {"search",     "tiny-llama",           "--searcher", "random",
            "--trials",   std::to_string(trials), "--slots",    std::to_string(slots),
            "--backend",  "slurm:" + script_,     "--resume",   "--out",
            folder_ / out};
  }

  /// The launches of the journal but for their hours, in the order of trials: jobs that run at once
  /// end in any.
  std::vector<std::string> launches(const std::string& out) const {
    std::vector<std::string> lines;
    std::ifstream file(folder_ / out / "journals" / "tiny-llama.0.random.0.jsonl");
    std::string line;
    std::getline(file, line);
    double hour = 0.0;
    while (std::getline(file, line)) {
      auto json = nlohmann::ordered_json::parse(line);
      EXPECT_GE(json["finished_h"], hour) << "the order of completion";
      EXPECT_LE(json["started_h"], json["finished_h"]);
      hour = json["finished_h"];
      json.erase("started_h");
      json.erase("finished_h");
      char key[32];
      std::snprintf(key, sizeof key, "%03d.%d ", json["trial"].get<int>(),
                    json["attempt"].get<int>());
      lines.push_back(key + json.dump());
    }
    std::ranges::sort(lines);
    return lines;
  }

  /// Every launch that a job ran, sorted.
  std::vector<std::string> ran() const {
    std::vector<std::string> lines;
    std::ifstream file(slurm_ / "ran");
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    std::ranges::sort(lines);
    return lines;
  }

  /// A search that nothing disturbed, and forgets that it ran.
  std::vector<std::string> undisturbed(int slots) {
    const Ending ending = run_program(words("whole", slots));
    EXPECT_EQ(ending.exit_code, 0) << ending.err;
    fs::remove(slurm_ / "ran");
    return launches("whole");
  }

  /// What a search that was disturbed has to come to.
  void expect_each_once(const std::string& out, const std::vector<std::string>& whole) const {
    EXPECT_EQ(launches(out), whole);
    const std::vector<std::string> jobs = ran();
    EXPECT_EQ(std::ssize(jobs), trials) << "the budget counts launches";
    EXPECT_EQ(std::ranges::adjacent_find(jobs), jobs.end()) << "one ran twice";
    EXPECT_FALSE(fs::exists(folder_ / out / "jobs")) << "nothing else stays in the folder";
  }

  TemporaryFolder folder_;
  SlurmStandIn slurm_;
  std::string script_ = slurm_.script(body, "--poll=0.05 --patience=20");
};

TEST_F(SlurmSearch, KilledAtEveryCallItRunsEachLaunchOnce) {
  const std::vector<std::string> whole = undisturbed(3);
  int killed = 0;
  Ending ending;
  for (int i = 0; i < 200; ++i) {
    // Before or after the work of the first, second, ... seventh call that it makes.
    slurm_.tell("kill", (i % 2 == 0 ? "after " : "before ") + std::to_string(1 + i % 7));
    ending = run_program(words("out", 3));
    if (ending.signal != SIGKILL) break;
    ++killed;
  }
  slurm_.tell_no_more("kill");
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_GE(killed, 8) << "a search makes dozens of calls";
  expect_each_once("out", whole);
}

TEST_F(SlurmSearch, KilledAtAnyTimeItRunsEachLaunchOnce) {
  const std::vector<std::string> whole = undisturbed(1);
  std::uint32_t state = 12345;  // a small generator: the moments need not be the same everywhere
  for (int i = 0; i < 20; ++i) {
    state = state * 1664525U + 1013904223U;
    ProgramRun run(words("out", 1));
    std::this_thread::sleep_for(std::chrono::milliseconds(20 + (state >> 16) % 400));
    run.send(SIGKILL);
    run.wait();
  }
  const Ending ending = run_program(words("out", 1));
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  expect_each_once("out", whole);
}

TEST_F(SlurmSearch, StoppedItLeavesItsJobsAndCollectsThem) {
  const std::vector<std::string> whole = undisturbed(2);
  slurm_.tell("never");
  ProgramRun run(words("out", 2));
  ASSERT_TRUE(wait_until(run, [&] { return slurm_.calls("sbatch") > 0; }));
  const std::size_t looks = slurm_.calls("squeue");
  ASSERT_TRUE(wait_until(run, [&] { return slurm_.calls("squeue") > looks + 2; }));
  run.send(SIGTERM);
  const Ending stopped = run.wait();
  EXPECT_EQ(stopped.exit_code, 128 + SIGTERM);
  EXPECT_THAT(stopped.err, HasSubstr("on in Slurm, which --resume collects"));
  // They never start, are forgotten, and are submitted again.
  slurm_.tell_no_more("never");
  fs::remove_all(slurm_ / "jobs");
  fs::remove_all(folder_ / "out" / "jobs");
  const Ending ending = run_program(words("out", 2));
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  expect_each_once("out", whole);
}

TEST_F(SlurmSearch, EndsWithOneMessageWhereSlurmRefuses) {
  slurm_.tell("refuse", "Invalid account or account/partition combination specified");
  const Ending ending = run_program(words("out", 2));
  EXPECT_EQ(ending.exit_code, 3);
  EXPECT_THAT(ending.err, HasSubstr("sbatch refused"));
  EXPECT_THAT(ending.err, HasSubstr("Invalid account or account/partition combination specified"));
  EXPECT_EQ(ending.out, "");
  // What stands in the way is put right, and the search goes on.
  slurm_.tell_no_more("refuse");
  EXPECT_EQ(run_program(words("out", 2)).exit_code, 0);
}

TEST_F(SlurmSearch, RefusesATemplateBeforeItWritesAnything) {
  write_text(slurm_ / "template.sh", "#!/bin/sh\n#SBATCH --array=1-3\n");
  const Ending ending = run_program(words("out", 2));
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_THAT(ending.err, HasSubstr("template.sh:2: expected no --array"));
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

}  // namespace
}  // namespace cubicbench::integration
