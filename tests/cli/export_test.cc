// That the files are there and begin as they should; python/tests/test_exports.py reads all of
// them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/folder_test.h"
#include "tests/cli/program.h"

namespace cubicbench::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class ExportCommand : public FolderTest {
 protected:
  void SetUp() override {
    const Answer answer = ask(
        "search tiny-llama --trials 6 --seeds 12 --searcher random,evolution:population=3 --quiet "
        "--out " +
        path("s"));
    ASSERT_EQ(answer.code, 0) << answer.err;
  }

  std::vector<std::string> exported(const std::string& format) const {
    const Answer answer =
        ask("export " + path("s") + " --format " + format + " --json --out " + path(format));
    EXPECT_EQ(answer.code, 0) << answer.err;
    return nlohmann::json::parse(answer.out).at("files");
  }

  static std::ptrdiff_t lines(const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
  }
};

TEST_F(ExportCommand, WritesIohprofiler) {
  const std::vector<std::string> files = exported("iohprofiler");
  ASSERT_EQ(files.size(), 4U);
  EXPECT_EQ(files[2], "random/IOHprofiler_f1_tiny-llama.json");
  EXPECT_THAT(files[3], StartsWith("random/data_f1_tiny-llama/IOHprofiler_f1_DIM"));
  const auto index = nlohmann::json::parse(read("iohprofiler/" + files[2]));
  EXPECT_EQ(index.at("scenarios").at(0).at("runs").size(), 12U);
  EXPECT_EQ(index.at("maximization"), true);
  // Runs are in the order of their names, as the rows of the data file are.
  EXPECT_EQ(index.at("scenarios").at(0).at("runs").at(2).at("seed"), 10);
  EXPECT_THAT(read("iohprofiler/" + files[3]),
              StartsWith("evaluations raw_y measured cost_gpu_hours\n1 "));
}

TEST_F(ExportCommand, WritesCoco) {
  const std::vector<std::string> files = exported("coco");
  ASSERT_EQ(files.size(), 6U);
  EXPECT_EQ(files[3], "random/bbobexp_f1_i1.info");
  EXPECT_THAT(read("coco/" + files[3]), StartsWith("suite = 'cubicbench', funcId = 1, DIM = "));
  EXPECT_THAT(read("coco/" + files[3]), HasSubstr(".dat, 1:6|"));
  EXPECT_THAT(read("coco/" + files[4]), StartsWith("% function evaluation | noise-free fitness - "
                                                   "Fopt (-"));
  EXPECT_GE(lines(read("coco/" + files[5])), lines(read("coco/" + files[4])));
}

TEST_F(ExportCommand, WritesT4) {
  const std::vector<std::string> files = exported("t4");
  ASSERT_EQ(files.size(), 24U);
  EXPECT_EQ(files[12], "tiny-llama.0.random.0.json");
  const auto document = nlohmann::json::parse(read("t4/" + files[12]));
  EXPECT_EQ(document.at("schema_version"), "1.0.0");
  EXPECT_EQ(document.at("results").size(), 6U);
}

TEST_F(ExportCommand, WritesOptuna) {
  EXPECT_THAT(exported("optuna"), ElementsAre("optuna.log"));
  const std::string text = read("optuna/optuna.log");
  EXPECT_EQ(lines(text), 24 * (1 + 8 + 6));  // the study, its attributes, its trials
  for (std::size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1) {
    EXPECT_TRUE(nlohmann::json::accept(text.substr(begin, text.find('\n', begin) - begin)));
  }
}

TEST_F(ExportCommand, GivesTheSameBytesAgain) {
  for (const std::string format : {"iohprofiler", "coco", "t4", "optuna"}) {
    for (const std::string& file : exported(format)) {
      const std::string before = read(format + "/" + file);
      EXPECT_EQ(
          ask("export " + path("s") + " --format " + format + " --threads 1 --out " + path("again"))
              .code,
          0);
      EXPECT_EQ(read("again/" + file), before) << file;
      break;
    }
  }
}

class ExportOfShortLaunches : public ExportCommand {
 protected:
  void SetUp() override {
    const Answer answer =
        ask("search tiny-llama --trials 12 --searcher hyperband --quiet --out " + path("s"));
    ASSERT_EQ(answer.code, 0) << answer.err;
    std::istringstream journal(read("s/journals/tiny-llama.0.hyperband.0.jsonl"));
    double charged = 0.0;
    for (std::string text; std::getline(journal, text);) {
      const auto line = nlohmann::json::parse(text);
      if (!line.contains("trial")) continue;
      const bool is_whole = line.at("fidelity").is_null();
      charged += is_whole ? 1.0 : 0.125 + 0.875 * line.at("fidelity").get<double>();
      if (is_whole && line.at("state") == "complete") places_.push_back(std::ceil(charged));
    }
    ASSERT_GT(places_.size(), 2U);
  }

