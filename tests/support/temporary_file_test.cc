#include "support/temporary_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>

#include "support/input_error.h"
#include "tests/temporary_folder.h"

namespace cubicbench::support {
namespace {

namespace fs = std::filesystem;
using testing::MatchesRegex;

TEST(TemporaryFiles, HaveNamesThatNobodyCanForetell) {
  const TemporaryFolder folder;
  const TemporaryFile one(folder / "a.json");
  const TemporaryFile other(folder / "a.json");
  EXPECT_NE(one.path(), other.path());
  EXPECT_EQ(one.path().parent_path(), folder.path());
  EXPECT_THAT(one.path().filename().string(), MatchesRegex("a\\.json\\.[0-9a-f]{12}\\.tmp"));
}

TEST(TemporaryFiles, AreRemovedUnlessTheyAreGivenAway) {
  const TemporaryFolder folder;
  fs::path given;
  {
    TemporaryFile kept(folder / "a.json");
    const TemporaryFile dropped(folder / "b.json");
    given = kept.path();
    kept.release();
  }
  EXPECT_TRUE(fs::exists(given));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

TEST(TemporaryFiles, OfTheLivingStayAndOfTheDeadGo) {
  const TemporaryFolder folder;
  std::optional<FileDescriptor> living;
  fs::path path;
  {
    TemporaryFile written(folder / "a.json");
    path = written.path();
    living = written.release();
  }
  const TemporaryFile second(folder / "a.json");
  EXPECT_TRUE(fs::exists(path));
  living->close();
  const TemporaryFile third(folder / "a.json");
  EXPECT_FALSE(fs::exists(path));
  EXPECT_TRUE(fs::exists(second.path()));
}

TEST(TemporaryFiles, OfOtherNamesStay) {
  const TemporaryFolder folder;
  for (const char* name : {"a.json.0123456789ab.tmp", "aa.0123456789ab.tmp", "a.0123456789aX.tmp",
                           "a.0123456789.tmp", "a.0123456789ab.tmp2"}) {
    const FileDescriptor made = TemporaryFile(folder / "x").release();
    fs::copy_file("/proc/self/fd/" + std::to_string(made.get()), folder / name);
  }
  const TemporaryFile file(folder / "a");
  for (const char* name : {"a.json.0123456789ab.tmp", "aa.0123456789ab.tmp", "a.0123456789aX.tmp",
                           "a.0123456789.tmp", "a.0123456789ab.tmp2"}) {
    EXPECT_TRUE(fs::exists(folder / name)) << name;
  }
}

TEST(TemporaryFiles, SayWhatTheyWereFor) {
  const TemporaryFolder folder;
  try {
    const TemporaryFile file(folder / "none/a.json");
    FAIL() << "expected an error";
  } catch (const OutputError& error) {
    EXPECT_EQ(error.what(),
              "cannot write " + (folder / "none/a.json").string() + ": No such file or directory");
  }
}

}  // namespace
}  // namespace cubicbench::support
