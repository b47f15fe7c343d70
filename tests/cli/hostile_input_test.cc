// What a tester found who tried to break every command: each case once ended badly.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string>

#include "scenarios/catalog.h"
#include "support/files.h"
#include "tests/cli/folder_test.h"
#include "tests/cli/program.h"

namespace cubicbench::cli {
namespace {

using testing::HasSubstr;

class HostileInput : public FolderTest {
 protected:
  static std::string shipped(scenarios::Kind kind, const std::string& name) {
    return std::string(scenarios::text(kind, name).value());
  }
  /// `text` with the first `from` replaced.
  static std::string with(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  }
  /// The message that a command line is refused with.
  static std::string refusal(const std::string& line) {
    const Answer answer = ask(line);
    return answer.code == 2 && answer.out.empty() ? answer.err : "not refused: " + answer.out;
  }
};

TEST_F(HostileInput, NamesAndPathsMustNotBeEmpty) {
  const std::string plan =
      write("plan.json", R"({"schema":"cubicbench.plan/1","version":")" CUBICBENCH_VERSION
                         R"(","scenarios":[{"scenario":""}],"searchers":[{"searcher":"random"}]})");
  EXPECT_THAT(refusal("search --plan " + plan + " --out " + path("out")),
              HasSubstr("#/scenarios/0/scenario: expected a scenario, got \"\""));
  std::string tiny = shipped(scenarios::Kind::scenario, "tiny-llama");
  const std::size_t begin = tiny.find("\"workload\": {");
  tiny.replace(begin, tiny.find('}', begin) + 1 - begin,
               R"("workload": {"hugging_face": "", "sequence": 8192})");
  EXPECT_THAT(
      refusal("simulate " + write("tiny.json", tiny)),
      HasSubstr("#/workload/hugging_face: expected the path of a model's config.json, got \"\""));
}

TEST_F(HostileInput, HardwareMustNotBeSlowerThanAnyThereWas) {
  const std::string device = shipped(scenarios::Kind::device, "h100-sxm-80gb");
  const std::string slow = write("slow.json", with(device, "\"bf16\": 989", "\"bf16\": 1e-80"));
  EXPECT_THAT(refusal("simulate tiny-llama --set cluster.device=" + slow),
              HasSubstr("#/matmul_tflops/bf16: expected a number in [0.001, 1e+06], got 1e-80"));
}

TEST_F(HostileInput, TablesMustNotHoldRunsThatNoJournalHolds) {
  write("runs.csv",
        "n_gpus,tp,global_batch,seq_len,tokens_per_s_per_gpu,status,quality,model,device\n"
        "8,1,64,4096,1e-97,ok,ok,m,h100-sxm-80gb\n8,2,64,4096,5,ok,ok,m,h100-sxm-80gb\n");
  const std::string table = write(
      "table.json",
      R"({"schema":"cubicbench.scenario/1","name":"t","table":{"path":"./runs.csv","parameters":["tp"]},)"
      R"("objective":{"metric":"tokens_per_s_per_gpu"},"budget":{"trials":4}})");
  EXPECT_THAT(refusal("search " + table + " --searcher random --out " + path("out")),
              HasSubstr("runs.csv:2:1: expected a run whose step_time_s is 0 or a magnitude"));
}

TEST_F(HostileInput, AScenarioMayComeThroughAPipe) {
  const std::string text = shipped(scenarios::Kind::scenario, "tiny-gpt");
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  const support::FileDescriptor out(ends[0]);
  {
    const support::FileDescriptor in(ends[1]);
    ASSERT_TRUE(support::write_all(in.get(), text));
  }
  const Answer answer = ask("simulate /dev/fd/" + std::to_string(out.get()));
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("tiny-gpt"));
}

TEST_F(HostileInput, NothingThatIsReadIsWrittenOver) {
  const std::string text = shipped(scenarios::Kind::scenario, "tiny-gpt");
  const std::string mine = write("mine.json", text);
  for (const std::string& line : {"enumerate " + mine + " --quiet --out " + mine,
                                  "simulate " + mine + " --engine event --trace " + mine}) {
    const Answer answer = ask(line);
    EXPECT_EQ(answer.code, 2) << line;
    EXPECT_THAT(answer.err, HasSubstr("expected another file than")) << line;
    EXPECT_EQ(read("mine.json"), text) << line;
  }
  EXPECT_EQ(ask("enumerate " + mine + " --quiet --out " + path("optimum.json")).code, 0);
  EXPECT_EQ(ask("enumerate " + mine + " --quiet --out " + path("optimum.json")).code, 0);
}

TEST_F(HostileInput, NoJournalBecomesAReport) {
  ASSERT_EQ(ask("search tiny-gpt --searcher random --trials 2 --quiet --out " + path("s")).code, 0);
  const std::string journal = "s/journals/tiny-gpt.0.random.0.jsonl";
  const std::string before = read(journal);
  std::filesystem::create_hard_link(path(journal), path("notes.md"));
  for (const std::string& option : {"--junit " + path(journal), "--markdown " + path("notes.md")}) {
    const Answer answer = ask("compare " + path("s") + " " + path("s") + " " + option);
    EXPECT_EQ(answer.code, 2) << option;
    EXPECT_THAT(answer.err, HasSubstr("expected another file than")) << option;
    EXPECT_EQ(read(journal), before) << option;
  }
}

TEST_F(HostileInput, ADamagedListOfFinishedStudiesIsNamed) {
  ASSERT_EQ(ask("search tiny-gpt --searcher random --trials 2 --quiet --out " + path("s")).code, 0);
  EXPECT_EQ(ask("verify " + path("s")).code, 0);
  for (const char* damaged : {"{", "{}", R"({"studies":[{"study":1}]})"}) {
    write("s/finished.json", damaged);
    const Answer answer = ask("verify " + path("s"));
    EXPECT_EQ(answer.code, 1) << damaged;
    EXPECT_THAT(answer.out, HasSubstr("finished.json")) << damaged;
  }
  EXPECT_EQ(
      ask("search tiny-gpt --searcher random --trials 2 --quiet --resume --out " + path("s")).code,
      0);
  EXPECT_EQ(ask("verify " + path("s")).code, 0);
}

TEST_F(HostileInput, AShardMayHaveNoStudy) {
  const std::string line =
      "search tiny-gpt --searcher random --trials 2 --quiet --shard 3/3 --out ";
  EXPECT_EQ(ask(line + path("third")).code, 0);
  EXPECT_EQ(ask(line + path("third") + " --resume").code, 0);
  EXPECT_EQ(ask("verify " + path("third")).code, 0);
}

}  // namespace
}  // namespace cubicbench::cli
