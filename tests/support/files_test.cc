#include "support/files.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "support/input_error.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::support {
namespace {

namespace fs = std::filesystem;

/// A folder of its own for each test.
class Files : public testing::Test {
 protected:
  std::set<std::string> names() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }
  std::string read_refusal(const fs::path& path) const {
    try {
      read_file(path);
    } catch (const InputError& error) {
      return error.what();
    }
    return "read";
  }
  std::string write_refusal(const fs::path& path, std::string_view text = "text") const {
    try {
      write_file_atomic(path, text);
    } catch (const OutputError& error) {
      return error.what();
    }
    return "written";
  }

  const TemporaryFolder folder_;
};

TEST_F(Files, ReadsBackEveryByteThatWasWritten) {
  std::string text;
  for (int i = 0; i < 300'000; ++i) text += static_cast<char>(i % 256);
  for (const std::string& content : {std::string(), std::string("x\r\n"), text}) {
    write_file_atomic(folder_ / "a.bin", content);
    EXPECT_EQ(read_file(folder_ / "a.bin"), content);
  }
  EXPECT_EQ(names(), std::set<std::string>{"a.bin"});
}

// What an earlier call left in errno says nothing of this one.
TEST_F(Files, ReadsWhateverFailedBefore) {
  std::ofstream(folder_ / "a.bin") << "whole";
  errno = EINTR;
  EXPECT_EQ(read_file(folder_ / "a.bin"), "whole");
}

TEST_F(Files, RefusesWhatIsNoReadableFile) {
  EXPECT_EQ(read_refusal(folder_ / "none.json"),
            (folder_ / "none.json").string() + ": expected a file, got none");
  EXPECT_EQ(read_refusal(folder_.path()),
            folder_.path().string() + ": expected a file, got a folder");
  write_text(folder_ / "a.json", "{}");
  EXPECT_EQ(read_refusal(folder_ / "a.json" / "b.json"),
            (folder_ / "a.json" / "b.json").string() +
                ": expected a readable file, got: Not a directory");
  EXPECT_EQ(read_refusal(""), ": expected a file, got none");
}

TEST_F(Files, RefusesFilesThatAreTooLong) {
  const fs::path path = folder_ / "long.json";
  write_text(path, "{}");
  fs::resize_file(path, file_bytes_max);
  EXPECT_EQ(read_file(path).size(), file_bytes_max);
  fs::resize_file(path, file_bytes_max + 1);
  EXPECT_EQ(read_refusal(path),
            path.string() + ": expected a file of at most 64 MiB, got a longer one");
  EXPECT_EQ(read_refusal("/dev/zero"),
            "/dev/zero: expected a file of at most 64 MiB, got a longer one");
}

TEST_F(Files, ReplacesAFileAndWhatACrashLeft) {
  write_text(folder_ / "a.json", "a much longer text than the new one");
  write_text(folder_ / "a.json.0123456789ab.tmp", "left by a crash, longer than the new text");
  write_text(folder_ / "a.json.backup.tmp", "the user's");
  write_file_atomic(folder_ / "a.json", "new");
  EXPECT_EQ(read_file(folder_ / "a.json"), "new");
  EXPECT_EQ(names(), (std::set<std::string>{"a.json", "a.json.backup.tmp"}));
}

// Whoever may write to the folder might have put it there, to have another file written over.
TEST_F(Files, FollowsNoLinkThatStandsInTheWay) {
  write_text(folder_ / "precious", "precious");
  fs::create_symlink(folder_ / "precious", folder_ / "a.json.tmp");
  fs::create_symlink(folder_ / "precious", folder_ / "a.json");
  write_file_atomic(folder_ / "a.json", "new");
  EXPECT_EQ(read_file(folder_ / "precious"), "precious");
  EXPECT_EQ(read_file(folder_ / "a.json"), "new");
  EXPECT_FALSE(fs::is_symlink(folder_ / "a.json"));
}

TEST_F(Files, WaitsForNobodyWhoWritesToAPipe) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(read_refusal(folder_ / "pipe"),
            (folder_ / "pipe").string() + ": expected a file, got a pipe");
}

// As a shell names the output of a program, `<(program)`.
TEST_F(Files, ReadsAPipeThatItWasGivenOpen) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(::pipe(ends), 0);
  const FileDescriptor from(ends[0]);
  FileDescriptor into(ends[1]);
  ASSERT_TRUE(write_all(into.get(), "{}"));
  into.close();
  EXPECT_EQ(read_file("/dev/fd/" + std::to_string(from.get())), "{}");
}

TEST_F(Files, WritesRelativePaths) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_.path());
  write_file_atomic("a.json", "x");
  fs::current_path(before);
  EXPECT_EQ(read_file(folder_ / "a.json"), "x");
}

TEST_F(Files, RefusesTargetsThatCannotBeReplaced) {
  const auto refused = [](const fs::path& path, const char* why) {
    return "cannot write " + path.string() + ": " + why;
  };
  EXPECT_EQ(write_refusal(folder_ / "none" / "a.json"),
            refused(folder_ / "none" / "a.json", "No such file or directory"));
  fs::create_directory(folder_ / "dir");
  EXPECT_EQ(write_refusal(folder_ / "dir"), refused(folder_ / "dir", "Is a directory"));
  EXPECT_EQ(write_refusal(folder_ / "dir/"), refused(folder_ / "dir/", "not a file name"));
  EXPECT_EQ(write_refusal(""), refused("", "not a file name"));
  EXPECT_EQ(write_refusal("/dev/null"), refused("/dev/null", "not a regular file"));
  EXPECT_EQ(names(), std::set<std::string>{"dir"});
}

// A limit on the size of files stands in for a full disk: the first write succeeds in part, the
// next one fails.
TEST_F(Files, KeepsTheOldFileWhenTheDiskIsFull) {
  write_file_atomic(folder_ / "a.json", "old");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 1000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string message = write_refusal(folder_ / "a.json", std::string(5000, 'x'));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(message, "cannot write " + (folder_ / "a.json").string() + ": File too large");
  EXPECT_EQ(read_file(folder_ / "a.json"), "old");
  EXPECT_EQ(names(), std::set<std::string>{"a.json"});
}

TEST_F(Files, WritesNamesAsLongAsThereAre) {
  const fs::path target = folder_ / std::string(255, 'n');
  EXPECT_EQ(write_refusal(target, "one"), "written");
  EXPECT_EQ(write_refusal(target, "two"), "written");
  EXPECT_EQ(read_file(target), "two");
  EXPECT_EQ(names().size(), 1u);
}

TEST_F(Files, TakesNoNameOfAnOpenFileAway) {
  fs::create_symlink("/proc/self/fd/0", folder_ / "stdin");
  EXPECT_THAT(write_refusal(folder_ / "stdin"), testing::HasSubstr("not a regular file"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "stdin"));
  const FileDescriptor open(::open((folder_ / "open").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600));
  const std::string name = "/proc/self/fd/" + std::to_string(open.get());
  EXPECT_THAT(write_refusal(name), testing::HasSubstr("not a regular file"));
}

}  // namespace
}  // namespace cubicbench::support
