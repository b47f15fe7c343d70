#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/program.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string excerpt(const std::string& name) {
  return (std::filesystem::path(CUBICBENCH_SOURCE_DIR) / "tests/datasets/logs/excerpts" / name)
      .string();
}

TEST(Import, WritesATableAndSaysWhatItRead) {
  const TemporaryFolder folder;
  const std::string out = (folder / "runs.csv").string();
  const Answer answer =
      ask("import " + excerpt("titan-8b-8gpu.log") + " " + excerpt("megatron-8b.log") +
          " --column family=ours --out " + out + " --json");
  EXPECT_EQ(answer.code, 0) << answer.err;
  const auto document = nlohmann::json::parse(answer.out);
  EXPECT_EQ(document["rows"], 2);
  EXPECT_EQ(document["formats"][0]["format"], "torchtitan");
  EXPECT_EQ(document["formats"][1]["version"], "2023-throughput");
  EXPECT_EQ(document["not_understood"].size(), 0U);
  EXPECT_EQ(document["missing"][0]["columns"][0], "device");
  EXPECT_THAT(read_text(out), StartsWith("id,source,"));
  EXPECT_THAT(read_text(out), testing::Not(HasSubstr(folder.path().string())));
}

/// A log and the table that it becomes are the same to `validate`.
TEST(Import, IsWhatValidateTakesDirectly) {
  const TemporaryFolder folder;
  const std::string log = (folder / "titan.log").string();
  const std::string table = (folder / "titan.csv").string();
  write_text(log, read_text(excerpt("titan-8b-8gpu.log")));
  EXPECT_EQ(ask("import " + log + " --out " + table).code, 0);
  const Answer direct = ask("validate " + log + " --json");
  const Answer by_table = ask("validate " + table + " --json");
  EXPECT_EQ(direct.code, 0) << direct.err;
  const auto one = nlohmann::json::parse(direct.out);
  const auto other = nlohmann::json::parse(by_table.out);
  EXPECT_EQ(one["summary"], other["summary"]);
  EXPECT_EQ(one["rows"].size(), 1U);
}

TEST(Import, TakesAFolderAsPredictAndCalibrateDo) {
  const TemporaryFolder folder;
  for (const char* const name : {"titan-8b-8gpu.log", "titan-8b-colour.log", "titan-70b-hsdp.log",
                                 "titan-8b-cp.log", "titan-70b-tp8.log"}) {
    write_text(folder / "logs" / name, read_text(excerpt(name)));
  }
  const std::string logs = (folder / "logs").string();
  EXPECT_EQ(ask("import " + logs + " --out " + (folder / "runs.csv").string()).code, 0);
  const Answer predicted = ask("predict " + logs + " --predictor constant --train 3 --json");
  EXPECT_EQ(predicted.code, 0) << predicted.err;
  EXPECT_EQ(nlohmann::json::parse(predicted.out)["rows"], 5);
  const Answer fitted =
      ask("calibrate " + logs +
          "/ --column stack=torchtitan-2025 --stack torchtitan-2025 --fit gemm_factor --out " +
          (folder / "ours.json").string() + " --json");
  EXPECT_EQ(fitted.code, 0) << fitted.err;
  EXPECT_EQ(nlohmann::json::parse(fitted.out)["constants"][0]["name"], "gemm_factor");
  const std::string stack = read_text(folder / "ours.json");
  EXPECT_THAT(stack, HasSubstr(" in logs, "));
  EXPECT_THAT(stack, HasSubstr("cubicbench calibrate ./logs --column"));
}

TEST(Import, RefusesWhatIsNoLog) {
  const TemporaryFolder folder;
  const std::string file = (folder / "run.log").string();
  const std::string out = " --out " + (folder / "runs.csv").string();
  write_text(file, "no step\n");
  EXPECT_EQ(ask("import " + file + out).code, 2);
  EXPECT_EQ(ask("validate " + file).code, 2);
  EXPECT_EQ(ask("import" + out).code, 2);
  EXPECT_EQ(ask("import " + folder.path().string() + "/none.log" + out).code, 2);
  const Answer tables = ask("validate torchtitan --column tp=2");
  EXPECT_EQ(tables.code, 2);
  EXPECT_EQ(tables.err, "--column: expected with a log, got tables only\n");
  EXPECT_FALSE(std::filesystem::exists(folder / "runs.csv"));
}

/// A table may be called as logs are.
TEST(Import, LeavesTablesWithOtherEndingsTables) {
  const TemporaryFolder folder;
  const std::string file = (folder / "runs.txt").string();
  write_text(file,
             "model,n_gpus,device,tokens_per_s_per_gpu,micro_batch,global_batch\n"
             "Llama-3.1-8B,8,h100-sxm-80gb,6000,1,8\n");
  EXPECT_EQ(ask("validate " + file + " --json").code, 0);
}

}  // namespace
}  // namespace cubicbench::cli
