// The program itself with an external command in the simulator's place.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/process.h"
#include "tests/program_path.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using support::Process;

constexpr const char* example = CUBICBENCH_SOURCE_DIR "/docs/examples/time_a_program.sh";

std::vector<std::string> lines_of(const fs::path& path) {
  std::vector<std::string> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// One search of tiny-llama into a folder of its own, on a command of our choice.
class RealRun : public testing::Test {
 protected:
  fs::path out() const { return folder_.path() / "out"; }
  fs::path journal() const { return out() / "journals" / "tiny-llama.0.random.0.jsonl"; }
  fs::path file(const char* name) const { return folder_.path() / name; }

  /// Starts the program; its process number is in the file "pid".
  std::unique_ptr<Process> start(const std::string& command, const std::string& options = "") {
    out_.clear();
    err_.clear();
    const std::string line =
        "echo $$ > '" + file("pid.new").string() + "'; mv '" + file("pid.new").string() + "' '" +
        file("pid").string() + "'; exec '" + program_path() +
        "' search tiny-llama --searcher random --trials 6 --backend \"$(cat '" +
        file("command").string() + "')\" --out '" + out().string() + "' " + options;
    write_text(file("command"), "command:" + command);
    return std::make_unique<Process>(
        support::shell_call(line), "",
        support::ProcessSinks{.out = [this](std::string_view text) { out_ += text; },
                              .err = [this](std::string_view text) { err_ += text; }},
        Process::Clock::now() + std::chrono::seconds{60}, milliseconds{1000});
  }

  support::ProcessEnd wait(const std::unique_ptr<Process>& process) {
    Process* const one = process.get();
    while (!process->ended()) Process::attend({&one, 1}, milliseconds{1000});
    return process->end();
  }

  /// Waits, up to half a minute, until `done` says so.
  template <typename Condition>
  void attend_until(const std::unique_ptr<Process>& process, Condition done) {
    Process* const one = process.get();
    for (int i = 0; i < 3000 && !done(); ++i) Process::attend({&one, 1}, milliseconds{10});
    ASSERT_TRUE(done()) << err_;
  }

  TemporaryFolder folder_;
  std::string out_;
  std::string err_;
};

TEST_F(RealRun, SearchesByTimingAProgram) {
  const auto process = start(example, "--json");
  ASSERT_EQ(wait(process).exit_code, 0) << err_;
  const auto answer = nlohmann::json::parse(out_);
  ASSERT_EQ(answer["studies"].size(), 1U);
  EXPECT_EQ(answer["studies"][0]["trials"], 6);
  EXPECT_EQ(answer["studies"][0]["failed"], 0);
  const std::vector<std::string> lines = lines_of(journal());
  ASSERT_EQ(lines.size(), 7U);
  double best = 0.0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto line = nlohmann::json::parse(lines[i]);
    EXPECT_EQ(line["trial"], i - 1);
    EXPECT_EQ(line["state"], "complete");
    EXPECT_GT(line["metrics"]["step_time_s"], 0.0);
    best = std::max(best, line["value"].get<double>());
  }
  EXPECT_EQ(answer["studies"][0]["best"]["value"], best);
  EXPECT_FALSE(fs::exists(out() / "truth")) << "nobody knows the truth of a real run";
}

TEST_F(RealRun, GoesOnWhereItWasKilled) {
  // Trial 3 waits for a file, until which the program is killed in the middle of its search.
  const std::string command = "read -r r; case \"$r\" in *'\"trial\":3,'*) while [ ! -e " +
                              file("go").string() +
                              " ]; do sleep 0.02; done;; esac; echo \"$r\" | " + example;
  const auto first = start(command);
  attend_until(first, [&] { return lines_of(journal()).size() == 4; });
  support::kill_running_processes();
  EXPECT_EQ(wait(first).signal, SIGKILL);
  const std::string before = read_text(journal());

  write_text(file("go"), "go");
  const auto second = start(command, "--resume");
  ASSERT_EQ(wait(second).exit_code, 0) << err_;
  EXPECT_TRUE(read_text(journal()).starts_with(before));
  const std::vector<std::string> lines = lines_of(journal());
  ASSERT_EQ(lines.size(), 7U);
  double hour = 0.0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto line = nlohmann::json::parse(lines[i]);
    EXPECT_EQ(line["trial"], i - 1);
    EXPECT_EQ(line["attempt"], 0);
    EXPECT_GE(line["started_h"], hour) << "the clock goes on";
    hour = line["finished_h"];
  }
}

TEST_F(RealRun, LetsWhatRunsEndAfterASignalAndRecordsIt) {
  const std::string command = "read -r r; : > " + file("job").string() + "; while [ ! -e " +
                              file("go").string() + " ]; do sleep 0.02; done; echo \"$r\" | " +
                              example;
  const auto process = start(command);
  attend_until(process, [&] { return fs::exists(file("job")); });
  ::kill(std::stoi(read_text(file("pid"))), SIGTERM);
  ::usleep(100'000);
  write_text(file("go"), "go");
  EXPECT_EQ(wait(process).exit_code, 128 + SIGTERM) << err_;
  const std::vector<std::string> lines = lines_of(journal());
  ASSERT_EQ(lines.size(), 2U) << "the header and the launch that was running";
  EXPECT_EQ(nlohmann::json::parse(lines[1])["state"], "complete");
}

TEST_F(RealRun, KillsWhatRunsAtTheSecondSignal) {
  const auto process =
      start("echo $$ > " + file("job.new").string() + "; mv " + file("job.new").string() + " " +
            file("job").string() + "; sleep 30; sleep 30");
  attend_until(process, [&] { return fs::exists(file("job")); });
  const int pid = std::stoi(read_text(file("pid")));
  ::kill(pid, SIGINT);
  ::kill(pid, SIGTERM);
  // Of two signals that wait for it at once, either may be handled first.
  const int code = wait(process).exit_code;
  EXPECT_TRUE(code == 128 + SIGINT || code == 128 + SIGTERM) << code;
  EXPECT_EQ(lines_of(journal()).size(), 1U);
  // Somebody else reaps it; until then it may be a zombie.
  const fs::path stat =
      fs::path("/proc") / std::to_string(std::stoi(read_text(file("job")))) / "stat";
  const auto is_gone = [&] {
    std::ifstream in(stat);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    return text.empty() || text.find(") Z ") != std::string::npos;
  };
  for (int i = 0; i < 500 && !is_gone(); ++i) ::usleep(10'000);
  EXPECT_TRUE(is_gone());
}

TEST_F(RealRun, SaysThatThereIsNoSuchCommand) {
  const auto process = start("/nowhere/program --now");
  EXPECT_EQ(wait(process).exit_code, 3);
  EXPECT_NE(err_.find("the external command could not be started"), std::string::npos) << err_;
}

}  // namespace
}  // namespace cubicbench::cli
