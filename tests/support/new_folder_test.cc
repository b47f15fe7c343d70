#include "support/new_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "support/input_error.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::support {
namespace {

namespace fs = std::filesystem;

std::string refusal(const fs::path& out) {
  try {
    const NewFolder folder(out, "--out");
    return "taken";
  } catch (const InputError& error) {
    return error.what();
  } catch (const OutputError& error) {
    return std::string("3: ") + error.what();
  }
}

TEST(NewFolders, AppearWithAllOfTheirFiles) {
  const TemporaryFolder folder;
  for (const char* name : {"a", "b/c", "d/"}) {
    const fs::path out = folder / name;
    NewFolder made(out, "--out");
    write_text(made.make() / "x.csv", "1");
    EXPECT_FALSE(fs::exists(out / "x.csv"));
    made.keep();
    EXPECT_EQ(read_text(out / "x.csv"), "1");
  }
  EXPECT_EQ(names_in(folder.path(), "", ""), (std::set<std::string>{"a", "b", "d"}));
}

TEST(NewFolders, LeaveNothingBeside) {
  const TemporaryFolder folder;
  {
    NewFolder kept(folder / "kept", "--out");
    kept.make();
    kept.keep();
    NewFolder dropped(folder / "dropped", "--out");
    write_text(dropped.make() / "x", "");
    const NewFolder never_made(folder / "never", "--out");
  }
  EXPECT_EQ(names_in(folder.path(), "", ""), std::set<std::string>{"kept"});
}

TEST(NewFolders, TakeAnEmptyOneAndNoOther) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "empty");
  EXPECT_EQ(refusal(folder / "empty"), "taken");
  write_text(folder / "full/x", "");
  EXPECT_EQ(refusal(folder / "full"), "--out: expected a new or empty folder, got one with \"x\"");
  const fs::path before = fs::current_path();
  fs::current_path(folder / "empty");
  EXPECT_EQ(refusal("."), "--out: expected a new or empty folder, got the one we are in");
  fs::current_path(before);
}

TEST(NewFolders, RemoveWhatWasLeftAndNothingElse) {
  const TemporaryFolder folder;
  const std::string beside = (folder / "a.tmp").string();
  write_text(folder / "a.tmp/whole/x", "half");
  EXPECT_EQ(refusal(folder / "a"), "taken");
  EXPECT_FALSE(fs::exists(beside));
  write_text(folder / "a.tmp/mine", "precious");
  EXPECT_EQ(refusal(folder / "a"),
            beside +
                ": expected none, or what was left when a command was ended, "
                "got another: files are written there at first");
  EXPECT_EQ(read_text(folder / "a.tmp/mine"), "precious");
}

TEST(NewFolders, LeaveThatOfALivingProcessAlone) {
  const TemporaryFolder folder;
  NewFolder living(folder / "a", "--out");
  living.make();
  EXPECT_EQ(refusal(folder / "a"),
            "3: " + (folder / "a.tmp").string() + ": another process is writing in this folder");
}

}  // namespace
}  // namespace cubicbench::support
