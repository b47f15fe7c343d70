#include "support/scratch_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>

#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::support {
namespace {

namespace fs = std::filesystem;

TEST(ScratchFolder, IsNewAndEmptyAndGoneAfterwards) {
  fs::path path;
  {
    const ScratchFolder one;
    const ScratchFolder other;
    path = one.path();
    EXPECT_NE(path, other.path());
    EXPECT_TRUE(fs::is_empty(path));
    write_text(path / "deep/file", "text");
    const auto nobody = fs::perms::group_all | fs::perms::others_all;
    EXPECT_EQ(fs::status(path).permissions() & nobody, fs::perms::none);
  }
  EXPECT_FALSE(fs::exists(path));
}

/// Tests with folders for temporary files of their own.
class ScratchFolderTest : public testing::Test {
 protected:
  ScratchFolderTest() { ::setenv("TMPDIR", above_.path().c_str(), 1); }
  ~ScratchFolderTest() override {
    if (before_.empty()) {
      ::unsetenv("TMPDIR");
    } else {
      ::setenv("TMPDIR", before_.c_str(), 1);
    }
  }

  static std::string text_of(const char* text) { return text == nullptr ? "" : text; }

  /// Makes it look an hour old.
  static void age(const fs::path& path) {
    const timespec an_hour_ago{.tv_sec = std::time(nullptr) - 3600, .tv_nsec = 0};
    const timespec times[2] = {an_hour_ago, an_hour_ago};
    ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, AT_SYMLINK_NOFOLLOW), 0);
  }

  /// The only folder there.
  fs::path only() const { return fs::directory_iterator(above_.path())->path(); }

  const TemporaryFolder above_;

 private:
  const std::string before_ = text_of(std::getenv("TMPDIR"));
};

TEST_F(ScratchFolderTest, ThatAKilledProcessLeftGoesWithTheNext) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const ScratchFolder left;
    write_text(left.path() / "deep/file", "text");
    ::raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  const fs::path left = only();
  EXPECT_TRUE(fs::exists(left / "deep/file"));
  { const ScratchFolder within_a_minute; }
  EXPECT_TRUE(fs::exists(left));
  age(left);
  { const ScratchFolder later; }
  EXPECT_TRUE(fs::is_empty(above_.path()));
}

TEST_F(ScratchFolderTest, OfTheLivingStays) {
  const ScratchFolder living;
  write_text(living.path() / "file", "text");
  age(living.path());
  const ScratchFolder another;
  EXPECT_EQ(read_text(living.path() / "file"), "text");
}

TEST_F(ScratchFolderTest, NothingElseIsTouched) {
  write_text(above_ / "mine/file", "precious");
  fs::create_directory_symlink(above_ / "mine", above_ / "cubicbench-scratch.link01");
  write_text(above_ / "cubicbench-scratch.file01", "precious");
  for (const char* name : {"mine", "cubicbench-scratch.link01", "cubicbench-scratch.file01"}) {
    age(above_ / name);
  }
  { const ScratchFolder another; }
  EXPECT_EQ(read_text(above_ / "mine/file"), "precious");
  EXPECT_TRUE(fs::is_symlink(above_ / "cubicbench-scratch.link01"));
  EXPECT_EQ(read_text(above_ / "cubicbench-scratch.file01"), "precious");
}

}  // namespace
}  // namespace cubicbench::support
