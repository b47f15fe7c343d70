#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "datasets/fits/calibration_plan.h"
#include "tests/cli/folder_test.h"
#include "tests/cli/program.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;

class Calibrate : public FolderTest {
 protected:
  Answer calibrate(const std::string& words, const std::string& out = "out.json") const {
    return ask("calibrate " + words + " --out " + path(out));
  }
};

TEST_F(Calibrate, PrintsTheDocumentAndWritesTheStack) {
  const Answer answer = calibrate("--stack internevo-2023 --json");
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(answer.err, "");
  const Json document = Json::parse(answer.out);
  std::vector<std::string> keys;
  for (const auto& [key, value] : document.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"schema", "version", "constants", "error_before",
                                            "error_after", "error_left_out", "subject", "fits",
                                            "files"}));
  EXPECT_EQ(document["schema"], "cubicbench.calibrate/1");
  EXPECT_EQ(document["subject"]["name"], "internevo-2023");
  EXPECT_EQ(document["files"][0], path("out.json"));
  const Json file = Json::parse(read("out.json"));
  EXPECT_EQ(file["name"], "internevo-2023");
  for (const Json& constant : document["constants"]) {
    SCOPED_TRACE(constant.dump());
    EXPECT_GT(constant["rows"], 10);
    EXPECT_LE(constant["low"], constant["after"]);
    EXPECT_LE(constant["after"], constant["high"]);
    const std::string name = constant["name"];
    EXPECT_EQ(file[name], constant["after"]);
    EXPECT_THAT(
        file["sources"][name].get<std::string>(),
        HasSubstr("repeated by: cubicbench calibrate --stack internevo-2023 --out out.json"));
    EXPECT_THAT(file["sources"][name].get<std::string>(),
                Not(HasSubstr(folder_.path().parent_path().string())));
  }
  EXPECT_LT(document["error_after"], 0.2);  // of the robust fit, which need not lower the median
  EXPECT_TRUE(std::ranges::none_of(fs::directory_iterator(folder_.path()), [](const auto& entry) {
    return entry.path().extension() == ".tmp";
  }));
}

TEST_F(Calibrate, OfItsOwnFileIsTheSameAgain) {
  ASSERT_EQ(calibrate("--stack mosaicml-fsdp1-2023", "first.json").code, 0);
  const Answer again =
      calibrate("mosaicml_llm_foundry --fit gemm_factor --stack " + path("first.json") + " --json",
                "second.json");
  ASSERT_EQ(again.code, 0) << again.err;
  const Json document = Json::parse(again.out);
  for (const Json& constant : document["constants"]) {
    const double before = constant["before"];
    EXPECT_NEAR(constant["after"].get<double>(), before, 0.002 * before) << constant.dump();
  }
}

TEST_F(Calibrate, IsTheSameOnAnyNumberOfThreads) {
  const Answer one = calibrate("--stack mosaicml-fsdp1-2023 --threads 1 --json");
  const std::string file = read("out.json");
  for (const char* const threads : {"2", "8"}) {
    const Answer more =
        calibrate("--stack mosaicml-fsdp1-2023 --json --threads " + std::string(threads));
    EXPECT_EQ(more.out, one.out);
    EXPECT_EQ(read("out.json"), file);
  }
}

TEST_F(Calibrate, ReplacesWhatIsThere) {
  write("out.json", "something else");
  ASSERT_EQ(calibrate("--stack internevo-2023").code, 0);
  EXPECT_EQ(Json::parse(read("out.json"))["name"], "internevo-2023");
}

TEST_F(Calibrate, AClusterOfOnesOwnIsSimulatedWithWhatItsRunsTell) {
  // Runs of one's own cluster: InternEvo's, which took a third longer.
  const std::string runs =
      write("runs.csv", read_text(CUBICBENCH_SOURCE_DIR "/datasets/measured/internevo.csv"));
  Json stack =
      Json::parse(read_text(CUBICBENCH_SOURCE_DIR "/scenarios/stacks/internevo-2023.json"));
  stack["name"] = "mine";
  stack["gemm_factor"] = 0.9;
  stack["sources"]["gemm_factor"] = "a guess";
  const std::string mine = write("mine.json", stack.dump());
  const Answer answer = calibrate(runs + " --stack " + mine + " --fit gemm_factor", "mine.json");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const Json fitted = Json::parse(read_text(mine));
  EXPECT_EQ(fitted["name"], "mine");
  EXPECT_NE(fitted["gemm_factor"], stack["gemm_factor"]);
  EXPECT_THAT(fitted["sources"]["gemm_factor"].get<std::string>(),
              HasSubstr("cubicbench calibrate runs.csv --stack ./mine.json --fit gemm_factor --out "
                        "mine.json"));
  Json scenario =
      Json::parse(read_text(CUBICBENCH_SOURCE_DIR "/scenarios/library/tiny-llama.json"));
  scenario["stack"] = "./mine.json";
  const Answer simulated = ask("simulate " + write("scenario.json", scenario.dump()));
  EXPECT_EQ(simulated.code, 0) << simulated.err;
}

/// What stands between `from` and `to`, everywhere in `text`.
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

