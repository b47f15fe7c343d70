#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "datasets/mapping/measured_run.h"
#include "datasets/tables/measurement.h"
#include "support/csv.h"
#include "tests/cli/folder_test.h"
#include "tests/cli/program.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class Dataset : public FolderTest {
 protected:
  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
      if (!entry.is_regular_file()) continue;
      names.insert(fs::relative(entry.path(), folder_.path()).string());
    }
    return names;
  }
};

TEST_F(Dataset, DescribesATableAsJson) {
  write("runs.csv",
        "id,n_gpus,model,tokens_per_s_per_gpu,status,mood\n"
        "a,8,gpt,100,ok,\nb,16,gpt,,oom,\nc,16,llama,50,ok,fine\n");
  const Answer answer = ask("dataset describe --json " + path("runs.csv"));
  ASSERT_EQ(answer.code, 0) << answer.err;
  const Json document = Json::parse(answer.out);
  std::vector<std::string> keys;
  for (const auto& [key, value] : document.items()) keys.push_back(key);
  EXPECT_EQ(keys,
            (std::vector<std::string>{"schema", "version", "name", "rows", "columns", "status"}));
  EXPECT_EQ(document["schema"], "cubicbench.dataset/1");
  EXPECT_EQ(document["name"], "runs");
  EXPECT_EQ(document["rows"], 3);
  ASSERT_EQ(document["columns"].size(), 6U);
  EXPECT_EQ(document["columns"][1].dump(),
            R"({"name":"n_gpus","kind":"number","missing":0,"values":2})");
  EXPECT_EQ(document["columns"][3].dump(),
            R"({"name":"tokens_per_s_per_gpu","kind":"number","missing":1,"values":2})");
  EXPECT_EQ(document["columns"][5].dump(),
            R"({"name":"mood","kind":"category","missing":2,"values":1})");
  EXPECT_EQ(document["status"].dump(), R"({"ok":2,"oom":1,"other":0,"requirement":0})");
}

TEST_F(Dataset, DescribesATableAsText) {
  write("runs.csv",
        "n_gpus,model,tokens_per_s_per_gpu,status\n"
        "8,gpt,100,ok\n16,gpt,,oom\n16,llama,50.5,ok\n");
  EXPECT_EQ(ask("dataset describe " + path("runs.csv")).out,
            "runs: 3 rows, 2 ok, 1 oom\n"
            "\n"
            "Predictors learn the rate from 2 jobs and what fits from 3.\n"
            "\n"
            "column                kind      missing  values  content\n"
            "n_gpus                number          0       2  8 to 16\n"
            "model                 category        0       2  gpt (2), llama\n"
            "tokens_per_s_per_gpu  number          1       2  50.5 to 100\n"
            "status                category        0       2  ok (2), oom\n"
            "\n"
            "Next:\n  cubicbench predict " +
                path("runs.csv") + "\n");
}

TEST_F(Dataset, DescribesWhatShips) {
  const Answer sweep = ask("dataset describe hf_ultrascale_nanotron_sweep");
  EXPECT_TRUE(sweep.out.starts_with(
      "hf_ultrascale_nanotron_sweep: 2,893 rows, 1,207 ok, 1,359 oom, 327 other\n"
      "\n"
      "Predictors learn the rate from 853 jobs and what fits from 2,548.\n"))
      << sweep.out;
  EXPECT_EQ(Json::parse(ask("dataset describe llm-history --json").out)["rows"], 1000);
}

TEST_F(Dataset, DescribesTablesOfOtherKinds) {
  const Answer text = ask("dataset describe vtrain_allreduce_luts");
  EXPECT_TRUE(text.out.starts_with(
      "vtrain_allreduce_luts: 756 rows, 756 ok\n"
      "\n"
      "Predictors cannot learn from this table (collectives); validate reads it.\n"))
      << text.out;
  const Json document = Json::parse(ask("dataset describe mlperf_dlrm_results --json").out);
  EXPECT_EQ(document["rows"], 15);
  EXPECT_EQ(document["status"]["ok"], 15);
  for (const char* line :
       {"predict vtrain_allreduce_luts --predictor ridge",
        "dataset split vtrain_allreduce_luts --split random --train 5 --out x"}) {
    const Answer refused = ask(line);
    EXPECT_EQ(refused.code, 2) << line;
    EXPECT_EQ(refused.out, "");
    EXPECT_EQ(refused.err,
              "vtrain_allreduce_luts:1:1: expected the columns of training runs, got those of "
              "collectives\n");
  }
}

