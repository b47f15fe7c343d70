#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "predictor/learners/registry.h"
#include "tests/cli/program.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

/// A small one: 200 configurations of a space of thousands, two quick predictors.
const std::string small =
    "predict tiny-gpt --rows 200 --predictor constant,knn --train 20,60 --repeats 3";

Json predicted(const std::string& line) {
  const Answer answer = ask(line + " --json");
  EXPECT_EQ(answer.code, 0) << answer.err;
  return Json::parse(answer.out);
}

TEST(Predict, JsonHasAnEntryAPredictorAndSize) {
  const Json document = predicted(small);
  EXPECT_EQ(document["schema"], "cubicbench.predict/1");
  EXPECT_EQ(document["dataset"], "tiny-gpt");
  EXPECT_EQ(document["split"], "random");
  ASSERT_EQ(document["results"].size(), 4U);
  const auto entry = [&](std::size_t i) {
    const Json& result = document["results"][i];
    return result["predictor"].get<std::string>() + " " + result["train"].dump();
  };
  EXPECT_EQ(entry(0), "constant 20");
  EXPECT_EQ(entry(1), "constant 60");
  EXPECT_EQ(entry(2), "knn 20");
  EXPECT_EQ(entry(3), "knn 60");
  for (const Json& result : document["results"]) {
    EXPECT_EQ(result["repeats"], 3);
    // What is not learnt from is predicted, of a random split.
    EXPECT_EQ(result["train"].get<int>() + result["test"].get<int>(), document["rows"]);
  }
  // One value for all ranks nothing; neighbours do.
  EXPECT_EQ(document["results"][1]["kendall"]["mean"], 0.0);
  EXPECT_GT(document["results"][3]["kendall"]["mean"], 0.2);
}

TEST(Predict, EqualCommandsGiveEqualBytesWhateverTheThreads) {
  const std::string once = ask(small + " --json --threads 1").out;
  EXPECT_THAT(once, StartsWith("{"));
  EXPECT_EQ(ask(small + " --json --threads 4").out, once);
  EXPECT_EQ(ask(small + " --json --quiet").out, once);
  EXPECT_NE(ask(small + " --json --seed 1").out, once);
}

TEST(Predict, TextNamesEveryPredictorAndFitsATerminal) {
  const Answer answer = ask("predict tiny-gpt --rows 120 --train 30 --repeats 2");
  ASSERT_EQ(answer.code, 0) << answer.err;
  for (const predictor::PredictorEntry& entry : predictor::predictors()) {
    EXPECT_THAT(answer.out, HasSubstr("\n" + std::string(entry.name) + " ")) << answer.out;
  }
  std::istringstream lines(answer.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
}

TEST(Predict, TheRealSweepIsReadUnderItsNameWithoutPrivileges) {
  const Json document = predicted(
      "predict hf_ultrascale_nanotron_sweep --predictor ridge,knn --train 40 "
      "--repeats 2");
  EXPECT_EQ(document["dataset"], "hf_ultrascale_nanotron_sweep");
  EXPECT_EQ(document["rows"], 853);
  for (const Json& result : document["results"]) EXPECT_EQ(result["privileged"], false);
  EXPECT_TRUE(document["noise_ceiling"]["kendall"].is_null());
}

TEST(Predict, MoreTrainingJobsThanThereAreTakesThoseThereAre) {
  const Json document =
      predicted("predict tiny-gpt --rows 50 --predictor knn --train 1000 --repeats 1");
  EXPECT_LT(document["results"][0]["train"].get<int>(), 50);
  EXPECT_GE(document["results"][0]["test"].get<int>(), 1);
}

/// Without the lines that a command which takes long says meanwhile.
std::string without_progress(const std::string& said) {
  std::string kept;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("cubicbench: ")) kept += line + "\n";
  }
  return kept;
}

TEST(Predict, SaysWhichSizesTheJobsAreTooFewFor) {
  const auto said = [](const std::string& more) {
    testing::internal::CaptureStderr();
    const Answer answer =
        ask("predict hf_ultrascale_nanotron_sweep --predictor constant,gpu-count "
            "--repeats 1 --train 300,852,853" +
            more);
    EXPECT_EQ(answer.code, 0) << answer.err;
    return testing::internal::GetCapturedStderr();
  };
  // A tenth of 853 jobs, 86, is tested.
  const std::string random =
      "cubicbench: asked to learn from 852 jobs, 767 can be learnt from\n"
      "cubicbench: asked to learn from 853 jobs, 767 can be learnt from\n";
  EXPECT_EQ(without_progress(said("")), random);
  EXPECT_EQ(without_progress(said(" --json")), random);
  EXPECT_EQ(said(" --quiet"), "");
}