TEST_F(Calibrate, ADeviceOfOnesOwnIsKnownByTheNameThatItsRunsGiveIt) {
  const std::string internevo = read_text(CUBICBENCH_SOURCE_DIR "/datasets/measured/internevo.csv");
  const std::string runs = write("runs.csv", replaced(internevo, "a100-sxm-80gb", "my-gpu"));
  Json device =
      Json::parse(read_text(CUBICBENCH_SOURCE_DIR "/scenarios/hardware/a100-sxm-80gb.json"));
  device["name"] = "my-gpu";
  const std::string mine = write("mine.json", device.dump());
  const Answer answer =
      calibrate(runs + " --device " + mine + " --fit training_efficiency --json", "fitted.json");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const Json document = Json::parse(answer.out);
  EXPECT_EQ(document["fits"][0]["runs"], 54);
  const std::string gemm = write(
      "gemm.csv", replaced(read_text(CUBICBENCH_SOURCE_DIR "/datasets/measured/gemm_points.csv"),
                           "A100-PCIe-80GB", "my-gpu"));
  const Answer kernels = calibrate(gemm + " --device " + mine + " --json", "fitted.json");
  ASSERT_EQ(kernels.code, 0) << kernels.err;
  EXPECT_GT(Json::parse(kernels.out)["fits"][0]["skipped"]["another device"], 100);
}

TEST_F(Calibrate, AStackOfOnesOwnIsFittedToTheRowsThatNameIt) {
  const std::string internevo = read_text(CUBICBENCH_SOURCE_DIR "/datasets/measured/internevo.csv");
  Json stack =
      Json::parse(read_text(CUBICBENCH_SOURCE_DIR "/scenarios/stacks/internevo-2023.json"));
  stack["name"] = "mine";
  const std::string mine = write("mine.json", stack.dump());
  const std::string runs = write("runs.csv", replaced(internevo, ",internevo,bf16", ",mine,bf16"));
  const Answer answer = calibrate(
      runs + " ibm_fms_fsdp --stack " + mine + " --fit gemm_factor --json", "fitted.json");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const Json fit = Json::parse(answer.out)["fits"][0];
  EXPECT_EQ(fit["runs"], 54);
  EXPECT_GT(fit["skipped"]["another stack"], 5);
}

TEST_F(Calibrate, ADeviceTakesKernels) {
  const Answer answer = calibrate("attention_points --device h100-sxm-80gb --json");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const Json document = Json::parse(answer.out);
  EXPECT_EQ(document["constants"].size(), 5U);  // four kernels and s_half
  EXPECT_EQ(document["fits"][0]["kernels"], 78);
  EXPECT_EQ(document["fits"][0]["skipped"]["attention that is not causal"], 105);
  const Json file = Json::parse(read("out.json"));
  EXPECT_EQ(file["attention_efficiency"]["flash3"], document["constants"][2]["after"]);
  EXPECT_EQ(calibrate("gemm_points memory_bound_points --device a100-sxm-80gb").code, 0);
}

TEST_F(Calibrate, ADeviceTakesOverTheValuesOfItsTwin) {
  const Answer answer = calibrate("--device a100-sxm-40gb --json");
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(Json::parse(answer.out)["fits"][0]["rows_of"], "a100-sxm-80gb");
  const Json file = Json::parse(read("out.json"));
  EXPECT_EQ(file["name"], "a100-sxm-40gb");
  EXPECT_EQ(file["memory_gib"], 40.0);
  EXPECT_THAT(file["sources"]["gemm_efficiency"].get<std::string>(),
              HasSubstr("as a100-sxm-80gb: fitted to "));
}

TEST_F(Calibrate, TheTextNamesEveryConstantItsIntervalAndTheErrors) {
  const Answer answer = calibrate("--stack internevo-2023");
  ASSERT_EQ(answer.code, 0);
  for (const char* const text :
       {"internevo-2023: ", " runs of 1 model in internevo", "constant", "90 %",
        "latency_per_rank_us", "Median error ", " before, ", "Not used: ", "The stack is in "}) {
    EXPECT_THAT(answer.out, HasSubstr(text));
  }
  std::istringstream lines(answer.out);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(path("")) != std::string::npos) continue;
    EXPECT_LE(line.size(), 80U) << line;
  }
}

TEST_F(Calibrate, FitsWhatCollectivesCost) {
  const Answer answer = calibrate("--collectives nvlink3 --json");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const Json document = Json::parse(answer.out);
  EXPECT_EQ(document["subject"]["kind"], "collectives");
  EXPECT_EQ(document["subject"]["name"], "nvlink3");
  EXPECT_GT(document["fits"][0]["collectives"], 100);
  EXPECT_EQ(document["fits"][0]["models"], 3);  // systems of A100
  EXPECT_LT(document["error_after"], 0.06);
  EXPECT_LT(document["error_left_out"], 0.15);
  const Json file = Json::parse(read("out.json"));
  for (const Json& constant : document["constants"]) {
    const std::string name = constant["name"];
    SCOPED_TRACE(name);
    const std::size_t dot = name.find('.');
    const bool in_table = dot != std::string::npos;
    const Json& value = in_table ? file[name.substr(0, dot)][name.substr(dot + 1)] : file[name];
    EXPECT_EQ(value, constant["after"]);
  }
  const Answer again = calibrate("--collectives " + path("out.json") + " --fit simple.share");
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("timed collectives of 3 systems"));
  EXPECT_THAT(again.out, HasSubstr("The costs are in "));
}

