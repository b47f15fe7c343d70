#include "search/backends/slurm_backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "scenarios/readers/scenario_reader.h"
#include "search/backends/command_protocol.h"
#include "support/input_error.h"
#include "tests/search/backends/slurm_stand_in.h"

namespace cubicbench::search {
namespace {

namespace fs = std::filesystem;
using scenarios::Reason;
using scenarios::TrialState;
using std::chrono::milliseconds;
using testing::HasSubstr;

constexpr const char* answer = R"(echo '{"state":"complete","value":42,"cost_gpu_hours":1}')";

const scenarios::Scenario& tiny() {
  static const scenarios::Scenario scenario = scenarios::read_scenario("tiny-llama");
  return scenario;
}

Launch launch_of(std::int64_t trial, std::int64_t attempt = 0) {
  return {.trial = trial,
          .attempt = attempt,
          .round = 0,
          .config = tiny().space.from_plan(tiny().baseline).configuration};
}

/// A study's jobs on the stand-in, and what it said to the user.
class SlurmBackendTest : public testing::Test {
 protected:
  std::unique_ptr<Backend> backend_of(const std::string& script, double elapsed_h = 0.0,
                                      milliseconds limit = std::chrono::hours(2)) {
    return make_slurm_backend({.scenario = &tiny(),
                               .script = script,
                               .folder = jobs(),
                               .elapsed_h = elapsed_h,
                               .time_limit = limit,
                               .note = [this](const std::string& text) { said_ += text + "\n"; }});
  }

  fs::path jobs() const { return out_ / "jobs" / "study"; }

  /// Of so many launches, by trial.
  static std::map<std::int64_t, Finished> run(Backend& backend, std::int64_t launches) {
    for (std::int64_t trial = 0; trial < launches; ++trial) backend.start(launch_of(trial));
    return collect(backend, launches);
  }
  static std::map<std::int64_t, Finished> collect(Backend& backend, std::int64_t launches) {
    std::map<std::int64_t, Finished> finished;
    for (std::int64_t i = 0; i < launches; ++i) {
      Finished one = backend.wait();
      const std::int64_t trial = one.launch.trial;
      finished.emplace(trial, std::move(one));
    }
    return finished;
  }

  /// Goes on with what the backend does until `done`, up to half a minute.
  static bool go_on_until(Backend& backend, const std::function<bool()>& done) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds{30};
    backend.await([&] { return done() || std::chrono::steady_clock::now() > until; });
    return done();
  }

  /// Of a job that answers as soon as the stand-in is told to go.
  std::string script_that_waits() const {
    return slurm_.script("while [ ! -e " + std::string(slurm_ / "go") +
                         " ]; do sleep 0.02; done; " + answer);
  }

  SlurmStandIn slurm_;
  TemporaryFolder out_;
  std::string said_;
};

TEST_F(SlurmBackendTest, ReadsWhatHappenedToAJob) {
  struct Case {
    const char* name;
    std::string body;
    Reason reason;  ///< none: complete with the value 42
  };
  const std::string ends_as = "ends() { echo $1 > $STAND_IN_JOB/ends_as; }; ";
  const std::vector<Case> cases{
      {"an answer", answer, Reason::none},
      {"an answer after a log", "cat; echo log; echo more >&2; " + std::string(answer),
       Reason::none},
      {"an answer and a bad exit", std::string(answer) + "; exit 1", Reason::none},
      {"an answer on a node that failed then", std::string(answer) + "; ends NODE_FAIL",
       Reason::none},
      {"its own failure", R"(echo '{"state":"fail","reason":"oom_late"}')", Reason::oom_late},
      {"NaN", R"(echo '{"state":"complete","value":NaN}')", Reason::numeric},
      {"exit 2", "exit 2", Reason::invalid},
      {"exit 1", "exit 1", Reason::infra},
      {"nothing at all", ":", Reason::infra},
      {"killed by the kernel, early", "kill -KILL $$", Reason::oom_init},
      {"killed by the kernel, late", "echo step 1 loss 2.5; kill -KILL $$", Reason::oom_late},
      {"killed by its group's limit", "ends OUT_OF_MEMORY; exit 1", Reason::oom_init},
      {"killed by its group's limit, late", "echo step 1 loss 2; ends OUT_OF_MEMORY; exit 1",
       Reason::oom_late},
      {"memory on the device", "echo step 1 loss 2; echo OutOfMemoryError >&2; exit 1",
       Reason::oom_late},
      {"its time was over", "echo step 1 loss 2; ends TIMEOUT; kill -KILL $$", Reason::timeout},
      {"cancelled by somebody", "ends CANCELLED; kill -KILL $$", Reason::infra},
      {"its node failed", "ends NODE_FAIL; kill -KILL $$", Reason::infra},
      {"it had to make way", "ends PREEMPTED; kill -KILL $$", Reason::infra},
      {"the node did not boot", "ends BOOT_FAIL; exit 2", Reason::infra}};
  std::string body = ends_as + "read -r request\n";
  for (std::size_t i = 0; i < cases.size(); ++i) {
    body += "case $request in *'\"trial\":" + std::to_string(i) + ",'*) " + cases[i].body +
            "; exit;; esac\n";
  }
  const auto backend = backend_of(slurm_.script(body));
  const auto finished = run(*backend, std::ssize(cases));
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(cases[i].name);
    const scenarios::TrialOutcome& outcome = finished.at(static_cast<std::int64_t>(i)).outcome;
    EXPECT_EQ(name_of(outcome.reason), name_of(cases[i].reason));
    EXPECT_EQ(outcome.state,
              cases[i].reason == Reason::none ? TrialState::complete : TrialState::fail);
    if (cases[i].reason == Reason::none) {
      EXPECT_EQ(outcome.value, 42.0);
      EXPECT_EQ(outcome.cost_gpu_hours, 1.0);
    }
  }
  EXPECT_EQ(slurm_.calls("sbatch"), 1U) << "all in one array";
}

