// Each target reads its seeds, the committed inputs that were hard once, and what a few mutations
// make.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/fuzz/dice.h"
#include "tests/fuzz/mutation.h"
#include "tests/fuzz/target.h"
#include "tests/text_files.h"

namespace cubicbench::fuzz {
namespace {

const std::filesystem::path corpus =
    std::filesystem::path(CUBICBENCH_SOURCE_DIR) / "tests/fuzz/corpus";

class Fuzz : public testing::TestWithParam<Target> {};

TEST_P(Fuzz, ReadsItsSeeds) {
  const Target& target = GetParam();
  for (std::size_t i = 0; i < target.seeds; ++i) {
    const Parts parts = target.seed(i);
    ASSERT_EQ(parts.size(), target.forms.size());
    EXPECT_EQ(split(target, joined(parts)), parts) << "a part holds what stands between parts";
    target.run(parts);
  }
}

TEST_P(Fuzz, ReadsWhatWasHardOnce) {
  const Target& target = GetParam();
  std::vector<std::filesystem::path> inputs;
  for (const auto& entry : std::filesystem::directory_iterator(corpus / target.name)) {
    inputs.push_back(entry.path());
  }
  std::ranges::sort(inputs);
  EXPECT_FALSE(inputs.empty());
  for (const auto& input : inputs) {
    SCOPED_TRACE(input);
    target.run(split(target, read_text(input)));
  }
}

TEST_P(Fuzz, ReadsMutations) {
  const Target& target = GetParam();
  const char* asked = std::getenv("CUBICBENCH_MUTATIONS");
  const int count = asked == nullptr ? 25 : std::atoi(asked);
  const Mutation mutation(target);
  int changed = 0;
  for (int i = 0; i < count; ++i) {
    Dice dice(static_cast<std::uint32_t>(i));
    const Parts seed = target.seed(dice.below(target.seeds));
    Parts parts = seed;
    for (std::size_t changes = 1 + dice.below(3); changes > 0; --changes) {
      parts = mutation.changed(std::move(parts), dice);
    }
    SCOPED_TRACE(i);
    changed += parts == seed ? 0 : 1;
    target.run(parts);
  }
  EXPECT_GT(changed, count / 2) << "most mutations change nothing";
}

/// Which were not named would be given nothing that was hard.
TEST(FuzzCorpus, HasAFolderOfEachTarget) {
  std::vector<std::string> folders;
  for (const auto& entry : std::filesystem::directory_iterator(corpus)) {
    folders.push_back(entry.path().filename());
  }
  std::ranges::sort(folders);
  std::vector<std::string> names;
  for (const Target& target : all_targets()) names.emplace_back(target.name);
  EXPECT_TRUE(std::ranges::is_sorted(names));
  EXPECT_EQ(folders, names);
}

INSTANTIATE_TEST_SUITE_P(Targets, Fuzz, testing::ValuesIn(all_targets()),
                         [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace cubicbench::fuzz
