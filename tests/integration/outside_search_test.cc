// A search with programs outside keeps the promise of its folder: whatever ends the suite or a
// client, --resume leaves the bytes of a run that nothing ended.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>

#include "support/process.h"
#include "tests/integration/program_run.h"
#include "tests/program_path.h"
#include "tests/text_files.h"

namespace cubicbench::integration {
namespace {

using support::Process;
using testing::HasSubstr;
using Files = std::map<std::string, std::string>;

/// More of them with CUBICBENCH_KILLS=100.
int kills() {
  const char* const asked = std::getenv("CUBICBENCH_KILLS");
  return asked != nullptr ? std::atoi(asked) : 5;
}

std::string quoted(const std::filesystem::path& path) { return "'" + path.string() + "'"; }

std::uint64_t size_of(const Files& files) {
  std::uint64_t bytes = 0;
  for (const auto& [path, text] : files) bytes += text.size();
  return bytes;
}

/// Names what differs instead of printing it.
void expect_same(const Files& found, const Files& expected) {
  EXPECT_EQ(found.size(), expected.size());
  for (const auto& [path, text] : expected) {
    const auto other = found.find(path);
    EXPECT_TRUE(other != found.end() && other->second == text) << path << " differs";
  }
}

/// A folder with a client, and searches that it drives.
class OutsideSearch : public testing::Test {
 protected:
  OutsideSearch() {
    write_text(folder_ / "client.sh", "echo $$ >" + quoted(folder_ / "client.pid") +
                                          "\nexec " CUBICBENCH_BINARY_DIR
                                          "/bin/random_search_client\n");
  }

  /// The command line, which writes down its process number and then is the program.
  std::string command(const std::string& words, const std::string& out) const {
    return "echo $$ >" + quoted(folder_ / "suite.pid") + "; exec '" + program_path() + "' " +
           words + " --quiet --out " + quoted(folder_ / out);
  }

  Ending run(const std::string& line) const {
    Ending ending;
    Process process(support::shell_call(line), "", sinks(ending));
    finish(process);
    ending.exit_code = process.end().exit_code;
    ending.signal = process.end().signal;
    return ending;
  }

  /// Kills the process of that file with SIGKILL once the folder has so many bytes; false where the
  /// run had ended before.
  bool run_and_kill(const std::string& line, const std::string& out, std::uint64_t bytes,
                    const char* pid_file) const {
    std::filesystem::remove(folder_ / pid_file);
    Ending ending;
    Process process(support::shell_call(line), "", sinks(ending));
    Process* const self = &process;
    bool killed = false;
    while (!process.ended()) {
      Process::attend({&self, 1}, std::chrono::milliseconds(1));
      if (killed || bytes_of(folder_ / out) < bytes) continue;
      const std::string pid = exists(pid_file) ? read_text(folder_ / pid_file) : "";
      if (pid.empty()) continue;
      killed = ::kill(static_cast<pid_t>(std::stol(pid)), SIGKILL) == 0;
    }
    return killed;
  }

  bool exists(const char* name) const { return std::filesystem::exists(folder_ / name); }

  static void finish(Process& process) {
    Process* const self = &process;
    while (!process.ended()) Process::attend({&self, 1}, std::chrono::milliseconds(50));
  }

  static support::ProcessSinks sinks(Ending& ending) {
    return {.out = [&ending](std::string_view text) { ending.out += text; },
            .err = [&ending](std::string_view text) { ending.err += text; }};
  }

  std::string search_words() const {
    return "search tiny-llama --trials 400 --seeds 3 --slots 2 --searcher \"external:sh " +
           (folder_ / "client.sh").string() + "\" --resume";
  }

