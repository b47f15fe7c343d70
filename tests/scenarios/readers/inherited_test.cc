#include "scenarios/readers/inherited.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "scenarios/readers/description_reader.h"
#include "support/input_error.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::scenarios {
namespace {

using testing::HasSubstr;

Document written(const std::string& text, const std::string& directory = "") {
  return {.file = "s.json", .directory = directory, .text = text};
}

std::string message_of(const Document& document) {
  try {
    with_inherited(document, Kind::stack);
  } catch (const support::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Inherited, AStackSaysWhatItsBaseDoesNot) {
  const auto json = with_inherited(
      written(R"({"schema": "cubicbench.stack/1", "name": "mine", "base": "pytorch-eager",
                  "overlap_cost": 0.5, "fused": {"norms": true},
                  "sources": {"overlap_cost": "measured", "fused": {"norms": "Apex"}}})"),
      Kind::stack);
  EXPECT_EQ(json["name"], "mine");
  EXPECT_FALSE(json.contains("base"));
  EXPECT_EQ(json["overlap_cost"], 0.5);
  EXPECT_EQ(json["sources"]["overlap_cost"], "measured");
  EXPECT_EQ(json["fused"]["norms"], true);
  EXPECT_EQ(json["fused"]["rotary"], false);  // of pytorch-eager
  EXPECT_TRUE(json.contains("launch_us"));    // of laws, on which that stands
  EXPECT_TRUE(json["sources"].contains("launch_us"));
}

TEST(Inherited, TheStackThatIsReadHasBoth) {
  std::vector<support::Problem> problems;
  const sim::Stack stack =
      read_stack(written(R"({"schema": "cubicbench.stack/1", "name": "mine", "base": "megatron",
                             "attention": "unfused", "sources": {"attention": "its age"}})"),
                 problems);
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(stack.attention, sim::AttentionKernel::unfused);
  EXPECT_TRUE(sim::counts_kernels(stack));
  EXPECT_TRUE(stack.fusion.norms);
}

TEST(Inherited, ADescriptionWithoutABaseIsItself) {
  const std::string text = R"({"schema": "cubicbench.stack/1", "name": "mine", "sources": {}})";
  EXPECT_EQ(with_inherited(written(text), Kind::stack), nlohmann::ordered_json::parse(text));
}

TEST(Inherited, ABaseThatIsNotThereIsNamed) {
  EXPECT_THAT(message_of(written(R"({"name": "mine", "base": "megatrom"})")),
              testing::AllOf(HasSubstr("s.json#/base"), HasSubstr("megatron")));
}

TEST(Inherited, ACircleEnds) {
  const TemporaryFolder folder;
  write_text(folder / "a.json", R"({"name": "a", "base": "./a.json"})");
  EXPECT_THAT(message_of(written(R"({"name": "b", "base": "./a.json"})", folder.path().string())),
              HasSubstr("at most 8 descriptions"));
}

}  // namespace
}  // namespace cubicbench::scenarios
