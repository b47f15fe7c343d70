#include "support/folders.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "support/input_error.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::support {
namespace {

TEST(Folders, AreMadeWithThoseAboveThem) {
  const TemporaryFolder parent;
  const std::filesystem::path folder = std::filesystem::path(parent / "a") / "b";
  make_folders(folder);
  make_folders(folder);
  make_folders("");
  EXPECT_TRUE(std::filesystem::is_directory(folder));
}

TEST(Folders, ThatCannotBeMadeAreNamed) {
  const TemporaryFolder parent;
  const std::string file = parent / "file";
  write_text(file, "");
  try {
    make_folders(file + "/below");
    FAIL();
  } catch (const OutputError& error) {
    EXPECT_EQ(error.what(), "cannot write " + file + "/below: Not a directory");
  }
}

}  // namespace
}  // namespace cubicbench::support
