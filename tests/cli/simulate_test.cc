#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "results/document/paragraph.h"
#include "scenarios/readers/scenario_reader.h"
#include "tests/cli/program.h"

namespace cubicbench::cli {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::StartsWith;

Json simulate_json(const std::string& words) {
  const Answer answer = ask("simulate " + words + " --json");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(answer.err, "");
  return Json::parse(answer.out);
}

std::vector<std::string> library() { return scenarios::model_scenarios(); }

TEST(Simulate, TheTextSaysWhereAJobLies) {
  const Answer packed = ask("simulate llama3-405b");
  EXPECT_EQ(packed.out.find("placement"), std::string::npos);
  const Answer scattered = ask("simulate llama3-405b --set cluster.placement=scattered");
  EXPECT_THAT(scattered.out, HasSubstr("placement scattered"));
}

TEST(Simulate, TheSummaryOfAChangedProblemSaysWhatWasChanged) {
  const std::string plain = ask("simulate llama3-405b").out;
  EXPECT_EQ(plain.find("changed"), std::string::npos);
  const std::string changed =
      ask("simulate llama3-405b --set cluster.gpus=8192 --set tensor_parallel=4").out;
  EXPECT_THAT(changed, HasSubstr("changed by cluster.gpus=8192; unchanged it is: Llama 3 405B"));
}

TEST(Simulate, KeysAreTheContractsInItsOrder) {
  const std::vector<std::string> expected{"schema",
                                          "version",
                                          "scenario",
                                          "scenario_sha256",
                                          "engine",
                                          "config",
                                          "in_space",
                                          "status",
                                          "why",
                                          "step_time_s",
                                          "samples_per_s",
                                          "tokens_per_s",
                                          "tokens_per_s_per_gpu",
                                          "mfu",
                                          "mfu_6n",
                                          "gpu_energy_j",
                                          "mean_gpu_watts",
                                          "objective",
                                          "breakdown",
                                          "bound_by",
                                          "memory",
                                          "extrapolated",
                                          "event"};
  for (const std::string& name : library()) {
    SCOPED_TRACE(name);
    const Json document = simulate_json(name);
    std::vector<std::string> keys;
    for (const auto& [key, value] : document.items()) {
      keys.push_back(key);
    }
    EXPECT_EQ(keys, expected);
  }
}

TEST(Simulate, SumsAndRatesAgreeOnEveryScenario) {
  ASSERT_FALSE(library().empty());
  for (const std::string& name : library()) {
    SCOPED_TRACE(name);
    const Json document = simulate_json(name);
    ASSERT_EQ(document["status"], "ok");
    EXPECT_EQ(document["scenario"], name);
    EXPECT_EQ(document["scenario_sha256"].get<std::string>().size(), 64U);
    EXPECT_EQ(document["in_space"], true);
    EXPECT_TRUE(document["why"].is_null());
    const double step = document["step_time_s"];
    double sum = 0.0;
    double largest = 0.0;
    std::string largest_name;
    for (const Json& part : document["breakdown"]) {
      EXPECT_GT(part["seconds"], 0.0);
      sum += part["seconds"].get<double>();
      if (part["seconds"] > largest) {
        largest = part["seconds"];
        largest_name = part["name"];
      }
    }
    EXPECT_NEAR(sum, step, 1e-9);
    EXPECT_EQ(document["bound_by"], largest_name);
    std::int64_t bytes = 0;
    for (const Json& part : document["memory"]["parts"]) {
      ASSERT_TRUE(part["bytes"].is_number_integer());
      bytes += part["bytes"].get<std::int64_t>();
    }
    EXPECT_EQ(document["memory"]["allocated_bytes"], bytes);
    EXPECT_LE(document["memory"]["allocated_bytes"], document["memory"]["reserved_bytes"]);
    EXPECT_LE(document["memory"]["reserved_bytes"], document["memory"]["capacity_bytes"]);
    // The rest of what a device has, a GPU of 80 GB or a TPU v3 of 32, is context and
    // communicators.
    const double device =
        name.starts_with("gspmd") || name.starts_with("pathways") ? 0x1p35 : 0x1.4p36;
    const auto outside = document["memory"]["device_bytes"].get<std::int64_t>() -
                         document["memory"]["reserved_bytes"].get<std::int64_t>();
    EXPECT_GT(outside, 0);
    EXPECT_NEAR(document["memory"]["capacity_bytes"].get<double>() + static_cast<double>(outside),
                device, 0x1p30);
    EXPECT_EQ(document["memory"]["margin_bytes"].get<std::int64_t>(),
              document["memory"]["capacity_bytes"].get<std::int64_t>() -
                  document["memory"]["demand_bytes"].get<std::int64_t>());
    EXPECT_GE(document["memory"]["oom_probability"], 0.0);
    EXPECT_LT(document["memory"]["oom_probability"], 0.8);
    EXPECT_GE(document["mfu"], document["mfu_6n"]);
    EXPECT_LT(document["mfu"], 1.0);
    // The median step of a run is longer than the ideal one: a GPU is late in every step.
    const std::string metric = document["objective"]["metric"];
    const double ratio =
        document[metric].get<double>() / document["objective"]["value"].get<double>();
    EXPECT_GT(ratio, 1.0);
    EXPECT_LT(ratio, 1.05);
  }
}

TEST(Simulate, TheObjectiveIsAPercentileOverTheStepsOfARun) {
  const auto value = [](const std::string& words) {
    return simulate_json("tiny-gpt " + words)["objective"]["value"].get<double>();
  };
  const std::string step = " --set objective.metric=step_time_s --set objective.direction=minimize";
  const double ideal = simulate_json("tiny-gpt")["step_time_s"];
  EXPECT_LT(ideal, value("--set objective.percentile=1" + step));
  EXPECT_LT(value("--set objective.percentile=10" + step), value(step));
  EXPECT_LT(value(step), value("--set objective.percentile=90" + step));
  // The 90th percentile of the rate is the 10th of the step: 64 sequences of 1,024 tokens over it.
  EXPECT_NEAR(value("--set objective.percentile=90") *
                  value("--set objective.percentile=10" + step) / (64.0 * 1024.0),
              1.0, 1e-12);
  EXPECT_THAT(ask("simulate tiny-gpt --set objective.percentile=90").out,
              HasSubstr(" tokens/s, P90 over the steps of a run\n"));
  EXPECT_THAT(ask("simulate tiny-gpt").out,
              HasSubstr(" tokens/s, the median over the steps of a run\n"));
}

TEST(Simulate, WithoutNoiseTheObjectiveIsOfTheIdealStep) {
  const Json document = simulate_json("tiny-gpt --set truth.noise=none");
  EXPECT_EQ(document["objective"]["value"], document["tokens_per_s"]);
}

TEST(Simulate, InstancesHaveOtherConstants) {
  const Json nominal = simulate_json("tiny-gpt");
  EXPECT_EQ(nominal, simulate_json("tiny-gpt --instance 0"));
  const Json first = simulate_json("tiny-gpt --instance 1");
  EXPECT_EQ(first, simulate_json("tiny-gpt --instance 1"));
  EXPECT_EQ(first["scenario_sha256"], nominal["scenario_sha256"]);
  EXPECT_EQ(first["config"], nominal["config"]);
  EXPECT_NE(first["step_time_s"], nominal["step_time_s"]);
  EXPECT_NE(first["step_time_s"], simulate_json("tiny-gpt --instance 2")["step_time_s"]);
  EXPECT_THAT(ask("simulate tiny-gpt --instance 2").out, HasSubstr("\ninstance    2: "));
  EXPECT_THAT(ask("simulate tiny-gpt").out, testing::Not(HasSubstr("\ninstance ")));
}

TEST(Simulate, AJobOverItsTimeLimitHasNoObjective) {
  const Json document = simulate_json("tiny-gpt --set job.time_limit_s=310");
  EXPECT_EQ(document["status"], "ok");
  EXPECT_TRUE(document["objective"]["value"].is_null());
  EXPECT_EQ(document["why"],
            "start-up and 200 steps take longer than the time limit of a job, 310.0 s");
  EXPECT_THAT(ask("simulate tiny-gpt --set job.time_limit_s=310").out,
              HasSubstr("\nobjective   none: start-up and 200 steps take longer"));
}

TEST(Simulate, TextFitsATerminalOnEveryScenario) {
  for (const std::string& name : library()) {
    for (const results::Ink ink : {results::Ink::plain, results::Ink::blocks}) {
      SCOPED_TRACE(name);
      const Answer answer = ask("simulate " + name, ink);
      EXPECT_EQ(answer.code, 0);
      EXPECT_THAT(answer.out, StartsWith("scenario    " + name + "\n"));
      EXPECT_THAT(answer.out, HasSubstr("\nstep time   "));
      EXPECT_THAT(answer.out, HasSubstr("\nMFU         "));
      EXPECT_THAT(answer.out, HasSubstr(ink == results::Ink::plain ? "##" : "██"));
      std::istringstream lines(answer.out);
      for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(results::columns_of(line), 80U) << line;
        EXPECT_FALSE(line.ends_with(' ')) << line;
      }
    }
  }
}