TEST_F(SlurmBackendTest, AsksAsACommandIsAsked) {
  const std::string file = slurm_ / "request";
  const auto backend = backend_of(slurm_.script("cat > " + file + "; " + answer));
  const Launch launch = launch_of(5, 2);
  backend->start(launch);
  const Finished finished = backend->wait();
  EXPECT_EQ(finished.outcome.value, 42.0);
  EXPECT_EQ(finished.launch.trial, 5);
  EXPECT_EQ(finished.launch.attempt, 2);
  EXPECT_EQ(read_text(file), request_line(tiny(), launch, 7200.0));
  const std::string call = slurm_.last_call("sbatch");
  EXPECT_THAT(call, HasSubstr("--parsable --no-requeue --job-name=cubicbench-"));
  EXPECT_THAT(call, HasSubstr("-5-2 "));
  EXPECT_THAT(call, HasSubstr(" --time=120 ")) << "minutes of the scenario's limit";
}

TEST_F(SlurmBackendTest, LeavesTheTimeLimitToTheTemplate) {
  const auto backend = backend_of(slurm_.script(answer, "--poll=0.05\n#SBATCH -t 10"));
  EXPECT_EQ(run(*backend, 1).at(0).outcome.value, 42.0);
  EXPECT_THAT(slurm_.last_call("sbatch"), testing::Not(HasSubstr("--time")));
}

TEST_F(SlurmBackendTest, WritesAPathWithAPercentSignAsSlurmReadsIt) {
  const fs::path odd = out_ / "50%a done";
  const auto backend = make_slurm_backend(
      {.scenario = &tiny(), .script = slurm_.script(answer), .folder = odd / "jobs" / "study"});
  for (const auto& [trial, finished] : run(*backend, 2)) {
    EXPECT_EQ(finished.outcome.value, 42.0) << trial;
  }
}

TEST_F(SlurmBackendTest, EndsAConfigurationOutsideTheSpaceAtOnce) {
  const auto backend = backend_of(slurm_.script(answer));
  backend->start({.trial = 0, .config = {}});
  const Finished finished = backend->wait();
  EXPECT_EQ(finished.outcome.reason, Reason::invalid);
  EXPECT_EQ(finished.outcome.cost_gpu_hours, 0.0);
  EXPECT_EQ(slurm_.calls("sbatch"), 0U);
}

TEST_F(SlurmBackendTest, SubmitsOneByOneWhereThereAreNoArrays) {
  slurm_.tell("no_arrays");
  const auto backend = backend_of(slurm_.script(answer));
  EXPECT_EQ(run(*backend, 3).size(), 3U);
  EXPECT_EQ(slurm_.jobs().size(), 3U);
  EXPECT_EQ(slurm_.calls("sbatch"), 4U) << "the array that was refused, and three jobs";
}

