#include "search/journal/verified_log.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "support/input_error.h"
#include "tests/search/read_only_folder.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::search {
namespace {

std::string message_of(const std::filesystem::path& path, const std::string& line) {
  try {
    VerifiedLog({path}, false).put(line);
  } catch (const support::InputError& error) {
    const std::string message = error.what();
    return message.substr(message.find(path.filename().string()));
  }
  return "";
}

TEST(VerifiedLog, ComparesWhatIsThereAndThenAppends) {
  const TemporaryFolder folder;
  {
    VerifiedLog log({folder / "log"}, false);
    log.put("1\n");
    log.put("[2]\n");
    log.require_end();
  }
  VerifiedLog log({folder / "log"}, true);
  EXPECT_THROW(log.require_end(), support::InputError);
  log.put("1\n");
  log.put("[2]\n");
  EXPECT_EQ(read_text(folder / "log"), "1\n[2]\n");
  log.put("3\n");
  EXPECT_EQ(read_text(folder / "log"), "1\n[2]\n3\n");
  log.require_end();
}

TEST(VerifiedLog, CutsOnlyATornEnd) {
  const TemporaryFolder folder;
  struct Case {
    const char* found;
    const char* left;
  };
  for (const Case& c : {
           Case{"", ""},
           {"\n", ""},
           {"{\"a\"", ""},
           {"{\"a\"\n", ""},
           {"1\n{\"a\":2}", "1\n"},  // whole, but for its newline
           {"1\n{\"a\"\n", "1\n"},   // torn, and something after it
           {"1\n{\"a\":2}\n", "1\n{\"a\":2}\n"},
           {"1\n{\"a\"\n3", "1\n{\"a\"\n"},  // damage before the end stays and is refused
       }) {
    SCOPED_TRACE(c.found);
    write_text(folder / "log", c.found);
    const VerifiedLog log({folder / "log"}, false);
    EXPECT_EQ(read_text(folder / "log"), c.left);
  }
}

TEST(VerifiedLog, NamesWhatDiffers) {
  const TemporaryFolder folder;
  write_text(folder / "log", "{\"a\":[1,{\"b\":\"x\"}],\"c\":4}\n{\n5\n");
  EXPECT_EQ(message_of(folder / "log", "{\"a\":[1,{\"b\":\"y\"}],\"c\":4}\n"),
            "log:1#/a/1/b: expected \"y\", got \"x\"");
  EXPECT_EQ(message_of(folder / "log", "{\"a\":[1],\"c\":4}\n"),
            "log:1#/a/1: expected nothing, got {\"b\":\"x\"}");
  EXPECT_EQ(message_of(folder / "log", "{\"a\":[1,{\"b\":\"x\"}],\"c\":4,\"d\":null}\n"),
            "log:1#/d: expected null, got nothing");
  EXPECT_EQ(message_of(folder / "log", "7\n"),
            "log:1: expected 7, got {\"a\":[1,{\"b\":\"x\"}],\"c\":4}");
  EXPECT_EQ(message_of(folder / "log", "{\"c\":4,\"a\":[1,{\"b\":\"x\"}]}\n"),
            "log:1: expected the line byte for byte as written, got other bytes from byte 3 on");
}

TEST(VerifiedLog, SaysNothingOfSecretLines) {
  const TemporaryFolder folder;
  write_text(folder / "log", "{\"salt\":1}\n{\"value\":4}\n");
  VerifiedLog log({folder / "log"}, false, VerifiedLog::Lines::secret);
  EXPECT_EQ(log.earlier_lines(), 2);
  log.put("{\"salt\":1}\n");
  try {
    log.put("{\"value\":5}\n");
    ADD_FAILURE() << "accepted";
  } catch (const support::InputError& error) {
    EXPECT_EQ(error.what(),
              (folder / "log").string() + ":2: expected the line of this launch, got another");
  }
}

TEST(VerifiedLog, IsNotWrittenUnlessThereIsSomethingNew) {
  const TemporaryFolder folder;
  write_text(folder / "log", "1\n[2]\n");
  const ReadOnlyFolder read_only(folder.path());
  VerifiedLog log({folder / "log"}, false);
  log.put("1\n");
  log.put("[2]\n");
  log.require_end();
  EXPECT_THROW(log.put("3\n"), support::OutputError);
  VerifiedLog missing({folder / "other"}, false);
  EXPECT_THROW(missing.put("1\n"), support::OutputError);
}

TEST(VerifiedLog, LeavesWholeLinesWhenTheDiskIsFull) {
  // A limit of 25 bytes on the size of files takes the full disk's place: two lines of ten bytes
  // fit, and of the third five bytes would.
  const TemporaryFolder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{25, 25};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    int written = 0;
    try {
      VerifiedLog log({folder / "log"}, false);
      for (; written < 9; ++written) log.put("\"1234567\"\n");
    } catch (const support::OutputError&) {
      ::_exit(written);
    }
    ::_exit(9);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_EQ(read_text(folder / "log"), "\"1234567\"\n\"1234567\"\n");
}

}  // namespace
}  // namespace cubicbench::search
