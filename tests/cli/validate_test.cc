#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "support/files.h"
#include "tests/cli/folder_test.h"
#include "tests/cli/program.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::StartsWith;
using Words = std::vector<std::string>;

/// Conditions have spaces, so the words come one by one.
Answer validate(Words words) {
  words.insert(words.begin(), "validate");
  std::ostringstream out;
  std::ostringstream err;
  const int code = run(words, out, err);
  return {code, out.str(), err.str()};
}

Json document_of(const Words& words) {
  Words all = words;
  all.emplace_back("--json");
  const Answer answer = validate(all);
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(answer.err, "");
  return Json::parse(answer.out);
}

class Validate : public FolderTest {};

std::int64_t excluded_in(const Json& document) {
  std::int64_t count = 0;
  for (const auto& [reason, rows] : document["excluded"].items()) count += rows.get<int>();
  return count;
}

TEST_F(Validate, EveryRowIsInOneOfThreeLists) {
  const Json document =
      document_of({"bigscience_bloom_prequel", "mlperf_dlrm_results", "other_collective_points"});
  std::vector<std::string> keys;
  for (const auto& [key, value] : document.items()) keys.push_back(key);
  EXPECT_EQ(keys, (Words{"schema", "version", "rows", "skipped", "excluded", "summary", "sources",
                         "by_part", "by_family", "hung", "crossovers"}));
  EXPECT_EQ(document["schema"], "cubicbench.validate/1");
  const std::size_t rows = document["rows"].size() + document["skipped"].size();
  EXPECT_EQ(static_cast<std::int64_t>(rows) + excluded_in(document), 94 + 15 + 120);
  EXPECT_GE(document["rows"].size(), 12U);
  EXPECT_TRUE(document["sources"].contains("bigscience_bloom_prequel"));
  for (const Json& skipped : document["skipped"]) EXPECT_NE(skipped["reason"], "");
}

TEST_F(Validate, RequirementsDecideTheExitCodeAndChangeNoOutput) {
  const std::string plain = validate({"mlperf_dlrm_results"}).out;
  const std::string json = validate({"mlperf_dlrm_results", "--json"}).out;
  const std::string coverage = Json::parse(json)["summary"]["coverage"].dump();
  struct Case {
    const char* name;
    Words requirements;
    std::string err;
  };
  for (const Case& c :
       {Case{"a name", {"coverage >= 0"}, ""},
        Case{"a path", {R"("sources.mlperf_dlrm_results.n" >= 1)"}, ""},
        Case{"several", {"coverage >= 0", "n > 0"}, ""},
        Case{"one of them false",
             {"coverage >= 0", "coverage > 1"},
             "--require: coverage > 1 is false: coverage is " + coverage + "\n"},
        Case{"all of them false",
             {"1 > 2", R"(not "sources.nobody.bias" < 1)"},
             "--require: 1 > 2 is false\n"
             "--require: not \"sources.nobody.bias\" < 1 is false: \"sources.nobody.bias\" is not "
             "there\n"}}) {
    SCOPED_TRACE(c.name);
    Words words{"mlperf_dlrm_results"};
    for (const std::string& requirement : c.requirements) {
      words.insert(words.end(), {"--require", requirement});
    }
    const Answer text = validate(words);
    EXPECT_EQ(text.code, c.err.empty() ? 0 : 1);
    EXPECT_EQ(text.out, plain);
    EXPECT_EQ(text.err, c.err);
    words.emplace_back("--json");
    const Answer document = validate(words);
    EXPECT_EQ(document.code, text.code);
    EXPECT_EQ(document.out, json);
    EXPECT_EQ(document.err, c.err);
  }
}

