#include "search/backends/command_backend.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/readers/scenario_reader.h"
#include "search/backends/command_protocol.h"
#include "support/input_error.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::search {
namespace {

using scenarios::Reason;
using scenarios::TrialState;
using std::chrono::milliseconds;

constexpr const char* answer = R"(echo '{"state":"complete","value":42}')";

const scenarios::Scenario& tiny() {
  static const scenarios::Scenario scenario = scenarios::read_scenario("tiny-llama");
  return scenario;
}

std::unique_ptr<Backend> backend_of(const std::string& command, milliseconds limit,
                                    double started_h = 0.0) {
  return make_command_backend({.scenario = &tiny(),
                               .command = command,
                               .started_h = started_h,
                               .time_limit = limit,
                               .grace = milliseconds{100}});
}

Launch launch_of(std::int64_t trial) {
  return {.trial = trial,
          .attempt = 0,
          .round = 0,
          .config = tiny().space.from_plan(tiny().baseline).configuration};
}

Finished run(const std::string& command, milliseconds limit = milliseconds{20'000}) {
  const auto backend = backend_of(command, limit);
  backend->start(launch_of(0));
  return backend->wait();
}

TEST(CommandBackend, ReadsWhatHappenedToACommand) {
  const std::string then_answer = std::string("; ") + answer;
  struct Case {
    const char* name;
    std::string command;
    Reason reason;  ///< none: complete with the value 42
    milliseconds limit{20'000};
  };
  for (const Case& c : {
           Case{"an answer", answer, Reason::none},
           Case{"an answer after a log", "cat; echo log; echo more >&2" + then_answer,
                Reason::none},
           Case{"blank lines after it", answer + std::string("; echo; echo"), Reason::none},
           Case{"without a newline", R"(printf '{"state":"complete","value":42}')", Reason::none},
           Case{"an answer and a bad exit", answer + std::string("; exit 1"), Reason::none},
           Case{"an answer and a message on the other stream", answer + std::string("; echo x >&2"),
                Reason::none},
           Case{"a word after it", answer + std::string("; echo done"), Reason::infra},
           Case{"an answer on the wrong stream", answer + std::string(" >&2"), Reason::infra},
           Case{"its own failure", R"(echo '{"state":"fail","reason":"oom_late"}')",
                Reason::oom_late},
           Case{"a malformed answer", R"(echo '{"state":"complete","value":"42"}')", Reason::infra},
           Case{"NaN", R"(echo '{"state":"complete","value":NaN}')", Reason::numeric},
           Case{"inf", R"(echo '{"state":"complete","value":"inf"}')", Reason::numeric},
           Case{"exit 2", "echo usage >&2; exit 2", Reason::invalid},
           Case{"exit 1", "exit 1", Reason::infra},
           Case{"nothing at all", ":", Reason::infra},
           Case{"a crash", "kill -SEGV $$", Reason::infra},
           Case{"exit 137 early", "exit 137", Reason::oom_init},
           Case{"exit 137 late", "echo step 1 loss 2.5; exit 137", Reason::oom_late},
           Case{"killed", "echo step 1 loss 2.5; kill -KILL $$", Reason::oom_late},
           Case{"memory early", "echo 'CUDA out of memory.' >&2; exit 1", Reason::oom_init},
           Case{"memory late", "echo step 1 loss 2.5; echo OutOfMemoryError >&2; exit 1",
                Reason::oom_late},
           Case{"memory late, steps on the other stream",
                "echo CUDA_ERROR_OUT_OF_MEMORY; echo 'iteration 1/ 10' >&2; exit 1",
                Reason::oom_late},
           Case{"does not read", "exec <&-" + then_answer, Reason::none},
           Case{"hangs", "sleep 30", Reason::timeout, milliseconds{100}},
           Case{"hangs after its answer", answer + std::string("; sleep 30"), Reason::none,
                milliseconds{1000}},
           Case{"ignores SIGTERM", "trap '' TERM; sleep 30; sleep 30", Reason::timeout,
                milliseconds{100}},
           Case{"leaves a child with the pipes", "sleep 30 &" + std::string(answer), Reason::none},
           Case{"babbles without a newline", "head -c 50000000 /dev/zero", Reason::infra},
           Case{"babbles before its answer", "head -c 50000000 /dev/zero; echo" + then_answer,
                Reason::none},
       }) {
    SCOPED_TRACE(c.name);
    const Finished finished = run(c.command, c.limit);
    EXPECT_EQ(name_of(finished.outcome.reason), name_of(c.reason));
    if (c.reason == Reason::none) {
      EXPECT_EQ(finished.outcome.state, TrialState::complete);
      EXPECT_EQ(finished.outcome.value, 42.0);
    } else {
      EXPECT_EQ(finished.outcome.state, TrialState::fail);
      EXPECT_FALSE(finished.outcome.value.has_value());
    }
    EXPECT_FALSE(finished.true_value.has_value());
  }
}

/// What is noted of launches of `command`, one after the other.
std::vector<std::string> notes_of(const std::string& command, int launches) {
  std::vector<std::string> notes;
  const auto backend =
      make_command_backend({.scenario = &tiny(),
                            .command = command,
                            .time_limit = milliseconds{20'000},
                            .note = [&](const std::string& note) { notes.push_back(note); }});
  for (int trial = 0; trial < launches; ++trial) {
    backend->start(launch_of(trial));
    backend->wait();
  }
  return notes;
}

TEST(CommandBackend, NotesWhyALaunchFailedOnce) {
  using Notes = std::vector<std::string>;
  EXPECT_EQ(notes_of(answer, 1), Notes{});
  EXPECT_EQ(notes_of(":", 2), Notes{"trial 0 failed: answer: expected a line of JSON on standard "
                                    "output, got none"});
  EXPECT_EQ(notes_of("echo done", 1),
            Notes{"trial 0 failed: answer: expected a JSON object, got done"});
  // What died of memory owes no answer; one that it tried to give is wrong all the same.
  EXPECT_EQ(notes_of("exit 137", 1), Notes{});
  EXPECT_EQ(notes_of("echo '{}'; exit 137", 1),
            Notes{"trial 0 failed: answer#/state: expected one of complete, fail, got nothing"});
  EXPECT_EQ(notes_of(R"(echo '{"state":"fail","reason":"oom_late","message":"no room"}')", 2),
            Notes{"trial 0 failed: no room"});
}

TEST(CommandBackend, AsksInOneLine) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "request").string();
  const auto backend = backend_of("cat > " + file + "; " + answer, milliseconds{20'000});
  const Launch launch{.trial = 5, .attempt = 2, .round = 1, .config = launch_of(0).config};
  backend->start(launch);
  const Finished finished = backend->wait();
  EXPECT_EQ(finished.outcome.value, 42.0);
  EXPECT_EQ(finished.launch.trial, 5);
  EXPECT_EQ(finished.launch.attempt, 2);
  EXPECT_EQ(finished.launch.round, 1);
  EXPECT_EQ(finished.launch.config, launch.config);
  EXPECT_EQ(read_text(file), request_line(tiny(), launch, 20.0)) << "and nothing but the line";
  EXPECT_EQ(nlohmann::json::parse(read_text(file))["time_limit_s"], 20.0);
}

TEST(CommandBackend, AllowsTheTimeOfTheScenario) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "request").string();
  const auto backend = make_command_backend(
      {.scenario = &tiny(), .command = "cat > " + file, .started_h = 0.0, .time_limit = {}});
  backend->start(launch_of(0));
  backend->wait();
  EXPECT_EQ(nlohmann::json::parse(read_text(file))["time_limit_s"], 7200);
}

TEST(CommandBackend, RunsItsLaunchesAtTheSameTime) {
  // Each waits for the other: one after the other they would hang.
  const TemporaryFolder folder;
  const std::string a = (folder.path() / "a").string();
  const std::string b = (folder.path() / "b").string();
  const auto backend =
      backend_of("read -r request; case \"$request\" in *'\"trial\":0,'*)" +
                     std::string(" echo x > ") + a + "; read -r y < " + b + ";; *) read -r x < " +
                     a + "; echo y > " + b + ";; esac; " + answer,
                 milliseconds{10'000});
  ASSERT_EQ(::mkfifo(a.c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo(b.c_str(), 0600), 0);
  backend->start(launch_of(0));
  backend->start(launch_of(1));
  std::set<std::int64_t> trials;
  for (int i = 0; i < 2; ++i) {
    const Finished finished = backend->wait();
    EXPECT_EQ(finished.outcome.value, 42.0);
    trials.insert(finished.launch.trial);
  }
  EXPECT_EQ(trials, (std::set<std::int64_t>{0, 1}));
}

TEST(CommandBackend, ReturnsThemInTheOrderInWhichTheyEnd) {
  // Trial 0 ends when the file is there, and it is there when trial 1 has come back.
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "go").string();
  const auto backend =
      backend_of("read -r request; case \"$request\" in *'\"trial\":0,'*) while [ ! -e " + file +
                     " ]; do sleep 0.01; done;; esac; " + answer,
                 milliseconds{10'000});
  backend->start(launch_of(0));
  backend->start(launch_of(1));
  EXPECT_EQ(backend->wait().launch.trial, 1);
  write_text(file, "go");
  EXPECT_EQ(backend->wait().launch.trial, 0);
}

TEST(CommandBackend, CountsWholeSecondsFromWhereTheStudyWas) {
  const auto backend = backend_of("sleep 1; " + std::string(answer), milliseconds{20'000}, 2.5);
  backend->start(launch_of(0));
  const Finished finished = backend->wait();
  EXPECT_EQ(finished.started_h, 2.5);
  const double seconds = std::round((finished.finished_h - 2.5) * 3600.0);
  EXPECT_GE(seconds, 1.0);
  EXPECT_EQ(finished.finished_h, (9000.0 + seconds) / 3600.0);
  EXPECT_EQ(finished.outcome.duration_h, seconds / 3600.0);
  EXPECT_EQ(finished.outcome.cost_gpu_hours, 8 * (seconds / 3600.0)) << "on 8 GPUs";
}

TEST(CommandBackend, RunsNothingForWhatIsOutsideTheSpace) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "ran").string();
  const auto backend = backend_of(": > " + file, milliseconds{20'000});
  Launch launch = launch_of(0);
  launch.config.front() = 99;
  backend->start(launch);
  const Finished finished = backend->wait();
  EXPECT_EQ(name_of(finished.outcome.reason), "invalid");
  EXPECT_EQ(finished.outcome.cost_gpu_hours, 0.0);
  EXPECT_EQ(finished.launch.config, launch.config);
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(CommandBackend, RefusesACommandThatIsNotThere) {
  for (const char* command : {"/nowhere/program", "no_such_program --with options", "/"}) {
    SCOPED_TRACE(command);
    try {
      run(command);
      ADD_FAILURE() << "it ran";
    } catch (const support::OutputError& error) {
      const std::string message = error.what();
      EXPECT_EQ(message.rfind("the external command could not be started: ", 0), 0U) << message;
    }
  }
}

TEST(CommandBackend, TakesALostCommandForALostLaunch) {
  // Once it has been seen to run, a missing program is the trouble of one launch.
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "program").string();
  const std::string before =
      "if [ -e " + file + " ]; then no_such_program; else : > " + file + "; " + answer + "; fi";
  const auto backend = backend_of(before, milliseconds{20'000});
  backend->start(launch_of(0));
  EXPECT_EQ(backend->wait().outcome.value, 42.0);
  backend->start(launch_of(1));
  EXPECT_EQ(name_of(backend->wait().outcome.reason), "infra");
}

TEST(CommandBackend, LeavesNothingRunning) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "pid").string();
  std::string pid;
  {
    const auto backend = backend_of("echo $$ > " + file + ".new; mv " + file + ".new " + file +
                                        "; trap '' TERM; sleep 30; sleep 30",
                                    milliseconds{20'000});
    backend->start(launch_of(0));
    backend->start(launch_of(1));
    for (int i = 0; i < 500 && pid.empty(); ++i) {
      ::usleep(10'000);
      std::ifstream(file) >> pid;
    }
  }
  ASSERT_FALSE(pid.empty());
  EXPECT_FALSE(std::filesystem::exists("/proc/" + pid)) << "it was ours to reap";
}

TEST(CommandBackend, TimesTheProgramOfTheExample) {
  const std::string script = CUBICBENCH_SOURCE_DIR "/docs/examples/time_a_program.sh";
  const auto backend = backend_of("'" + script + "'", milliseconds{20'000});
  backend->start(launch_of(0));
  const Finished finished = backend->wait();
  ASSERT_EQ(finished.outcome.state, TrialState::complete);
  EXPECT_GT(*finished.outcome.value, 0.0);
  ASSERT_EQ(finished.outcome.metrics.size(), 1U);
  EXPECT_EQ(finished.outcome.metrics.front().first, "step_time_s");
  // The baseline has micro-batch 4: 64 blocks of 4 x 64 KiB are 16 MiB.
  EXPECT_NEAR(*finished.outcome.value * finished.outcome.metrics.front().second, 16.0, 0.01);
}

TEST(TimeAProgram, RefusesARequestWithoutItsSetting) {
  const std::string script = CUBICBENCH_SOURCE_DIR "/docs/examples/time_a_program.sh";
  EXPECT_EQ(name_of(run("echo '{\"config\":{}}' | '" + script + "' 2>/dev/null").outcome.reason),
            "invalid");
}

}  // namespace
}  // namespace cubicbench::search
