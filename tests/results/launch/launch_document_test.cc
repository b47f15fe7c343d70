#include "results/launch/launch_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "results/document/markdown.h"
#include "scenarios/readers/scenario_reader.h"

namespace cubicbench::results {
namespace {

using testing::HasSubstr;
using testing::Not;

search::ProgramCall call_of(const std::string& launcher, const std::string& scenario,
                            const std::string& model = "") {
  const scenarios::Scenario read = scenarios::read_scenario(scenario);
  return search::program_call(search::find_launcher(launcher, "--for"), read, read.baseline, model,
                              "--for");
}

TEST(LaunchDocument, HasAnOptionPerLineAfterWhatStartsTheProgram) {
  const search::ProgramCall call{
      .options = {},
      .start = {"torchrun", "--nnodes", "2"},
      .command = {"torchrun", "--nnodes", "2", "train.py", "--wrap", "1", "--bf16"},
      .omitted = {},
      .dry_run = {}};
  EXPECT_EQ(command_text(call), "torchrun --nnodes 2 train.py \\\n  --wrap 1 \\\n  --bf16");
}

TEST(LaunchDocument, QuotesForTheShell) {
  const search::ProgramCall call = call_of("megatron-bridge@0.6.0", "tiny-llama", "my recipe");
  EXPECT_THAT(command_text(call), HasSubstr(" --recipe 'my recipe'"));
}

TEST(LaunchDocument, SaysWhatIsOmittedAndWhy) {
  const search::Launcher& launcher = search::find_launcher("torchrun-fsdp2@2", "--for");
  const std::string text = markdown_text(
      launch_document("tiny-llama", launcher, call_of(launcher.name(), "tiny-llama")));
  EXPECT_THAT(text, HasSubstr("# tiny-llama with torchrun-fsdp2 2"));
  EXPECT_THAT(text, HasSubstr("| optimizer | adamw | your script makes its optimizer |"));
  EXPECT_THAT(text, HasSubstr("write the plan to cubicbench_plan.py"));

  const search::Launcher& titan = search::find_launcher("torchtitan@0.2.2", "--for");
  const std::string whole =
      markdown_text(launch_document("tiny-llama", titan, call_of(titan.name(), "tiny-llama")));
  EXPECT_THAT(whole, HasSubstr("It has every setting of this plan."));
  EXPECT_THAT(whole, Not(HasSubstr("write the plan")));
}

TEST(LaunchDocument, JsonHasTheKeysOfTheContract) {
  const search::Launcher& launcher = search::find_launcher("torchrec@1.3.0", "--for");
  const nlohmann::ordered_json json = launch_json(launcher, call_of(launcher.name(), "ads-73b"));
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  const std::vector<std::string> expected{"schema",  "version", "program", "program_version",
                                          "command", "omitted", "file"};
  EXPECT_EQ(keys, expected);
  EXPECT_EQ(json["program"], "torchrec");
  EXPECT_EQ(json["program_version"], "1.3.0");
  EXPECT_EQ(json["command"][0], "torchrun");
  ASSERT_FALSE(json["omitted"].empty());
  for (const auto& one : json["omitted"]) {
    EXPECT_EQ(one.size(), 2U);
    EXPECT_TRUE(one["setting"].is_string());
    EXPECT_FALSE(one["why"].get<std::string>().empty());
  }
}

}  // namespace
}  // namespace cubicbench::results