TEST_F(SlurmBackendTest, WaitsWhileTheQueueIsFull) {
  slurm_.tell("full", "2");
  const auto backend = backend_of(script_that_waits());
  for (std::int64_t trial = 0; trial < 5; ++trial) backend->start(launch_of(trial));
  // The array, and the third job: two fill the queue, and end only when one was refused.
  backend->await([&] {
    if (slurm_.calls("sbatch") >= 4) slurm_.tell("go");
    return false;
  });
  EXPECT_EQ(collect(*backend, 5).size(), 5U);
  EXPECT_EQ(slurm_.jobs().size(), 5U) << "each submitted once";
  EXPECT_GE(slurm_.calls("sbatch"), 7U) << "and two refused before";
  EXPECT_EQ(said_,
            "Slurm takes no more jobs for now (sbatch: error: Batch job submission failed: Job "
            "violates accounting/QOS policy (job submit limit, user's size and/or time limits)); "
            "trying again\n");
}

TEST_F(SlurmBackendTest, TakesTheWaitingForAFreePlaceOverFromSbatch) {
  slurm_.tell("sleeping");
  const auto backend = backend_of(slurm_.script(answer));
  EXPECT_EQ(run(*backend, 1).at(0).outcome.value, 42.0);
  EXPECT_EQ(slurm_.calls("sbatch"), 2U);
  EXPECT_EQ(slurm_.jobs().size(), 1U) << "the sbatch that slept was ended";
}

TEST_F(SlurmBackendTest, SubmitsNothingTwiceWhenTheAnswerIsLost) {
  slurm_.tell("lose");
  const auto backend = backend_of(slurm_.script(answer));
  EXPECT_EQ(run(*backend, 3).size(), 3U);
  EXPECT_EQ(slurm_.calls("sbatch"), 1U);
  EXPECT_EQ(slurm_.jobs().size(), 3U);
}

TEST_F(SlurmBackendTest, OutlivesASlurmThatIsDownForAWhile) {
  const auto backend =
      backend_of(slurm_.script("sleep 0.2; " + std::string(answer), "--poll=0.05 --patience=60"));
  backend->start(launch_of(0));
  ASSERT_TRUE(go_on_until(*backend, [&] { return slurm_.jobs().size() == 1; }));
  slurm_.tell("down");
  const std::size_t calls = slurm_.calls("squeue");
  ASSERT_TRUE(go_on_until(*backend, [&] { return slurm_.calls("squeue") > calls + 3; }));
  backend->start(launch_of(1));
  ASSERT_TRUE(go_on_until(*backend, [&] { return slurm_.calls("sbatch") > 1; }));
  slurm_.tell_no_more("down");
  EXPECT_EQ(collect(*backend, 2).size(), 2U);
  EXPECT_EQ(slurm_.jobs().size(), 2U);
}

TEST_F(SlurmBackendTest, GivesUpASlurmThatIsDownForTooLong) {
  slurm_.tell("down");
  const auto backend = backend_of(slurm_.script(answer, "--poll=0.05 --patience=0.3"));
  backend->start(launch_of(0));
  try {
    backend->wait();
    FAIL() << "it waits for ever";
  } catch (const support::OutputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("Slurm has not answered for 0 s: "));
    EXPECT_THAT(error.what(), HasSubstr("Unable to contact slurm controller (connect failure)"));
  }
}

TEST_F(SlurmBackendTest, SaysWhySlurmRefusesATemplate) {
  slurm_.tell("refuse", "Invalid partition name specified");
  const auto backend = backend_of(slurm_.script(answer));
  backend->start(launch_of(0));
  backend->start(launch_of(1));
  try {
    backend->wait();
    FAIL() << "it waits for ever";
  } catch (const support::OutputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("sbatch refused \""));
    EXPECT_THAT(error.what(), HasSubstr("Invalid partition name specified"));
  }
}

TEST_F(SlurmBackendTest, SaysThatSlurmIsNotInstalled) {
  const std::string script = slurm_.script(answer);
  const auto backend = backend_of(script);
  backend->start(launch_of(0));
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", out_.path().c_str(), 1);
  EXPECT_THROW(backend->wait(), support::OutputError);
  ::setenv("PATH", path.c_str(), 1);
}

