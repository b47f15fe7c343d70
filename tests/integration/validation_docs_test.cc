// docs/validation.md is what the program says of the tables that ship.
#include <gtest/gtest.h>

#include "tests/integration/program_run.h"

namespace cubicbench::integration {
namespace {

TEST(ValidationDocs, AreWhatTheCommandWrites) {
  const TemporaryFolder folder;
  const std::string file = folder / "validation.md";
  const Ending ending = run_program({"validate", "--markdown", file});
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_TRUE(text_of(file) == text_of(CUBICBENCH_SOURCE_DIR "/docs/validation.md"))
      << "docs/validation.md is stale: run `cubicbench validate --markdown docs/validation.md` and "
         "say in the commit which numbers moved and why";
}

}  // namespace
}  // namespace cubicbench::integration