TEST(Predict, OutHoldsAPageItsFiguresAndTheirNumbers) {
  const TemporaryFolder parent;
  const fs::path folder = parent / "new";
  const Answer answer = ask(small + " --out " + folder.string());
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, EndsWith("\nOpen " + folder.string() + "/index.html in a browser.\n"));
  const std::string page = read_text(folder / "index.html");
  EXPECT_THAT(page, HasSubstr("<svg"));
  EXPECT_THAT(page, HasSubstr("cubicbench predict tiny-gpt --rows 200 --predictor constant,knn "
                              "--split random --train 20,60 --repeats 3"));
  for (const char* file : {"prediction.csv", "scatter.svg", "scatter.csv", "training.svg"}) {
    EXPECT_FALSE(read_text(folder / file).empty()) << file;
  }
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    EXPECT_EQ(read_text(entry.path()).find(folder.string()), std::string::npos) << entry.path();
  }
}

TEST(Predict, AFolderWithSomethingInItIsLeftAlone) {
  const TemporaryFolder folder;
  write_text(folder / "mine.txt", "mine");
  const Answer answer = ask(small + " --out " + folder.path().string());
  EXPECT_EQ(answer.code, 2);
  EXPECT_EQ(answer.out, "");
  EXPECT_EQ(answer.err, folder.path().string() +
                            ": expected a new or empty folder, got one with \"mine.txt\"\n");
  EXPECT_EQ(read_text(folder / "mine.txt"), "mine");
}

TEST(Predict, AFileIsNoFolder) {
  const TemporaryFolder folder;
  const std::string file = folder / "mine.txt";
  write_text(file, "mine");
  const Answer answer = ask(small + " --out " + file);
  EXPECT_EQ(answer.code, 2);
  EXPECT_EQ(answer.err, file + ": expected a new or empty folder, got a file\n");
  const Answer below = ask(small + " --out " + file + "/page");
  EXPECT_EQ(below.code, 2);
  EXPECT_EQ(below.err, file + "/page: expected a new or empty folder, got a path through a file\n");
  EXPECT_EQ(read_text(folder / "mine.txt"), "mine");
}

TEST(Predict, UnknownPredictorsAreSaidOneByOne) {
  const Answer answer = ask("predict tiny-gpt --predictor kn,ridge,xgbost");
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err, HasSubstr("got \"kn\"; did you mean \"knn\"?\n"));
  EXPECT_THAT(answer.err, HasSubstr("got \"xgbost\"; did you mean \"xgboost\"?\n"));
}

TEST(Predict, SaysEverythingThatIsWrongWithTheCommand) {
  struct Case {
    const char* line;
    const char* message;
  };
  for (const Case& c : {
           Case{"predict", "predict: expected a SCENARIO|DATASET; see cubicbench predict --help\n"},
           Case{"predict tiny-gptt",
                "SCENARIO|DATASET: unknown scenario or dataset \"tiny-gptt\"; did you mean "
                "\"tiny-gpt\"?\n"},
           Case{"predict hf_ultrascale_nanotron",
                "SCENARIO|DATASET: unknown scenario or dataset \"hf_ultrascale_nanotron\"; did "
                "you mean \"hf_ultrascale_nanotron_sweep\"?\n"},
           Case{"predict ./no/such.csv", "./no/such.csv: expected a file, got none\n"},
           Case{"predict tiny-gpt --predictor knn,ridge,knn --split rnd --train 40,x,40,0 "
                "--repeats 0 "
                "--rows 1 --features launch --seed -1 --threads 0",
                "--threads: expected an integer in [1, 4096], got \"0\"\n"
                "--rows: expected an integer in [2, 1000000], got \"1\"\n"
                "--features: expected with a dataset only: a scenario's are its parameters\n"
                "--predictor: expected each once, got \"knn\" again\n"
                "--split: expected one of random, time, scale, workload, cluster, searcher, got "
                "\"rnd\"\n"
                "--train: expected an integer in [1, 1000000], got \"x\"\n"
                "--train: expected an integer in [1, 1000000], got \"0\"\n"
                "--repeats: expected an integer in [1, 10000], got \"0\"\n"
                "--seed: expected an integer in [0, 2147483647], got \"-1\"\n"},
           Case{"predict hf_ultrascale_nanotron_sweep --rows 5 --train 7,7 --features fabric",
                "--features: expected one of launch, measured-fabric, got \"fabric\"\n"
                "--rows: expected with a scenario only: a dataset has the rows that it has\n"
                "--train: expected each once, got 7 again\n"},
           Case{"predict tiny-gpt --split workload --train 5 --repeats 1 --rows 30 --predictor knn",
                "tiny-gpt: expected jobs of at least two workloads, got one, \"tiny-gpt\"\n"},
       }) {
    SCOPED_TRACE(c.line);
    const Answer answer = ask(c.line);
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.err, c.message);
    EXPECT_EQ(answer.out, "");
  }
}

}  // namespace
}  // namespace cubicbench::cli