TEST_F(Dataset, RowsWithoutAGpuCountAreLeftOutEverywhereAlike) {
  write("runs.csv",
        "model,n_gpus,tokens_per_s_per_gpu\n"
        "a,8,100\na,,100\nb,8,90\nb,,90\nc,16,80\nd,32,70\n");
  const std::string file = path("runs.csv");
  const std::string note =
      "2 rows would be jobs and have no n_gpus, the first in line 3; they are left out";
  const std::string text = ask("dataset describe " + file).out;
  EXPECT_TRUE(
      text.starts_with("runs: 6 rows, 6 ok\n"
                       "\n"
                       "Predictors learn the rate from 4 jobs and what fits from 4.\n"
                       "\n"
                       "Note: 2 rows would be jobs and have no n_gpus, the first in line 3; they "
                       "are\nleft out.\n\n"))
      << text;
  for (const std::string& line :
       {"predict " + file + " --predictor constant --train 2 --repeats 1",
        "dataset split " + file + " --split random --train 2 --out " + path("parts")}) {
    SCOPED_TRACE(line);
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(ask(line).code, 0);
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "cubicbench: " + note + "\n");
  }
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(ask("predict " + file + " --predictor constant --train 2 --quiet").code, 0);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST_F(Dataset, WithoutATimeThereIsNothingToSplit) {
  write("alloom.csv", "n_gpus,tokens_per_s_per_gpu,status\n8,,oom\n16,,oom\n");
  for (const std::string split : {"random", "time", "workload"}) {
    SCOPED_TRACE(split);
    const Answer answer = ask("predict " + path("alloom.csv") + " --split " + split);
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.err, path("alloom.csv") + ": expected jobs with a time, got none\n");
  }
}

TEST_F(Dataset, SaysWhereATableIsWrong) {
  write("runs.csv", "n_gpus,tokens_per_s_per_gpu\n8,fast\nmany,5\n");
  const Answer answer = ask("dataset describe " + path("runs.csv"));
  EXPECT_EQ(answer.code, 2);
  EXPECT_EQ(answer.out, "");
  EXPECT_EQ(answer.err,
            path("runs.csv") +
                ":2:3: expected a number above 0 in column tokens_per_s_per_gpu, got \"fast\"\n" +
                path("runs.csv") +
                ":3:1: expected an integer of at least 1 in column n_gpus, got \"many\"\n");
}

TEST_F(Dataset, SplitKeepsColumnsAndTextOfTheRows) {
  const std::string header = "note,n_gpus,tokens_per_s_per_gpu,status";
  const std::set<std::string> rows{"\"a, b\",8,100.0,ok", "x,8,1e2,ok", ",16,99,ok",
                                   "\"two\nlines\",32,98,ok", "\"\"\"\",64,97,ok"};
  std::string text = header + "\r\n";
  for (const std::string& row : rows) text += row + "\r\n";
  text += "out,8,,oom\r\n";  // no timed job
  write("runs.csv", text);
  const Answer answer = ask("dataset split " + path("runs.csv") +
                            " --split scale --train 10 --json --out " + path("parts"));
  ASSERT_EQ(answer.code, 0) << answer.err;
  const Json document = Json::parse(answer.out);
  EXPECT_EQ(document["split"], "scale");
  EXPECT_EQ(document["train"], 2);  // at or below 8 GPUs: two of five, nearer to a half than 3
  EXPECT_EQ(document["test"], 3);
  std::set<std::string> found;
  for (const char* part : {"parts/train.csv", "parts/test.csv"}) {
    const std::string written = read(part);
    const support::CsvTable table = support::read_csv(written, part);
    EXPECT_EQ(table.header.text, header);
    for (const support::CsvRecord& record : table.records) found.emplace(record.text);
  }
  EXPECT_EQ(found, rows);
  EXPECT_EQ(files(), (std::set<std::string>{"runs.csv", "parts/train.csv", "parts/test.csv"}));
}

