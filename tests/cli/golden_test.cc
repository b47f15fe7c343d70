#include <gtest/gtest.h>

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "scenarios/readers/scenario_reader.h"
#include "support/json/json_document.h"
#include "tests/cli/program.h"
#include "tests/golden_files.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::cli {
namespace {

/// What the physics says of one scenario's baseline, one number a line, 12 significant digits:
/// names and hashes may change without a word here, results may not.
std::string physics_of(const nlohmann::ordered_json& document) {
  std::ostringstream text;
  text << std::setprecision(12);
  text << "status " << document["status"].get<std::string>() << "\n";
  if (document["step_time_s"].is_number()) {
    text << "step_time_s " << document["step_time_s"].get<double>() << "\n";
    text << "mfu " << document["mfu"].get<double>() << "\n";
  }
  for (const auto& part : document["breakdown"]) {
    text << "  " << part["name"].get<std::string>() << " " << part["seconds"].get<double>() << "\n";
  }
  const auto& memory = document["memory"];
  for (const char* key : {"capacity_bytes", "allocated_bytes", "reserved_bytes"}) {
    text << key << " " << memory[key].get<std::int64_t>() << "\n";
  }
  for (const auto& part : memory["parts"]) {
    text << "  " << part["name"].get<std::string>() << " " << part["bytes"].get<std::int64_t>()
         << "\n";
  }
  return text.str();
}

void expect_physics(const std::string& name, const std::string& command) {
  const Answer answer = ask(command);
  ASSERT_EQ(answer.code, 0) << answer.err;
  expect_golden(name + ".txt", physics_of(nlohmann::ordered_json::parse(answer.out)));
}

TEST(Golden, EveryScenarioOfTheLibrary) {
  EXPECT_GE(scenarios::model_scenarios().size(), 9U);
  for (const std::string& name : scenarios::model_scenarios()) {
    SCOPED_TRACE(name);
    expect_physics(name, "simulate " + name + " --json");
  }
}

/// A document of enumerate without what every version changes, and with a few entries of its long
/// lists.
std::string enumeration_golden(const std::string& json) {
  auto document = nlohmann::ordered_json::parse(json);
  for (const char* key : {"version", "scenario_sha256", "truth_sha256"}) document.erase(key);
  auto some = [&](const char* key, const std::vector<std::size_t>& wanted) {
    auto list = nlohmann::ordered_json::array();
    for (const std::size_t i : wanted) list.push_back(document[key].at(i));
    document[key] = list;
  };
  some("quantiles", {0, 1, 1024, 2048, 3072, 4095, 4096});
  some("best_of_k", {0, 1, 9, 99});
  return support::document_text(document);
}

TEST(Golden, EnumerationOfATinySpaceAsTextAndAsJson) {
  expect_golden_page("enumerate.tiny-gpt.txt", ask("enumerate tiny-gpt --quiet").out);
  expect_golden("enumerate.tiny-gpt.json",
                enumeration_golden(ask("enumerate tiny-gpt --json --best-of 100").out));
}

TEST(Golden, LlamaOnItsOtherPublishedLayouts) {
  expect_physics("llama3-405b.8192-gpus", "simulate llama3-405b --json --set cluster.gpus=8192");
  expect_physics("llama3-405b.long-context",
                 "simulate llama3-405b --json --set workload.sequence=131072 --set "
                 "global_batch=128 --set context_parallel=16");
}

// [Llama3, Table 4] prints 430, 400 and 380 TFLOPS a GPU; with 6 N + 6 L d s FLOPs a token these
// are 12.1, 6.5 and 10.9 s a step of 16 Mi tokens. They are of runs, where every step waits for the
// latest GPU, and so are the medians here. No number of the stack's times was set by them.
TEST(Llama3, StepsTakeAboutAsLongAsPublished) {
  struct Case {
    const char* sets;
    double published_s;
  };
  constexpr double tokens = 2048.0 * 8192.0;
  for (const Case& c :
       {Case{" --set cluster.gpus=8192", 12.1}, Case{"", 6.5},
        Case{" --set workload.sequence=131072 --set global_batch=128 --set context_parallel=16",
             10.9}}) {
    SCOPED_TRACE(c.sets);
    const Answer answer = ask(std::string("simulate llama3-405b --json") + c.sets);
    ASSERT_EQ(answer.code, 0) << answer.err;
    const auto document = nlohmann::json::parse(answer.out);
    const double step_s = tokens / document["objective"]["value"].get<double>();
    EXPECT_NEAR(step_s / c.published_s, 1.0, 0.08);
  }
}

TEST(Relabelling, ParameterOrderAndConstraintNamesChangeNothing) {
  auto document = nlohmann::ordered_json::parse(
      read_text(std::string(CUBICBENCH_SOURCE_DIR) + "/scenarios/library/tiny-llama.json"));
  document["name"] = "relabelled";
  auto& constraints = document["space"]["constraints"];
  std::reverse(constraints.begin(), constraints.end());
  for (auto& constraint : constraints) {
    constraint["name"] = constraint["name"].get<std::string>() + " (renamed)";
  }
  const TemporaryFolder folder;
  const std::string path = folder / "relabelled.json";
  write_text(path, document.dump());
  const Answer renamed = ask("simulate " + path + " --json");
  ASSERT_EQ(renamed.code, 0) << renamed.err;
  EXPECT_EQ(physics_of(nlohmann::ordered_json::parse(renamed.out)),
            physics_of(nlohmann::ordered_json::parse(ask("simulate tiny-llama --json").out)));
}

}  // namespace
}  // namespace cubicbench::cli