TEST(Simulate, IsAPureFunctionOfItsArguments) {
  const std::string once = ask("simulate llama3-405b --json").out;
  EXPECT_EQ(once, ask("simulate llama3-405b --json --threads 1").out);
  EXPECT_EQ(once, ask("simulate --json --quiet --threads 7 llama3-405b").out);
}

TEST(Simulate, SetChangesTheConfiguration) {
  const Json before = simulate_json("llama3-405b");
  const Json after = simulate_json("llama3-405b --set tensor_parallel=4");
  EXPECT_EQ(before["config"]["tensor_parallel"], 8);
  EXPECT_EQ(after["config"]["tensor_parallel"], 4);
  EXPECT_NE(before["memory"], after["memory"]);
}

TEST(Simulate, AValueOutsideTheSpaceIsSimulatedAndSaidToBeOutside) {
  const Json parameter = simulate_json("llama3-405b --set pipeline_parallel=32");
  EXPECT_EQ(parameter["config"]["pipeline_parallel"], 32);
  EXPECT_EQ(parameter["in_space"], false);
  const Json fixed = simulate_json("llama3-405b --set optimizer=sgd");
  EXPECT_EQ(fixed["config"]["optimizer"], "sgd");
  EXPECT_EQ(fixed["in_space"], false);
  EXPECT_EQ(simulate_json("llama3-405b")["config"].contains("optimizer"), false);
  EXPECT_THAT(ask("simulate llama3-405b --set optimizer=sgd").out,
              HasSubstr("outside the search space: optimizer: expected adamw"));
}