TEST_F(Validate, OneFileMayHoldRowsOfEveryKind) {
  const std::string mixed =
      write("mixed.csv",
            "id,system,gpu,n_gpus,step_time_s,model,collective,size_bytes,time_us,n_accel,"
            "samples_per_s,global_batch,accelerator,framework\n"
            ",,,8,1.5,unheard,,,,,,,,\n"
            "c,DGX H100,H100,8,,,all_reduce,1048576,50,,,,,\n"
            ",dgx,,,,DLRM T3,,,,8,10000000,65536,A100-80GB,NVIDIA example\n"
            "d,DGX H100,H100,8,,,all_reduce,2097152,60,,,,,\n"
            ",,,16,2.5,unheard,,,,,,,,\n");
  const Json document = document_of({mixed});
  Words rows;
  for (const Json& row : document["rows"]) rows.push_back(row["id"]);
  EXPECT_EQ(rows, (Words{"c", "mixed:4", "d"}));
  for (const Json& row : document["rows"]) EXPECT_EQ(row["source"], "mixed");
  Words skipped;
  for (const Json& row : document["skipped"]) skipped.push_back(row["id"]);
  EXPECT_EQ(skipped, (Words{"mixed:2", "mixed:6"}));
  EXPECT_EQ(document["summary"]["coverage"], 0.6);
  EXPECT_EQ(document["sources"].size(), 1U);
  const Answer page = validate({mixed, "--out", path("page"), "--markdown", path("page.md")});
  EXPECT_EQ(page.code, 0) << page.err;
  const std::string other = write("other/mixed.csv", "n_gpus,step_time_s\n8,1\n");
  EXPECT_EQ(validate({mixed, other}).err,
            other + ": expected a table of another name than " + mixed + ", got \"mixed\" again\n");
}

// Six runs on H100 and six on A100, each by its own stack.
TEST_F(Validate, SoftwareThatWasNotFittedIsJudgedInThreeWays) {
  const auto median = [](const Words& words) {
    Words all{"ibm_fms_fsdp"};
    all.insert(all.end(), words.begin(), words.end());
    const Json document = document_of(all);
    EXPECT_EQ(document["rows"].size(), 12U);
    return document["summary"]["median_abs_rel_error"].get<double>();
  };
  const double as_fitted = median({});
  const double by_one = median({"--stack", "torchtitan-2025"});
  const double unnamed = median({"--unnamed"});
  const double left_out = median({"--leave-out", "source"});
  EXPECT_LT(as_fitted, by_one);
  EXPECT_LT(as_fitted, unnamed);
  EXPECT_LT(as_fitted, left_out);
  EXPECT_NE(median({"--unnamed", "--leave-out", "source"}), unnamed);  // the laws are fitted again
  EXPECT_NE(median({"--leave-out", "model"}), left_out);
}

