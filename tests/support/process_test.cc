#include "support/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "tests/temporary_folder.h"

namespace cubicbench::support {
namespace {

using std::chrono::milliseconds;
using Clock = Process::Clock;
constexpr milliseconds grace{100};
constexpr milliseconds long_enough{20'000};

/// A process and what it said.
struct Shell {
  std::string out;
  std::string err;
  std::unique_ptr<Process> process;

  explicit Shell(const std::string& command, std::string input = "",
                 milliseconds limit = long_enough) {
    process = std::make_unique<Process>(
        shell_call(command), std::move(input),
        ProcessSinks{.out = [this](std::string_view text) { out += text; },
                     .err = [this](std::string_view text) { err += text; }},
        Clock::now() + limit, grace);
  }
  Shell(const Shell&) = delete;
  Shell& operator=(const Shell&) = delete;

  ProcessEnd wait() {
    Process* const one = process.get();
    while (!process->ended()) Process::attend({&one, 1}, milliseconds{1000});
    return process->end();
  }
};

/// Whether a process of that number exists and is not merely waiting to be reaped by others.
bool is_alive(const std::string& pid) {
  std::ifstream stat("/proc/" + pid + "/stat");
  std::string number;
  std::string name;
  std::string state;
  return static_cast<bool>(stat >> number >> name >> state) && state != "Z";
}

void expect_dead_soon(const std::string& pid) {
  ASSERT_FALSE(pid.empty());
  for (int i = 0; i < 200 && is_alive(pid); ++i) ::usleep(10'000);
  EXPECT_FALSE(is_alive(pid)) << pid;
}

std::string first_line(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

TEST(Process, SaysWhatTheShellSays) {
  Shell run("cat; echo out; echo err >&2; exit 3", "fed\n");
  EXPECT_EQ(run.wait().exit_code, 3);
  EXPECT_EQ(run.process->end().signal, 0);
  EXPECT_FALSE(run.process->end().timed_out);
  EXPECT_EQ(run.out, "fed\nout\n");
  EXPECT_EQ(run.err, "err\n");
}

TEST(Process, NamesTheSignalThatEndedIt) {
  Shell run("kill -SEGV $$");
  EXPECT_EQ(run.wait().signal, SIGSEGV);
  EXPECT_EQ(run.process->end().exit_code, -1);
}

TEST(Process, FeedsMoreThanAPipeHolds) {
  const std::string input(3'000'000, 'x');
  Shell run("wc -c", input + "\n");
  EXPECT_EQ(run.wait().exit_code, 0);
  EXPECT_EQ(std::stol(run.out), 3'000'001);
}

TEST(Process, SurvivesAChildThatDoesNotRead) {
  Shell closes("exec <&-; echo done", std::string(3'000'000, 'x'));
  EXPECT_EQ(closes.wait().exit_code, 0);
  EXPECT_EQ(closes.out, "done\n");
  Shell ignores("exit 0", std::string(3'000'000, 'x'));
  EXPECT_EQ(ignores.wait().exit_code, 0);
}

TEST(Process, TalksAsLongAsItIsWanted) {
  const TemporaryFolder folder;
  std::string out;
  ProcessCall call = shell_call("pwd; while read -r line; do echo got $line; done; echo end");
  call.folder = folder.path().string();
  call.is_conversation = true;
  Process process(
      call, "first\n",
      {.out = [&out](std::string_view text) { out += text; }, .err = [](std::string_view) {}},
      Clock::now() + long_enough, grace);
  Process* const one = &process;
  const auto until = [&](const std::string& text) {
    while (out.find(text) == std::string::npos && !process.ended()) {
      Process::attend({&one, 1}, milliseconds{1000});
    }
  };
  until("got first\n");
  process.send("sec");
  process.send("ond\n");
  until("got second\n");
  EXPECT_FALSE(process.ended());
  process.end_input();
  while (!process.ended()) Process::attend({&one, 1}, milliseconds{1000});
  EXPECT_EQ(out, folder.path().string() + "\ngot first\ngot second\nend\n");
  process.send("too late\n");  // harmless
}

TEST(Process, LetsAChildHoldALockOfOurs) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "lock";
  const auto open = [&] { return FileDescriptor(::open(path.c_str(), O_RDWR | O_CREAT, 0600)); };
  FileDescriptor ours = open();
  ASSERT_EQ(::flock(ours.get(), LOCK_EX), 0);
  ProcessCall call = shell_call("read -r line; ls -l /proc/self/fd/3");
  call.is_conversation = true;
  call.held = ours.get();
  std::string out;
  Process process(
      call, "",
      {.out = [&out](std::string_view text) { out += text; }, .err = [](std::string_view) {}},
      Clock::now() + long_enough, grace);
  ours.close();
  const FileDescriptor other = open();
  EXPECT_EQ(::flock(other.get(), LOCK_EX | LOCK_NB), -1) << "the child has it";
  process.send("go on\n");
  Process* const one = &process;
  while (!process.ended()) Process::attend({&one, 1}, milliseconds{1000});
  EXPECT_NE(out.find("lock"), std::string::npos) << out;
  EXPECT_EQ(::flock(other.get(), LOCK_EX | LOCK_NB), 0) << "it has let go of it";
}

TEST(Process, StartsWithDefaultSignalsAndNothingBlocked) {
  sigset_t usr1;
  sigemptyset(&usr1);
  sigaddset(&usr1, SIGUSR1);
  sigset_t before;
  ASSERT_EQ(pthread_sigmask(SIG_BLOCK, &usr1, &before), 0);
  const auto old = ::signal(SIGPIPE, SIG_IGN);
  Shell run("sed -n 's/^Sig\\(Blk\\|Ign\\):.//p' /proc/self/status");
  EXPECT_EQ(run.wait().exit_code, 0);
  ::signal(SIGPIPE, old);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  std::istringstream masks(run.out);
  std::uint64_t blocked = 1;
  std::uint64_t ignored = 1;
  ASSERT_TRUE(masks >> std::hex >> blocked >> ignored) << run.out;
  // Bit n - 1 is signal n; the C library keeps 32 and 33 to itself.
  constexpr std::uint64_t standard = (std::uint64_t{1} << 31) - 1;
  EXPECT_EQ(blocked & standard, 0U);
  EXPECT_EQ(ignored & standard, 0U);
}

TEST(Process, StartsAProgramByItsNameInTheEnvironmentThatItIsGiven) {
  const std::vector<std::string> variables{"PATH=/nowhere", "TWO WORDS=a b"};
  std::string out;
  Process env({.arguments = {"env", "-0"}, .environment = variables}, "",
              {.out = [&](std::string_view text) { out += text; }, .err = [](std::string_view) {}});
  Process* const one = &env;
  while (!env.ended()) Process::attend({&one, 1}, milliseconds{1000});
  EXPECT_EQ(env.end().exit_code, 0);
  std::string expected;
  for (const std::string& variable : variables) expected += variable + '\0';
  EXPECT_EQ(out, expected);
}

TEST(Process, SaysWhyItCouldNotBeStarted) {
  try {
    const Process none({.arguments = {"/no/such/program"}}, "", {});
    FAIL() << "it was started";
  } catch (const NotStarted& error) {
    EXPECT_EQ(error.error(), ENOENT);
    EXPECT_STREQ(error.what(),
                 "the external command could not be started: No such file or directory");
  }
}

TEST(Process, InheritsNoDescriptorOfOurs) {
  const Shell other("sleep 20");  // its pipes are open here
  Shell run("ls /proc/self/fd");
  EXPECT_EQ(run.wait().exit_code, 0);
  std::set<int> own;
  std::istringstream listed(run.out);
  for (int fd = 0; listed >> fd;) own.insert(fd);
  for (const int fd : {0, 1, 2}) own.erase(fd);
  EXPECT_EQ(own.size(), 1U) << "only the folder that ls reads: " << run.out;
}

// A program may be started with its standard streams closed: the pipes' ends get their numbers
// then.
TEST(Process, TalksWhereOurOwnStreamsAreClosed) {
  EXPECT_EXIT(
      {
        ::close(STDIN_FILENO);
        ::close(STDOUT_FILENO);
        Shell shell("cat; echo err >&2", "in");
        const ProcessEnd end = shell.wait();
        ::_exit(end.exit_code == 0 && shell.out == "in" && shell.err == "err\n" ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST(Process, EndsWithItsShellThoughAGrandchildHoldsThePipes) {
  const TemporaryFolder folder;
  const std::string pid_file = (folder.path() / "pid").string();
  Shell run("sleep 30 & echo $! > " + pid_file + "; echo answer");
  const Clock::time_point begin = Clock::now();
  EXPECT_EQ(run.wait().exit_code, 0);
  EXPECT_LT(Clock::now() - begin, milliseconds{15'000});
  EXPECT_EQ(run.out, "answer\n");
  expect_dead_soon(first_line(pid_file));
}

TEST(Process, DoesNotWaitForOneThatLeftItsGroup) {
  Shell run("setsid sleep 10 & echo answer");
  const Clock::time_point begin = Clock::now();
  EXPECT_EQ(run.wait().exit_code, 0);
  EXPECT_LT(Clock::now() - begin, milliseconds{8'000});
  EXPECT_EQ(run.out, "answer\n");
}

TEST(Process, IsAskedToEndAtItsDeadline) {
  Shell run("trap 'echo leaving; exit 9' TERM; while :; do sleep 0.01; done", "",
            milliseconds{100});
  EXPECT_TRUE(run.wait().timed_out);
  EXPECT_EQ(run.process->end().exit_code, 9);
  EXPECT_EQ(run.out, "leaving\n");
}

TEST(Process, IsKilledWhenItDoesNotListen) {
  const TemporaryFolder folder;
  const std::string pid_file = (folder.path() / "pid").string();
  Shell run("trap '' TERM; sleep 30 & echo $! > " + pid_file + "; wait; sleep 30", "",
            milliseconds{500});
  EXPECT_TRUE(run.wait().timed_out);
  EXPECT_EQ(run.process->end().signal, SIGKILL);
  expect_dead_soon(first_line(pid_file));
}

TEST(Process, DiesWithItsOwner) {
  const TemporaryFolder folder;
  const std::string pid_file = (folder.path() / "pid").string();
  {
    Shell run("echo $$ > " + pid_file + "; echo ready; trap '' TERM; sleep 30; sleep 30");
    Process* const one = run.process.get();
    while (run.out.empty()) Process::attend({&one, 1}, milliseconds{1000});
  }
  expect_dead_soon(first_line(pid_file));
}

TEST(Process, AllCanBeKilledAtOnce) {
  Shell first("sleep 30; sleep 30");
  Shell second("sleep 30; sleep 30");
  kill_running_processes();
  EXPECT_EQ(first.wait().signal, SIGKILL);
  EXPECT_EQ(second.wait().signal, SIGKILL);
  kill_running_processes();  // nobody is left to be hit
}

TEST(Process, NoneThatIsKilledAtOurEndIsSeenToEnd) {
  const auto ends_while_another_waits = [] {
    Shell shell("sleep 30; sleep 30");
    std::thread other([&shell] {
      shell.wait();
      std::cerr << "it ended";
    });
    ::usleep(1'000);
    end_with_running_processes(7);
  };
  for (int i = 0; i < 40; ++i) {
    EXPECT_EXIT(ends_while_another_waits(), testing::ExitedWithCode(7), "^$");
  }
}

TEST(Process, ManyAreAttendedTogether) {
  std::vector<std::unique_ptr<Shell>> runs;
  std::vector<Process*> processes;
  for (int i = 0; i < 8; ++i) {
    // Each writes more than a pipe holds: one that is not read would never end.
    runs.push_back(
        std::make_unique<Shell>("head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2"));
    processes.push_back(runs.back()->process.get());
  }
  const auto all_ended = [&] {
    for (const Process* process : processes) {
      if (!process->ended()) return false;
    }
    return true;
  };
  while (!all_ended()) Process::attend(processes, milliseconds{1000});
  for (const auto& run : runs) {
    EXPECT_EQ(run->out.size(), 300'000U);
    EXPECT_EQ(run->err.size(), 300'000U);
  }
}

}  // namespace
}  // namespace cubicbench::support