TEST_F(SlurmBackendTest, CancelsWhatDoesNotStartWithinTheLimit) {
  slurm_.tell("never");
  const auto backend = backend_of(slurm_.script(answer, "--poll=0.05 --pending-limit=0.2"));
  const Finished finished = run(*backend, 1).at(0);
  EXPECT_EQ(finished.outcome.reason, Reason::infra);
  EXPECT_EQ(finished.outcome.cost_gpu_hours, 0.0);
  EXPECT_EQ(slurm_.state("1"), "CANCELLED");
  EXPECT_THAT(said_, HasSubstr("trial 0: job 1 did not start within the pending limit"));
}

TEST_F(SlurmBackendTest, EndsWhatTakesTooLong) {
  const auto backend =
      backend_of(slurm_.script("echo step 1 loss 2; sleep 60"), 0.0, milliseconds{500});
  EXPECT_EQ(run(*backend, 1).at(0).outcome.reason, Reason::timeout);
  EXPECT_EQ(slurm_.state("1"), "CANCELLED");
}

TEST_F(SlurmBackendTest, ChargesTheTimeBetweenStartAndEnd) {
  const auto backend =
      backend_of(slurm_.script("sleep 1.2; echo '{\"state\":\"complete\",\"value\":1}'"), 0.5);
  const Finished finished = run(*backend, 1).at(0);
  const double hours = finished.finished_h - finished.started_h;
  // Slurm's clock has whole seconds, so that a start may lie up to one before the search went on.
  EXPECT_NEAR(hours, 5.5 / 3600.0, 4.6 / 3600.0);
  EXPECT_GE(finished.started_h, 0.5 - 1.1 / 3600.0) << "the clock goes on where the journal ends";
  EXPECT_LE(finished.finished_h, 0.6);
  EXPECT_NEAR(finished.outcome.duration_h, hours, 1e-12);
  EXPECT_NEAR(finished.outcome.cost_gpu_hours, 8 * hours, 1e-12) << "eight GPUs";
}

// ---- the suite comes to an end, and its jobs go on
// ------------------------------------------------

TEST_F(SlurmBackendTest, LeavesJobsAndFindsThemAgain) {
  const std::string script = script_that_waits();
  {
    const auto backend = backend_of(script);
    for (std::int64_t trial = 0; trial < 3; ++trial) backend->start(launch_of(trial));
    ASSERT_TRUE(go_on_until(*backend, [&] { return slurm_.calls("squeue") > 0; }));
    EXPECT_THAT(said_, HasSubstr("3 jobs go on in Slurm, which --resume collects and scancel 1_0 "
                                 "1_1 1_2 would end"));
  }
  slurm_.tell("go");
  const auto backend = backend_of(script);
  const auto finished = run(*backend, 3);
  EXPECT_EQ(finished.at(2).outcome.value, 42.0);
  EXPECT_EQ(slurm_.calls("sbatch"), 1U);
}

/// A suite that was killed after sbatch, before it had written the job's number down.
class ForgottenNumber : public SlurmBackendTest {
 protected:
  /// Leaves two jobs behind whose number nobody knows.
  std::string leave_jobs(const std::string& body) {
    const std::string script = slurm_.script(body);
    const auto backend = backend_of(script);
    for (std::int64_t trial = 0; trial < 2; ++trial) backend->start(launch_of(trial));
    EXPECT_TRUE(go_on_until(*backend, [&] { return fs::exists(number()); }));
    fs::remove(number());
    return script;
  }
  fs::path number() const { return jobs() / "0-0" / "job"; }
  bool wait_for_end() const {
    for (int i = 0; i < 3000; ++i) {
      if (slurm_.is_over("1_0") && slurm_.is_over("1_1")) return true;
      std::this_thread::sleep_for(milliseconds{10});
    }
    return false;
  }
};

TEST_F(ForgottenNumber, IsFoundInTheQueue) {
  const std::string script = leave_jobs("sleep 0.3; " + std::string(answer));
  const auto backend = backend_of(script);
  EXPECT_EQ(run(*backend, 2).at(1).outcome.value, 42.0);
  EXPECT_EQ(slurm_.calls("sbatch"), 1U);
  EXPECT_EQ(slurm_.calls("sacct"), 0U);
}

TEST_F(ForgottenNumber, IsFoundInTheAccounts) {
  const std::string script = leave_jobs("exit 2");
  ASSERT_TRUE(wait_for_end());
  slurm_.tell("forget");
  slurm_.tell("accounting");
  const auto backend = backend_of(script);
  EXPECT_EQ(run(*backend, 2).at(1).outcome.reason, Reason::invalid) << "the accounts know its exit";
  EXPECT_EQ(slurm_.calls("sbatch"), 1U);
}

