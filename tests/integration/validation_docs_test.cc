// docs/validation.md is what the program says of the tables that ship.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "tests/integration/program_run.h"
#include "tests/text_files.h"

namespace cubicbench::integration {
namespace {

const std::string shipped = CUBICBENCH_SOURCE_DIR "/docs/validation.md";

std::string written_by(std::vector<std::string> options) {
  const TemporaryFolder folder;
  const std::string file = folder / "validation.md";
  options.insert(options.begin(), {"validate", "--markdown", file});
  const Ending ending = run_program(options);
  EXPECT_EQ(ending.exit_code, 0) << ending.err;
  return read_text(file);
}

/// Without the sections that take long, and the option that asks for them.
std::string without_ablation(std::string text) {
  const std::string option = " --ablation";
  if (const std::size_t at = text.find(option); at < text.find("\n## ")) {
    text.erase(at, option.size());
  }
  const std::size_t begin = text.find("## What each term is worth\n");
  const std::size_t end = text.find("## What is not covered\n");
  if (begin < end) text.erase(begin, end - begin);
  return text;
}

TEST(ValidationDocs, AreWhatTheCommandWrites) {
  EXPECT_TRUE(written_by({}) == without_ablation(read_text(shipped)))
      << "docs/validation.md is stale: run `cubicbench validate --ablation --markdown "
         "docs/validation.md` and say in the commit which numbers moved and why";
}

// Half a minute and more; scripts/test.sh --full docs asks for it.
TEST(ValidationDocs, AreWhatTheCommandWritesOfEveryTerm) {
  if (std::getenv("CUBICBENCH_ABLATION") == nullptr) GTEST_SKIP() << "CUBICBENCH_ABLATION is unset";
  const std::string one = written_by({"--ablation", "--threads", "1"});
  EXPECT_TRUE(one == read_text(shipped)) << "docs/validation.md is stale";
  EXPECT_TRUE(one == written_by({"--ablation", "--threads", "2"}));
}

}  // namespace
}  // namespace cubicbench::integration