TEST(Simulate, HasEnergyAndPriceWhereTheyAreKnown) {
  const Json document = simulate_json("tiny-llama --set cluster.usd_per_gpu_hour=3.6");
  const double watts = document["mean_gpu_watts"];
  EXPECT_GT(watts, 700.0 * 85.0 / 300.0);  // waiting
  EXPECT_LT(watts, 700.0);
  EXPECT_DOUBLE_EQ(document["gpu_energy_j"].get<double>(),
                   watts * document["step_time_s"].get<double>());
  const double gpus =
      document["tokens_per_s"].get<double>() / document["tokens_per_s_per_gpu"].get<double>();
  EXPECT_NEAR(document["usd_per_step"].get<double>(),
              gpus * document["step_time_s"].get<double>() / 1000.0, 1e-12);
  const Json unknown = simulate_json("tiny-llama --set cluster.device=gh200-96gb");
  for (const char* key : {"gpu_energy_j", "mean_gpu_watts", "usd_per_step"}) {
    EXPECT_FALSE(unknown.contains(key)) << key;
  }
}

TEST(Simulate, SaysEnergyAndPriceToWhoIsJudgedByThem) {
  const std::string usual = ask("simulate tiny-llama").out;
  EXPECT_EQ(usual.find("energy"), std::string::npos);
  EXPECT_EQ(usual.find("USD"), std::string::npos);
  const std::string joules = ask("simulate tiny-llama --set objective.metric=tokens_per_joule").out;
  EXPECT_THAT(joules, HasSubstr(" tokens per joule"));
  EXPECT_THAT(joules, HasSubstr(" kJ a GPU and step, "));
  const std::string usd = ask("simulate tiny-llama --set objective.metric=tokens_per_usd "
                              "--set cluster.usd_per_gpu_hour=2.5")
                              .out;
  EXPECT_THAT(usd, HasSubstr(" tokens per USD"));
  EXPECT_THAT(usd, HasSubstr(" USD a step"));
  const Answer no_price = ask("simulate tiny-llama --set objective.metric=tokens_per_usd");
  EXPECT_EQ(no_price.code, 2);
  EXPECT_THAT(no_price.err, HasSubstr("/cluster has no usd_per_gpu_hour"));
}

TEST(Simulate, OutOfMemoryIsAnAnswerWithNumbers) {
  const Json document = simulate_json(
      "llama3-405b --set tensor_parallel=1 --set pipeline_parallel=1 "
      "--set schedule=1f1b --set sharding=no_shard --set global_batch=16384");
  EXPECT_EQ(document["status"], "oom_init");
  EXPECT_THAT(document["why"].get<std::string>(),
              testing::MatchesRegex("the largest stage needs [0-9.]+ GiB at startup, and the "
                                    "device leaves [0-9.]+ GiB for it"));
  for (const char* key : {"step_time_s", "samples_per_s", "tokens_per_s", "tokens_per_s_per_gpu",
                          "mfu", "mfu_6n", "gpu_energy_j", "mean_gpu_watts", "bound_by"}) {
    EXPECT_TRUE(document[key].is_null()) << key;
  }
  EXPECT_TRUE(document["objective"]["value"].is_null());
  EXPECT_TRUE(document["breakdown"].empty());
  EXPECT_GT(document["memory"]["reserved_bytes"], document["memory"]["capacity_bytes"]);
}

TEST(Simulate, AnInvalidLayoutIsAnAnswerThatNamesTheSetting) {
  const std::string words = "llama3-405b --set tensor_parallel=8 --set global_batch=2047";
  const Json document = simulate_json(words);
  EXPECT_EQ(document["status"], "invalid");
  EXPECT_EQ(document["why"],
            "global_batch is 2047, but must be a multiple of data_parallel x micro_batch (128)");
  EXPECT_TRUE(document["memory"].is_null());
  EXPECT_TRUE(document["step_time_s"].is_null());
  const Answer answer = ask("simulate " + words);
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.out, HasSubstr("\nresult      invalid: global_batch is 2047, but must be"));
}

TEST(Simulate, DottedNamesChangeTheProblem) {
  const Json before = simulate_json("llama3-405b");
  const Json after = simulate_json("llama3-405b --set cluster.gpus=8192");
  EXPECT_NE(before["scenario_sha256"], after["scenario_sha256"]);
  EXPECT_GT(after["step_time_s"], before["step_time_s"]);
}

}  // namespace
}  // namespace cubicbench::cli
