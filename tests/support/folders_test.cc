#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "support/files.h"
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
    EXPECT_EQ(std::string(error.what()), "cannot write " + file + "/below: Not a directory");
  }
}

TEST(Folders, ThatAreNewHoldNothing) {
  const TemporaryFolder folder;
  require_new_folder(folder.path(), "--out");
  require_new_folder(folder / "none", "--out");
  write_text(folder / "mine.txt", "");
  EXPECT_EQ(names_in(folder.path(), "--out", "a folder"), std::set<std::string>{"mine.txt"});
  try {
    require_new_folder(folder.path(), "--out");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "--out: expected a new or empty folder, got one with \"mine.txt\"");
  }
}

}  // namespace
}  // namespace cubicbench::support
