#include "support/scratch_folder.h"

#include <gtest/gtest.h>

#include "tests/text_files.h"

namespace cubicbench::support {
namespace {

TEST(ScratchFolder, IsNewAndEmptyAndGoneAfterwards) {
  std::filesystem::path path;
  {
    const ScratchFolder one;
    const ScratchFolder other;
    path = one.path();
    EXPECT_NE(path, other.path());
    EXPECT_TRUE(std::filesystem::is_empty(path));
    write_text(path / "deep/file", "text");
    const auto nobody = std::filesystem::perms::group_all | std::filesystem::perms::others_all;
    EXPECT_EQ(std::filesystem::status(path).permissions() & nobody, std::filesystem::perms::none);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace cubicbench::support