  /// First numbers of the lines that begin with one.
  static std::vector<double> first_column(const std::string& text) {
    std::vector<double> numbers;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      double number = 0.0;
      if (std::istringstream(line) >> number) numbers.push_back(number);
    }
    return numbers;
  }

  std::vector<double> places_{};  ///< of whole launches in the budget: charged by then, rounded up
};

TEST_F(ExportOfShortLaunches, HasThemInTables) {
  exported("csv");
  EXPECT_THAT(read("csv/launches.csv"), HasSubstr(",round,fidelity,config\n"));
  EXPECT_THAT(read("csv/launches.csv"), HasSubstr(",0,0.0625,\"{"));
  EXPECT_THAT(read("csv/launches.csv"), HasSubstr(",0,1,\"{"));
}

TEST_F(ExportOfShortLaunches, CountsThemInPartWhereRowsAreEvaluations) {
  const auto iohprofiler = exported("iohprofiler");
  EXPECT_EQ(first_column(read("iohprofiler/" + iohprofiler.back())), places_);
  const auto index = nlohmann::json::parse(read("iohprofiler/" + iohprofiler.front()));
  EXPECT_EQ(index.at("scenarios").at(0).at("runs").at(0).at("evals"), 12);
  const auto coco = exported("coco");
  EXPECT_THAT(read("coco/" + coco.front()), HasSubstr(".dat, 1:12|"));
  std::vector<double> rows = first_column(read("coco/" + coco.back()));
  if (rows.size() > places_.size()) rows.pop_back();  // the end of the budget has a row of its own
  EXPECT_EQ(rows, places_);
}

TEST_F(ExportOfShortLaunches, NamesThemWhereRowsAreLaunches) {
  exported("t4");
  EXPECT_THAT(read("t4/tiny-llama.0.hyperband.0.json"),
              HasSubstr("{\"name\":\"fidelity\",\"value\":0.0625,\"unit\":\"\"}"));
  exported("optuna");
  std::istringstream log(read("optuna/optuna.log"));
  std::size_t complete = 0;
  for (std::string line; std::getline(log, line);) {
    const auto record = nlohmann::json::parse(line);
    if (!record.contains("state")) continue;
    const bool is_short = record.at("user_attrs").contains("fidelity");
    if (record.at("state") == 1) ++complete;
    EXPECT_FALSE(is_short && record.at("state") == 1);
  }
  EXPECT_EQ(complete, places_.size());
}

TEST_F(ExportCommand, WritesAllOfItsFilesOrNone) {
  struct Case {
    std::string format;
    std::string blocked;  ///< the last file of the export, where a folder stands
  };
  for (const Case& c : {Case{"csv", "launches.csv"}, Case{"csv", "studies.csv"},
                        Case{"iohprofiler", "random/IOHprofiler_f1_tiny-llama.json"},
                        Case{"coco", "random/bbobexp_f1_i1.info"}}) {
    SCOPED_TRACE(c.format + " " + c.blocked);
    const TemporaryFolder out;
    write_text(out / c.blocked / "mine", "");
    const Answer answer =
        ask("export " + path("s") + " --format " + c.format + " --out " + out.path().string());
    EXPECT_EQ(answer.code, 3);
    EXPECT_THAT(answer.err, HasSubstr("Is a directory"));
    EXPECT_EQ(files_below(out.path()).size(), 1U);
    std::filesystem::remove_all(out / c.blocked);
    EXPECT_EQ(
        ask("export " + path("s") + " --format " + c.format + " --out " + out.path().string()).code,
        0);
    EXPECT_FALSE(std::filesystem::exists(out / ".export.tmp"));
  }
}

TEST_F(ExportCommand, RefusesWhatIsNoSearch) {
  ASSERT_EQ(
      ask("search tiny-gpt --searcher random --trials 2 --quiet --shard 2/2 --out " + path("shard"))
          .code,
      0);
  for (const std::string format : {"csv", "reference", "iohprofiler", "coco", "t4", "optuna"}) {
    const Answer answer =
        ask("export " + path("none") + " --format " + format + " --out " + path("out"));
    EXPECT_EQ(answer.code, 2) << format;
    EXPECT_EQ(answer.out, "");
    EXPECT_FALSE(std::filesystem::exists(path("out"))) << format;
    EXPECT_EQ(ask("export " + path("shard") + " --format " + format + " --out " + path("out")).code,
              2);
    EXPECT_FALSE(std::filesystem::exists(path("out"))) << format << ", a shard without studies";
  }
}

}  // namespace
}  // namespace cubicbench::cli