TEST_F(ForgottenNumber, IsNotNeededWhereThereIsAnAnswer) {
  const std::string script = leave_jobs(answer);
  ASSERT_TRUE(wait_for_end());
  slurm_.tell("forget");
  const auto backend = backend_of(script);
  EXPECT_EQ(run(*backend, 2).at(1).outcome.value, 42.0);
  EXPECT_EQ(slurm_.calls("sbatch"), 1U);
}

TEST_F(ForgottenNumber, IsSubmittedAgainWhereNothingEverRan) {
  slurm_.tell("never");
  const std::string script = leave_jobs(answer);
  fs::remove_all(slurm_ / "jobs");
  slurm_.tell_no_more("never");
  const auto backend = backend_of(script);
  EXPECT_EQ(run(*backend, 2).at(1).outcome.value, 42.0);
  EXPECT_EQ(slurm_.calls("sbatch"), 2U);
}

TEST_F(SlurmBackendTest, JudgesWhatSlurmHasForgottenByItsLog) {
  slurm_.tell("forget");
  const std::string stepd =
      "echo 'slurmstepd-n1: error: *** JOB 1 ON n1 CANCELLED AT "
      "2026-01-01T00:00:00 DUE TO TIME LIMIT ***' >&2";
  const auto backend = backend_of(
      slurm_.script("read -r request; case $request in *'\"trial\":0,'*) " + std::string(answer) +
                    ";; *'\"trial\":1,'*) " + stepd +
                    ";; *'\"trial\":2,'*) echo 'slurmstepd: error: Detected 1 oom_kill event' "
                    ">&2;; esac"));
  const auto finished = run(*backend, 4);
  EXPECT_EQ(finished.at(0).outcome.value, 42.0);
  EXPECT_EQ(finished.at(1).outcome.reason, Reason::timeout);
  EXPECT_EQ(finished.at(2).outcome.reason, Reason::oom_init);
  EXPECT_EQ(finished.at(3).outcome.reason, Reason::infra);
}

TEST_F(SlurmBackendTest, TakesNoOtherJobOfTheSameNumberForItsOwn) {
  const auto backend = backend_of(slurm_.script("sleep 5"));
  backend->start(launch_of(0));
  ASSERT_TRUE(go_on_until(*backend, [&] { return slurm_.calls("squeue") > 0; }));
  // A controller that lost its state gave the number away again, to a job that succeeded.
  write_text(slurm_ / "jobs" / "1" / "name", "somebody-elses\n");
  write_text(slurm_ / "jobs" / "1" / "code", "2:0\n");
  write_text(slurm_ / "jobs" / "1" / "state", "FAILED\n");
  EXPECT_EQ(backend->wait().outcome.reason, Reason::infra) << "not invalid, as exit 2 would be";
}

TEST_F(SlurmBackendTest, EndsAJobThatNobodyWaitsForAnyMore) {
  Launch other = launch_of(0);
  tiny().space.configuration_at(0, other.config);
  ASSERT_NE(other.config, launch_of(0).config);
  const std::string waits = slurm_.script("sleep 60");
  {
    const auto backend = backend_of(waits);
    backend->start(launch_of(0));
    ASSERT_TRUE(go_on_until(*backend, [&] { return slurm_.calls("squeue") > 0; }));
  }
  const auto backend = backend_of(script_that_waits());
  backend->start(other);
  backend->await([&] {
    if (slurm_.state("1") == "CANCELLED") slurm_.tell("go");
    return false;
  });
  EXPECT_EQ(backend->wait().outcome.value, 42.0);
  EXPECT_EQ(slurm_.state("1"), "CANCELLED");
}

TEST_F(SlurmBackendTest, RemovesWhatItKeptWhenTheStudyHasEnded) {
  const auto backend = backend_of(slurm_.script(answer));
  run(*backend, 2);
  EXPECT_TRUE(fs::exists(jobs() / "0-0" / "1.out"));
  backend->close();
  EXPECT_TRUE(fs::is_empty(out_.path()));
}

TEST_F(SlurmBackendTest, IsNotLedElsewhere) {
  fs::create_directories(out_ / "elsewhere");
  fs::create_directory_symlink(out_ / "elsewhere", out_ / "jobs");
  EXPECT_THROW(backend_of(slurm_.script(answer)), support::InputError);
  EXPECT_TRUE(fs::is_empty(out_ / "elsewhere"));
}

}  // namespace
}  // namespace cubicbench::search