TEST_F(Validate, EveryWayGoesWithOtherOptions) {
  const std::string file = path("table.md");
  const Answer answer = validate({"ibm_fms_fsdp", "--stack", "torchtitan-2025", "--markdown", file,
                                  "--require", "median_abs_rel_error < 0.01"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(support::read_file(file),
              HasSubstr("cubicbench validate ibm_fms_fsdp --stack torchtitan-2025 --markdown"));
  const Answer other = validate({"ibm_fms_fsdp", "--unnamed", "--leave-out", "model", "--markdown",
                                 file, "--require", "coverage > 0.9"});
  EXPECT_EQ(other.code, 0) << other.err;
  EXPECT_THAT(support::read_file(file), HasSubstr("ibm_fms_fsdp --unnamed --leave-out model"));
}

TEST_F(Validate, QualitiesSayWhichRowsCount) {
  const auto excluded = [](const Words& words, const char* reason) {
    Words all{"hf_ultrascale_nanotron_sweep"};
    all.insert(all.end(), words.begin(), words.end());
    return document_of(all)["excluded"][reason].get<int>();
  };
  EXPECT_EQ(excluded({}, "flag"), 18);
  EXPECT_EQ(excluded({"--quality", "ok,flag"}, "flag"), 0);
  EXPECT_EQ(excluded({"--quality", "ok", "--quality", "flag"}, "flag"), 0);
  // ok and early_pp count whether they are named or not
  const auto rows = [](const char* qualities) {
    return document_of({"hf_ultrascale_nanotron_sweep", "--quality", qualities})["rows"].size();
  };
  EXPECT_EQ(rows("flag"), rows("ok,early_pp,flag"));
  EXPECT_EQ(rows("untuned"), rows("ok"));
}

TEST_F(Validate, BadInputIsSaidAtOnceAndNothingElse) {
  const std::string a = write("a/runs.csv", "n_gpus,step_time_s,peak_mem_gib\n8,,1\n");
  const std::string b = write("b/runs.csv", "n_gpus,step_time_s,peak_mem_gib\n8,,1\n");
  const std::string taken = path("a");
  const std::string no_column = write("no_column.csv", "id,n_gpus\n1,8\n");
  const std::string bad_cell = write("bad_cell.csv", "n_gpus,step_time_s\n8,fast\n");
  const std::string utf16 = write("utf16.csv", std::string("\xFF\xFEn\0_\0", 6));
  const std::string latin = write("latin.csv", "n_gpus,step_time_s,model\n8,1,caf\xE9\n");
  const std::string zero = write("zero.csv", std::string("n_gpus\0,step_time_s\n8,1\n", 24));
  const std::string wide =
      write("wide.csv", "n_gpus,step_time_s\n8," + std::string(10'000'000, '1'));
  const std::string open = write("open.csv", "n_gpus,step_time_s\n8,\"1\n");
  const std::string empty = write("empty.csv", "");
  const std::string header = write("header.csv", "n_gpus,step_time_s\n");
  const std::string columns = write("columns.csv", "n_gpus,step_time_s,n_gpus\n8,1,8\n");
  const std::string collective = write("collective.csv", "collective,size_bytes,n_gpus\na,1,8\n");
  const std::string sizes =
      write("sizes.csv", "collective,size_bytes,n_gpus,time_us\nall_reduce,1,8,soon\n");
  struct Case {
    const char* name;
    Words words;
    std::string err;
  };
  for (const Case& c : {
           Case{"no file", {path("none.csv")}, path("none.csv") + ": expected a file, got none\n"},
           Case{"no name",
                {"vtrian"},
                "FILE|NAME: expected a dataset (see cubicbench list datasets) or the path of a CSV "
                "file, got \"vtrian\"; did you mean \"vtrain\"?\n"},
           Case{"no column",
                {no_column},
                no_column + ":1:1: expected a column tokens_per_s_per_gpu or step_time_s, got "
                            "none\n"},
           Case{"bad cell",
                {bad_cell},
                bad_cell + ":2:3: expected a number above 0 in column step_time_s, got \"fast\"\n"},
           Case{"UTF-16",
                {utf16},
                utf16 + ":1:1: expected UTF-8 text, got the byte order mark of UTF-16\n"},
           Case{"Latin-1", {latin}, latin + ":2:8: expected UTF-8 text, got the byte 0xe9\n"},
           Case{"zero byte",
                {zero},
                zero + ":1:7: expected UTF-8 text, got a zero byte, as in UTF-16\n"},
           Case{"long line",
                {wide},
                wide + ":2:3: expected a line of at most 1048576 bytes, got more\n"},
           Case{"open quote",
                {open},
                open + ":2:3: expected a closing quote, got the end of the file\n"},
           Case{"empty",
                {empty},
                empty + ":1:1: expected a header with the names of the columns, got nothing\n"},
           Case{"header only",
                {header},
                header + ":2:1: expected a row below the header, got the end of the file\n"},
           Case{"two columns",
                {columns},
                columns + ":1:20: expected a column name of its own, got \"n_gpus\" again\n"},
           Case{"no time of a collective",
                {collective},
                collective + ":1:1: expected a column time_us, algbw_gbps or busbw_gbps, got "
                             "none\n"},
           Case{"bad cell of a collective",
                {sizes},
                sizes + ":2:16: expected a number above 0 in column time_us, got \"soon\"\n"},
           Case{"two of one stem",
                {a, b},
                b + ": expected a table of another name than " + a + ", got \"runs\" again\n"},
           Case{"quality",
                {a, "--quality", "ok,untunde"},
                "--quality: expected one of ok, early_pp, flag, untuned, got \"untunde\"; did you "
                "mean \"untuned\"?\n"},
           Case{"condition",
                {a, "--require", "coverage => 1"},
                "--require: \"coverage => 1\", column 10: expected an operator or the end, got "
                "\"=\"\n"},
           Case{"terms of runs that do not ship",
                {a, "--ablation"},
                "--ablation: expected none of FILE|NAME, --quality, --stack, --unnamed and "
                "--leave-out beside it: constants are fitted to tables that ship\n"},
           Case{"one stack, and fits without a source",
                {"ibm_fms_fsdp", "--stack", "megatron-2021", "--leave-out", "source"},
                "--leave-out: expected no --stack beside it: it plays all rows by one stack\n"},
           Case{"several things",
                {bad_cell, "--require", "1 <", "--markdown", "table.txt", "--threads", "0"},
                "--threads: expected an integer in [1, 4096], got \"0\"\n" + bad_cell +
                    ":2:3: expected a number above 0 in column step_time_s, got \"fast\"\n"
                    "--require: \"1 <\", column 4: expected a number, a name, a path in quotes or "
                    "\"(\", got the end\n"
                    "--markdown: expected a file name that ends in .md, got \"table.txt\"\n"},
           Case{"folder in use",
                {a, "--out", taken},
                taken + ": expected a new or empty folder, got one with \"runs.csv\"\n"},
       }) {
    SCOPED_TRACE(c.name);
    const Answer answer = validate(c.words);
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.out, "");
    EXPECT_EQ(answer.err, c.err);
  }
}

TEST_F(Validate, WritesAPageAndATable) {
  const Answer answer =
      validate({"mlperf_dlrm_results", "--out", path("page"), "--markdown", path("docs/v.md")});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("Open " + path("page/index.html") + " in a browser.\n"));
  EXPECT_TRUE(fs::exists(path("page/index.html")));
  const std::string text = read("docs/v.md");
  EXPECT_THAT(text, HasSubstr("mlperf_dlrm_results"));
  EXPECT_THAT(text, HasSubstr("\n    cubicbench validate mlperf_dlrm_results --markdown v.md\n"));
  EXPECT_EQ(text.find("baseline"), std::string::npos);
}