TEST_F(Dataset, SplitRepeatsAreOtherDraws) {
  const std::string split = "dataset split hf_ultrascale_nanotron_sweep --split random --train 40";
  const Answer first = ask(split + " --out " + path("a"));
  ASSERT_EQ(first.code, 0);
  EXPECT_THAT(first.out, testing::HasSubstr("cubicbench predict hf_ultrascale_nanotron_sweep\n"));
  ASSERT_EQ(ask(split + " --repeat 0 --out " + path("b")).code, 0);
  ASSERT_EQ(ask(split + " --repeat 1 --out " + path("c")).code, 0);
  EXPECT_EQ(read("a/train.csv"), read("b/train.csv"));
  EXPECT_EQ(read("a/test.csv"), read("b/test.csv"));
  EXPECT_NE(read("a/train.csv"), read("c/train.csv"));
}

TEST_F(Dataset, GeneratesTheSameHistoryWhateverTheThreads) {
  const std::string generate =
      "dataset generate llm-history --jobs 60 --days 10 --gpus-min 16 "
      "--gpus-max 512 --seed 3 --out ";
  const Answer answer = ask(generate + path("deep/h1.csv") + " --threads 1");
  EXPECT_EQ(answer.out, path("deep/h1.csv") +
                            ": 60 generated jobs\n\nNext:\n  cubicbench predict " +
                            path("deep/h1.csv") + "\n")
      << answer.err;
  ask(generate + path("h8.csv") + " --threads 8");
  EXPECT_EQ(read("deep/h1.csv"), read("h8.csv"));
  const Json document = Json::parse(ask("dataset describe --json " + path("h8.csv")).out);
  EXPECT_EQ(document["rows"], 60);
  for (const Json& column : document["columns"]) {
    if (column["name"] == "n_gpus") {
      EXPECT_GT(column["values"], 1);
    }
  }
}

TEST_F(Dataset, ImportsALanguageModelSearch) {
  ASSERT_EQ(ask("search tiny-llama --searcher random,evolution --trials 6 --quiet --out " +
                path("search"))
                .code,
            0);
  const Answer answer = ask("dataset import " + path("search") + " --out " + path("runs.csv"));
  EXPECT_THAT(answer.out, testing::StartsWith(path("runs.csv") + ": 12 launches of 2 studies\n"));
  const std::string text = read("runs.csv");
  const support::CsvTable table = support::read_csv(text, "runs.csv");
  ASSERT_EQ(table.records.size(), 12U);
  const auto cell = [&](std::size_t row, const char* column) {
    return table.records[row].cells[table.column(column).value()].text;
  };
  for (std::size_t row = 0; row < 12; ++row) {
    EXPECT_EQ(cell(row, "model"), "tied llama-like tiny-llama");
    EXPECT_EQ(cell(row, "fabric"), "nvlink");
    EXPECT_EQ(cell(row, "n_gpus"), "8");
    EXPECT_TRUE(cell(row, "source").starts_with("cubicbench search tiny-llama.0."));
    const std::int64_t gpus = std::stoll(cell(row, "dp")) * std::stoll(cell(row, "tp")) *
                              std::stoll(cell(row, "pp")) * std::stoll(cell(row, "cp"));
    EXPECT_EQ(gpus, 8);
    const std::int64_t batch = std::stoll(cell(row, "dp")) * std::stoll(cell(row, "micro_batch")) *
                               std::stoll(cell(row, "grad_accum"));
    EXPECT_EQ(batch, std::stoll(cell(row, "global_batch")));
  }
  // The simulator can play every row, so that predictors may ask it.
  for (const datasets::Measurement& run :
       datasets::read_measurements(text, path("runs.csv")).rows) {
    const datasets::MappedRun mapped = datasets::map_run(run);
    EXPECT_TRUE(mapped.run.has_value()) << mapped.reason;
  }
  EXPECT_EQ(cell(0, "searcher"), "evolution");
  EXPECT_EQ(cell(11, "searcher"), "random");
}

