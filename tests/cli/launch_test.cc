#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "support/files.h"
#include "tests/cli/program.h"
#include "tests/temporary_folder.h"

namespace cubicbench::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using Json = nlohmann::ordered_json;

/// Puts a python3 in front of PATH that notes its arguments and exits with `code`, but finds every
/// module where `installed`.
class OtherPython {
 public:
  OtherPython(bool installed, int code) : path_(std::getenv("PATH")) {
    const std::string name = (folder_ / "python3").string();
    support::write_file_atomic(
        name, "#!/bin/sh\nif [ \"$1\" = -c ]; then exit " + std::string(installed ? "0" : "1") +
                  "; fi\necho \"$NGPU $*\" > " + (folder_ / "asked").string() +
                  "\ncat $(echo $PYTHONPATH | cut -d: -f1)/cubicbench_plan.py > " +
                  (folder_ / "plan").string() + " 2>/dev/null\nexit " + std::to_string(code) +
                  "\n");
    ::chmod(name.c_str(), 0755);
    ::setenv("PATH", (folder_.path().string() + ":" + path_).c_str(), 1);
  }
  OtherPython(const OtherPython&) = delete;
  OtherPython& operator=(const OtherPython&) = delete;
  ~OtherPython() { ::setenv("PATH", path_.c_str(), 1); }

  std::string asked() const { return support::read_file(folder_ / "asked"); }
  std::string plan() const { return support::read_file(folder_ / "plan"); }

 private:
  TemporaryFolder folder_;
  std::string path_;
};

TEST(Launch, PrintsTheCommand) {
  const Answer answer = ask("launch llama3-8b --for torchtitan@0.2.2 --set tensor_parallel=2");
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.err, "");
  EXPECT_THAT(answer.out, HasSubstr("torchrun --nnodes "));
  EXPECT_THAT(answer.out, HasSubstr("--parallelism.tensor_parallel_degree 2 \\\n"));
}

TEST(Launch, SaysWhatIsOmitted) {
  const Answer answer =
      ask("launch llama3-8b --for megatron-lm@0.19 --set recompute=per_op --json");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const Json document = Json::parse(answer.out);
  EXPECT_EQ(document["schema"], "cubicbench.launch/1");
  const Json expected{{"setting", "recompute"},
                      {"why", "it recomputes modules, not single operations"}};
  EXPECT_THAT(document["omitted"], testing::Contains(expected));
}

TEST(Launch, WritesTheFileOfThePlan) {
  const TemporaryFolder folder;
  const std::string file = (folder / "mine.py").string();
  const Answer answer = ask("launch tiny-llama --for torchtitan@main --out " + file);
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(support::read_file(file), HasSubstr("def plan():\n"));
}

TEST(Launch, RefusesWhatItCannotDo) {
  constexpr const char* all =
      "megatron-bridge@0.6.0, megatron-lm@0.19, torchrec@1.3.0, torchrun-fsdp2@2, "
      "torchtitan@0.2.2, torchtitan@main";
  struct Case {
    std::string line;
    std::string message;
  };
  for (const Case& c :
       {Case{"launch tiny-llama",
             "--for: expected PROGRAM@VERSION, as in --for torchtitan@0.2.2\n"},
        Case{"launch tiny-llama --for torchtitan",
             "--for: expected one of " + std::string(all) +
                 ", got \"torchtitan\"; did you mean \"torchtitan@main\"?\n"},
        Case{"launch tiny-llama --for maxtext@1",
             "--for: expected one of " + std::string(all) + ", got \"maxtext@1\"\n"},
        Case{"launch ads-73b --for torchtitan@main",
             "--for: expected a program that trains a recommendation model, got "
             "\"torchtitan@main\"\n"},
        Case{"launch tiny-llama --for torchtitan@0.2.2 --out plan.py",
             "--out: expected a program with a file of the plan (torchrec@1.3.0, "
             "torchrun-fsdp2@2, torchtitan@main), got \"torchtitan@0.2.2\"\n"},
        Case{"launch tiny-llama --for megatron-lm@0.19 --dry-run",
             "--dry-run: expected a program with a dry run of its own (megatron-bridge@0.6.0, "
             "torchtitan@0.2.2, torchtitan@main), got \"megatron-lm@0.19\"\n"}}) {
    SCOPED_TRACE(c.line);
    const Answer answer = ask(c.line);
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.err, c.message);
    EXPECT_EQ(answer.out, "");
  }
}

TEST(Launch, DryRunIsTheProgramsOwn) {
  const OtherPython python(true, 0);
  const Answer answer = ask("launch tiny-llama --for torchtitan@0.2.2 --model a.toml --dry-run");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(
      python.asked(),
      StartsWith("8 -m torchtitan.train --job.config_file a.toml --training.seq_len 4096 "));
  EXPECT_THAT(python.asked(), HasSubstr(" --comm.mode=fake_backend --training.steps=1\n"));
}

TEST(Launch, DryRunOfAFileFindsIt) {
  const OtherPython python(true, 0);
  const Answer answer = ask("launch tiny-llama --for torchtitan@main --dry-run");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(python.plan(), HasSubstr("config.parallelism.tensor_parallel_degree = 1\n"));
}

TEST(Launch, DryRunOfARecipeGoesBehindItsOverrides) {
  const OtherPython python(true, 0);
  const Answer answer = ask("launch tiny-llama --for megatron-bridge@0.6.0 --model mine --dry-run");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(python.asked(), HasSubstr(" scripts/training/run_recipe.py --recipe mine "));
  EXPECT_THAT(python.asked(), testing::EndsWith(" --dry-run\n"));
}

TEST(Launch, DryRunThatFailsIsANo) {
  const OtherPython python(true, 1);
  const Answer answer = ask("launch tiny-llama --for torchtitan@0.2.2 --dry-run");
  EXPECT_EQ(answer.code, 1);
  EXPECT_EQ(answer.err, "--dry-run: torchtitan@0.2.2 ended with exit code 1\n");
  EXPECT_THAT(answer.out, HasSubstr("torchrun"));
}

TEST(Launch, DryRunOfWhatIsNotInstalledSaysSo) {
  const OtherPython python(false, 0);
  const Answer answer = ask("launch tiny-llama --for torchtitan@0.2.2 --dry-run");
  EXPECT_EQ(answer.code, 3);
  EXPECT_EQ(answer.err,
            "--dry-run: torchtitan is not installed: python3 finds no module \"torchtitan\"\n");
  EXPECT_EQ(answer.out, "");
}

}  // namespace
}  // namespace cubicbench::cli