TEST_F(Validate, NoTableIsWrittenOver) {
  const std::string runs = write("runs.md", "n_gpus,step_time_s,peak_mem_gib\n8,,1\n");
  const Answer answer =
      validate({runs, "--markdown", path("../") + folder_.path().filename().string() + "/runs.md"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_EQ(answer.out, "");
  EXPECT_THAT(answer.err,
              StartsWith("--markdown: expected another file than those that are read, got "));
  EXPECT_EQ(read("runs.md"), "n_gpus,step_time_s,peak_mem_gib\n8,,1\n");
}

TEST_F(Validate, NoMarkdownIsLeftWhereThePageFails) {
  const Answer answer =
      validate({"mlperf_dlrm_results", "--out", "/proc/none/page", "--markdown", path("v.md")});
  EXPECT_EQ(answer.code, 3) << answer.err;
  EXPECT_EQ(answer.out, "");
  EXPECT_FALSE(fs::exists(path("v.md")));
}

TEST_F(Validate, WhatCannotBeWrittenIsTheWorldsFault) {
  const std::string file = write("file", "");
  const Answer answer = validate({"mlperf_dlrm_results", "--markdown", file + "/v.md"});
  EXPECT_EQ(answer.code, 3);
  EXPECT_EQ(answer.out, "");
  EXPECT_THAT(answer.err, StartsWith("--markdown: cannot write " + file));
}

TEST(ValidateHelp, ShowsItsOptions) {
  const Answer answer = ask("validate --help");
  for (const char* text : {"FILE|NAME", "--quality Q[,..]", "--require EXPR", "--out DIR",
                           "--markdown FILE", "--ablation", "--json", "--threads N"}) {
    EXPECT_THAT(answer.out, HasSubstr(text));
  }
  std::istringstream lines(answer.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

}  // namespace
}  // namespace cubicbench::cli