  TemporaryFolder folder_;
};

TEST_F(OutsideSearch, SuiteKilledAtRandomMomentsResumesToTheSameBytes) {
  ASSERT_EQ(run(command(search_words(), "whole")).exit_code, 0);
  const Files whole = files_below(folder_ / "whole");
  std::mt19937_64 random(7);
  for (int round = 0; round < kills(); ++round) {
    SCOPED_TRACE(round);
    const std::string out = "out" + std::to_string(round);
    const std::string line = command(search_words() + " --threads 2", out);
    run_and_kill(line, out, random() % size_of(whole), "suite.pid");
    const Ending ending = run(line);
    EXPECT_EQ(ending.exit_code, 0) << ending.err;
    expect_same(files_below(folder_ / out), whole);
  }
}

TEST_F(OutsideSearch, ClientKilledAtRandomMomentsResumesToTheSameBytes) {
  ASSERT_EQ(run(command(search_words(), "whole")).exit_code, 0);
  const Files whole = files_below(folder_ / "whole");
  std::mt19937_64 random(8);
  for (int round = 0; round < kills(); ++round) {
    SCOPED_TRACE(round);
    const std::string out = "out" + std::to_string(round);
    const std::string line = command(search_words() + " --threads 1", out);
    run_and_kill(line, out, random() % size_of(whole), "client.pid");
    const Ending ending = run(line);
    EXPECT_EQ(ending.exit_code, 0) << ending.err;
    expect_same(files_below(folder_ / out), whole);
  }
}

TEST_F(OutsideSearch, ClientThatIsKilledEndsItsStudyWithOneLineAndExitCode3) {
  write_text(folder_ / "client.sh", "kill -9 $$");
  const Ending ending = run(command(search_words(), "out"));
  EXPECT_EQ(ending.exit_code, 3);
  EXPECT_EQ(ending.out, "");
  EXPECT_EQ(std::ranges::count(ending.err, '\n'), 3);  // a line per study
  EXPECT_THAT(ending.err, HasSubstr("the client exited before it answered"));
}

TEST_F(OutsideSearch, AnInterruptionEndsItInOrderWhileTheClientIsSilent) {
  write_text(folder_ / "client.sh", "sleep 600");
  const std::string line = command(search_words(), "out");
  Ending ending;
  Process process(support::shell_call(line), "", sinks(ending));
  Process* const self = &process;
  for (int look = 0; look < 2000 && !std::filesystem::exists(folder_ / "out/journals"); ++look) {
    Process::attend({&self, 1}, std::chrono::milliseconds(10));
  }
  ::kill(static_cast<pid_t>(std::stol(read_text(folder_ / "suite.pid"))), SIGTERM);
  finish(process);
  EXPECT_EQ(process.end().exit_code, 143);
  EXPECT_THAT(ending.err, HasSubstr("ended by SIGTERM"));
}

/// `evaluate` of so many configurations, and a recommendation.
std::string requests(int count) {
  std::string lines;
  const std::string micro_batches[] = {"1", "2", "4"};
  for (int i = 0; i < count; ++i) {
    lines +=
        R"({"type":"evaluate","config":{"tensor_parallel":1,"pipeline_parallel":1,"micro_batch":)" +
        micro_batches[i % 3] + R"(,"sharding":"zero1","recompute":"full","compile":)" +
        (i % 2 == 0 ? "true" : "false") + "}}\n";
  }
  return lines + "{\"type\":\"recommend\",\"config\":null}\n";
}

TEST_F(OutsideSearch, ServeKilledAtRandomMomentsResumesToTheSameBytes) {
  write_text(folder_ / "requests", requests(600));
  const std::string input = " <" + quoted(folder_ / "requests");
  const std::string words = "serve tiny-llama --trials 700 --seed 3 --resume";
  const Ending first = run(command(words, "whole") + input);
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(std::ranges::count(first.out, '\n'), 603);  // hello, the baseline, 600, done
  const Files whole = files_below(folder_ / "whole");
  std::mt19937_64 random(9);
  for (int round = 0; round < kills(); ++round) {
    SCOPED_TRACE(round);
    const std::string out = "out" + std::to_string(round);
    const std::string line = command(words, out) + input;
    run_and_kill(line, out, random() % size_of(whole), "suite.pid");
    const Ending ending = run(line);
    EXPECT_EQ(ending.exit_code, 0) << ending.err;
    expect_same(files_below(folder_ / out), whole);
  }
}

TEST_F(OutsideSearch, AProgramThatEndsEarlyLeavesItsStudyOpen) {
  const std::string all = requests(2);
  write_text(folder_ / "requests", all.substr(0, all.rfind("{\"type\":\"recommend\"")));
  const std::string line = command("serve tiny-llama --trials 9 --resume", "out");
  const Ending ending = run(line + " <" + quoted(folder_ / "requests"));
  EXPECT_EQ(ending.exit_code, 3);
  EXPECT_THAT(ending.err, HasSubstr("tiny-llama.0.client.0: left open after 3 of 9 launches"));
}

TEST_F(OutsideSearch, AFloodEndsTheStudyThatItIsFor) {
  for (const char* const flood : {"yes | tr -d '\\n' | head -c 1000000000", "yes"}) {
    SCOPED_TRACE(flood);
    const Ending ending = run(std::string("{ ") + flood + "; } 2>/dev/null | { " +
                              command("serve tiny-llama --trials 9 --resume", "out") + "; }");
    EXPECT_EQ(ending.exit_code, 3) << ending.err;
  }
}

TEST_F(OutsideSearch, ASecondServerOnTheFolderIsRefused) {
  const std::string words = command("serve tiny-llama --trials 9 --resume", "out");
  const std::string hold = quoted(folder_ / "hold");
  // The first waits for what the pipe will say, until the second has ended.
  const Ending ending =
      run("mkfifo " + hold + "; { " + words + "; } <" + hold + " >/dev/null 2>&1 & exec 3>" + hold +
          "; until [ -s " + quoted(folder_ / "out" / "plan.json") + " ]; do sleep 0.02; done; { " +
          words + "; } </dev/null; code=$?; exec 3>&-; wait; exit $code");
  EXPECT_EQ(ending.exit_code, 3);
  EXPECT_THAT(ending.err, HasSubstr("another process is searching in this folder"));
}

}  // namespace
}  // namespace cubicbench::integration