TEST_F(Calibrate, RefusesBadInputInOneMessage) {
  struct Case {
    std::string words;
    std::string message;
  };
  const std::string header = "accelerator,dtype,m,n,k,tflops\n";
  const std::string few = write("few.csv", header + "H100-SXM,bf16,512,512,512,100\n");
  const std::string broken = write("broken.json", "{\"schema\": 1");
  for (const Case& c : std::vector<Case>{
           {"vtrain", "--stack: expected --stack, --device or --collectives, got none"},
           {"--stack mosaicml-fsdp1-2023 --device v100-sxm",
            "--device: expected --stack, --device or --collectives, got both --stack and --device"},
           {"--stack megatron-2022", "--stack: unknown stack \"megatron-2022\""},
           {"--collectives nvlink", "--collectives: unknown collective costs \"nvlink\""},
           {"--collectives sneakernet",
            "--collectives: unknown collective costs \"sneakernet\"; expected one of dcn, "},
           {"--collectives nvlink3 --fit simple.shares",
            "--fit: expected a constant of those costs, got \"simple.shares\"; did you mean "
            "\"simple.share\"?"},
           {"--collectives opa", "expected a table, as no shipped constant of opa was fitted"},
           {"vtrain_allreduce_luts --collectives ib",
            "expected a timed row of ib in vtrain_allreduce_luts, got none"},
           {"--device h100", "--device: unknown device \"h100\""},
           {"--stack ./no-such-file.json", "no-such-file.json"},
           {"--stack " + broken, "broken.json:1:"},
           {"--stack mosaicml-fsdp1-2023 --fit gem_factor",
            "--fit: expected a constant of a stack, got \"gem_factor\"; did you mean "
            "\"gemm_factor\"?"},
           {"--stack mosaicml-fsdp1-2023 --fit gemm_efficiency",
            "--fit: expected a constant of a stack, got \"gemm_efficiency\""},
           {"--stack mosaicml-fsdp1-2023 --fit gemm_factor,gemm_factor",
            "--fit: expected every constant once, got gemm_factor again"},
           {"vtrains --stack megatron-2021", "FILE|NAME: expected a dataset"},
           {"vtrain --stack nanotron-2024",
            "expected a timed row of nanotron-2024 in vtrain, got none (1127: another stack)"},
           {"gemm_points --stack megatron-2021",
            "expected a timed row of megatron-2021 in gemm_points, got none (3039: a kernel)"},
           {"vtrain vtrain --stack megatron-2021", "expected every table once, got vtrain again"},
           {"--stack llama3-2024", "expected a table"},
           {few + " --device h100-sxm-80gb", "expected more rows than the 4 constants, got 1"},
           {"mosaicml_llm_foundry --stack mosaicml-fsdp1-2023 --fit gemm_factor,ring_block_cost",
            "--fit: expected constants that "},
           {"mosaicml_llm_foundry --stack mosaicml-fsdp1-2023 --fit gemm_factor,ring_block_cost",
            "models tell apart; they leave open ring_block_cost"},
           {"internevo --stack internevo-2023 --fit gemm_factor,ring_block_cost",
            "rows of 1 model tell apart"},
           {few + " --device h100-sxm-80gb --fit gemm_efficiency",
            "--fit: expected more rows than the 1 constant, got 1"},
           {"--stack mosaicml-fsdp1-2023 --fit fragmentation",
            "--fit: expected constants of time, got fragmentation, which is of memory, and timed "
            "runs cannot tell it; those of time are gemm_factor, "},
           {"--stack mosaicml-fsdp1-2023 --fit gemm_factor,logits_kept_bytes,gradient_bytes",
            "got logits_kept_bytes, gradient_bytes, which are of memory"},
       }) {
    SCOPED_TRACE(c.words);
    const Answer answer = calibrate(c.words);
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.out, "");
    EXPECT_THAT(answer.err, HasSubstr(c.message));
    EXPECT_FALSE(fs::exists(path("out.json")));
  }
  EXPECT_THAT(ask("calibrate --stack mosaicml-fsdp1-2023").err,
              HasSubstr("--out: expected a file name that ends in .json, got nothing"));
  EXPECT_THAT(ask("calibrate --stack mosaicml-fsdp1-2023 --out x.csv").err,
              HasSubstr("--out: expected a file name that ends in .json, got \"x.csv\""));
}

TEST_F(Calibrate, FailsWhereTheFileCannotBeWritten) {
  write("file", "");
  const Answer answer = calibrate("--stack internevo-2023", "file/out.json");
  EXPECT_EQ(answer.code, 3);
  EXPECT_EQ(answer.out, "");
}

}  // namespace
}  // namespace cubicbench::cli