TEST_F(Dataset, RefusesWhatTheSchemaCannotHold) {
  ASSERT_EQ(ask("search ads-73b --searcher random --trials 2 --quiet --out " + path("search")).code,
            0);
  const Answer answer = ask("dataset import " + path("search") + " --out " + path("runs.csv"));
  EXPECT_EQ(answer.code, 2);
  EXPECT_EQ(answer.err,
            "ads-73b.0.random.0: expected a language model, got a recommendation model, for whose "
            "knobs measured runs have no columns\n");
  EXPECT_FALSE(fs::exists(path("runs.csv")));
}

TEST_F(Dataset, RefusesASearchOnATable) {
  ASSERT_EQ(ask("search nanotron-3.57b-128gpu --searcher random --trials 2 --quiet --out " +
                path("search"))
                .code,
            0);
  const std::string import = "dataset import " + path("search") + " --out " + path("runs.csv");
  for (const std::string& line : {import, import + " --scenario nanotron-3.57b-128gpu"}) {
    const Answer answer = ask(line);
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.err,
              "nanotron-3.57b-128gpu.0.random.0: expected a search that launched jobs, got one on "
              "a table of runs: these are measured already, learn from that table itself\n");
  }
  EXPECT_FALSE(fs::exists(path("runs.csv")));
}

TEST_F(Dataset, RefusesBadCommandLines) {
  fs::create_directories(path("full/something"));
  struct Case {
    std::string line;
    std::string message;
  };
  const std::string sweep = "hf_ultrascale_nanotron_sweep";
  for (const Case& c :
       {Case{"dataset", "dataset: expected generate, describe, split or import, got nothing\n"},
        Case{"dataset describ",
             "dataset: expected generate, describe, split or import, got \"describ\"; did you "
             "mean \"describe\"?\n"},
        Case{"dataset describe",
             "dataset: expected the dataset to describe; see cubicbench list datasets\n"},
        Case{"dataset describe a.csv b.csv", "b.csv: unexpected argument\n"},
        Case{"dataset describe llm-histry",
             "dataset describe: expected a dataset (see cubicbench list datasets) or the path "
             "of a CSV file, got \"llm-histry\"; did you mean \"llm-history\"?\n"},
        Case{"dataset describe ./none.csv", "./none.csv: expected a file, got none\n"},
        Case{"dataset describe " + sweep + " --train 5 --seed 1",
             "--seed: expected with dataset generate, got dataset describe\n"
             "--train: expected with dataset split, got dataset describe\n"},
        Case{"dataset split " + sweep + " --split tme --repeat -1",
             "--split: expected one of random, time, scale, workload, cluster, searcher, got "
             "\"tme\"; did you mean \"time\"?\n"
             "--train: expected a number of rows to learn from, got nothing\n"
             "--repeat: expected an integer in [0, 1000000000], got \"-1\"\n"
             "--out: expected a folder, got nothing\n"},
        Case{"dataset split " + sweep + " --split random --train 5 --out " + path("full"),
             path("full") + ": expected a new or empty folder, got one with \"something\"\n"},
        Case{"dataset split " + sweep + " --split time --train 5 --out " + path("new"),
             sweep + ": expected jobs of at least two days, got one\n"},
        Case{"dataset generate " + sweep + " --jobs 0 --gpus-min 12 --out x.txt",
             "dataset generate: expected llm-history, the only dataset that is generated, got "
             "\"" +
                 sweep +
                 "\"\n"
                 "--jobs: expected an integer in [1, 1000000], got \"0\"\n"
                 "--gpus-min: expected a power of two, got 12\n"
                 "--out: expected a file name that ends in .csv, got \"x.txt\"\n"},
        Case{"dataset generate llm-history --gpus-min 64 --gpus-max 32 --out x.csv",
             "--gpus-min: expected at most --gpus-max, 32, got 64\n"},
        Case{"dataset import --out x.csv", "dataset import: expected the folder of a search\n"},
        Case{"dataset import " + path("full") + " --out x.csv",
             path("full") + ": expected the folder of a search, got one without plan.json\n"}}) {
    SCOPED_TRACE(c.line);
    const Answer answer = ask(c.line);
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.out, "");
    EXPECT_EQ(answer.err, c.message);
  }
  EXPECT_FALSE(fs::exists(path("new")));
}

}  // namespace
}  // namespace cubicbench::cli
