// The real program beside published measurements: exit codes, broken tables, any number of threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/integration/program_run.h"
#include "tests/text_files.h"

namespace cubicbench::integration {
namespace {

using Json = nlohmann::ordered_json;
using testing::StartsWith;

const std::vector<std::string> some_tables{"bigscience_bloom_prequel", "torchtitan",
                                           "mlperf_dlrm_results", "other_collective_points"};

Ending validate(std::vector<std::string> tables, const std::vector<std::string>& options) {
  tables.insert(tables.begin(), "validate");
  tables.insert(tables.end(), options.begin(), options.end());
  return run_program(tables);
}

TEST(ValidateCommand, ExitCodesAnswerTheQuestion) {
  const Ending good = validate(some_tables, {"--json", "--require", "coverage >= 0"});
  EXPECT_EQ(good.exit_code, 0) << good.err;
  EXPECT_EQ(good.err, "");
  const Ending bad = validate(some_tables, {"--json", "--require", "coverage > 1", "--require",
                                            "\"sources.torchtitan.n\" >= 0"});
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_THAT(bad.err, StartsWith("--require: coverage > 1 is false: coverage is "));
  EXPECT_EQ(bad.err.find('\n'), bad.err.size() - 1);
  EXPECT_EQ(bad.out, good.out);
  EXPECT_EQ(Json::parse(bad.out)["schema"], "cubicbench.validate/1");
  const Ending unread = validate(some_tables, {"--json", "--require", "coverage >"});
  EXPECT_EQ(unread.exit_code, 2);
  EXPECT_EQ(unread.out, "");
}

TEST(ValidateCommand, ThreadsChangeNoByte) {
  const TemporaryFolder folder;
  const auto written = [&](const std::string& threads) {
    const Ending text =
        validate(some_tables, {"--threads", threads, "--json", "--out", folder / threads,
                               "--markdown", folder / (threads + "-threads/table.md")});
    EXPECT_EQ(text.exit_code, 0) << text.err;
    auto files = files_below(folder / threads);
    files["table"] = read_text(folder / (threads + "-threads/table.md"));  // which names its file
    files["document"] = text.out;
    return files;
  };
  const auto one = written("1");
  EXPECT_TRUE(one.contains("index.html"));
  EXPECT_EQ(written("2"), one);
  EXPECT_EQ(written("8"), one);
}

TEST(ValidateCommand, BrokenTablesAreRefusedWithTheirPlace) {
  const TemporaryFolder folder;
  const std::string file = folder / "runs.csv";
  const std::string head = "n_gpus,step_time_s,peak_mem_gib\n";
  struct Case {
    const char* name;
    std::string text;
    std::string err;
  };
  for (const Case& c :
       {Case{"missing column", "n_gpus\n8\n",
             ":1:1: expected a column tokens_per_s_per_gpu or step_time_s, got none\n"},
        Case{"bad cell", head + "8,,x\n",
             ":2:4: expected a number above 0 in column peak_mem_gib, got \"x\"\n"},
        Case{"wrong encoding", head + "8,,\xE9\n",
             ":2:4: expected UTF-8 text, got the byte 0xe9\n"},
        Case{"a line of 10 MB", head + "8,," + std::string(10'000'000, '1') + "\n",
             ":2:4: expected a line of at most 1048576 bytes, got more\n"},
        Case{"a line of 10 MB of commas", head + std::string(10'000'000, ',') + "\n",
             ":2:1048577: expected a line of at most 1048576 bytes, got more\n"},
        Case{"a header of 10 MB", std::string(10'000'000, ','),
             ":1:1048577: expected a line of at most 1048576 bytes, got more\n"}}) {
    SCOPED_TRACE(c.name);
    write_text(file, c.text);
    const Ending ending = run_program({"validate", file, "--json"});
    EXPECT_EQ(ending.exit_code, 2);
    EXPECT_EQ(ending.out, "");
    EXPECT_EQ(ending.err, file + c.err);
  }
}

TEST(ValidateCommand, WhatCannotBeWrittenIsTheWorldsFault) {
  const TemporaryFolder folder;
  write_text(folder / "file", "");
  for (const char* option : {"--out", "--markdown"}) {
    SCOPED_TRACE(option);
    const std::string below = folder / "file/below.md";
    const Ending ending = run_program({"validate", "torchtitan", option, below});
    EXPECT_EQ(ending.exit_code, option == std::string("--out") ? 2 : 3);
    EXPECT_EQ(ending.out, "");
  }
  // No file may grow beyond a few bytes, as on a full disk.
  ProgramRun full({"validate", "torchtitan", "--out", folder / "page"}, {.file_bytes = 16});
  EXPECT_EQ(full.wait().exit_code, 3);
}

}  // namespace
}  // namespace cubicbench::integration
