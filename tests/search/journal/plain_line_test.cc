#include "search/journal/plain_line.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "support/input_error.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::search {
namespace {

JournalHeader header() {
  JournalHeader header;
  header.version = "1";
  header.scenario = "tiny";
  header.scenario_sha256 = header.truth_sha256 = "ab";
  header.searcher = "random";
  header.backend = "simulator";
  header.telling = "bytes";
  header.trials = 9;
  return header;
}

/// The line as the reader of any JSON reads it, which a space leads to; "" where that refuses it.
std::string read_as_json(const std::string& line, const TemporaryFolder& folder) {
  write_text(folder / "j", journal_text(header()) + line.substr(0, 1) + " " + line.substr(1) +
                               "\n" + "{\"recommend\":{}}\n");  // what is last may be torn
  try {
    const JournalFile file = read_journal(folder / "j");
    return file.lines.empty() ? "" : journal_text(file.lines.front());
  } catch (const support::InputError&) {
    return "";
  }
}

std::string truth_read_as_json(const std::string& line, const TemporaryFolder& folder) {
  write_text(folder / "t",
             truth_text(TruthHeader(header())) + line.substr(0, 1) + " " + line.substr(1) + "\n");
  try {
    return truth_text(read_truth(folder / "t").lines.at(0));
  } catch (const support::InputError&) {
    return "";
  }
}

const std::array<std::string, 4> launches{
    R"({"trial":12,"attempt":1,"config":{"tensor_parallel":8,"compile":true,"sharding":"zero1",)"
    R"("cached_share":0.25},"state":"complete","reason":null,"value":3.2101e+17,"metrics":)"
    R"({"step_time_s":2,"mfu":0.4375},"cost_gpu_hours":1.5,"started_h":0.25,"finished_h":0.5,)"
    R"("round":3,"fidelity":null})",
    R"({"trial":1,"attempt":0,"config":{},"state":"fail","reason":"oom_init","value":null,)"
    R"("metrics":{},"cost_gpu_hours":0,"started_h":0,"finished_h":1e-05,"round":0,"fidelity":0.5})",
    R"({"trial":0,"attempt":0,"config":{"a":false,"b":-7},"state":"complete","reason":null,)"
    R"("value":-0.001,"metrics":{"x":1e-09},"cost_gpu_hours":2,"started_h":1,"finished_h":1,)"
    R"("round":0,"fidelity":1})",
    R"({"trial":3,"attempt":2,"config":{"z":"w-1.5"},"state":"pruned","reason":null,)"
    R"("value":null,"metrics":{"peak_bytes":85899345920},"cost_gpu_hours":0.1,"started_h":2,)"
    R"("finished_h":3,"round":1,"fidelity":null})"};

const std::array<std::string, 2> truths{
    R"({"trial":7,"attempt":0,"reason":null,"value":123.5})",
    R"({"trial":8,"attempt":1,"reason":"oom_late","value":null})"};

/// With a byte lost, doubled, changed or moved, at one to three places.
std::string mutated(std::string line, std::mt19937& generator) {
  const auto below = [&](std::size_t count) { return generator() % count; };
  constexpr std::string_view bytes = "0123456789.-+eE,:{}[]\"\\ aflnrstu\x01\x7f\xc3";
  for (std::size_t count = 1 + below(3); count > 0 && line.size() > 2; --count) {
    const std::size_t at = 1 + below(line.size() - 1);
    const std::size_t other = 1 + below(line.size() - 1);
    switch (below(4)) {
      case 0:
        line.erase(at, 1 + below(3));
        break;
      case 1:
        line.insert(at, line.substr(other, below(12)));
        break;
      case 2:
        line[at] = bytes[below(bytes.size())];
        break;
      default:
        line.insert(at, 1, bytes[below(bytes.size())]);
        break;
    }
  }
  return line;
}

/// What both quick readers of a launch make of it, without metrics and times.
std::string kept_of(const JournalLine& line) {
  JournalLine kept = line;
  kept.outcome.metrics.clear();
  kept.started_h = kept.finished_h = 0.0;
  kept.fidelity = line.share();
  return journal_text(kept);
}

/// "" where it is not read.
std::string read_as_outcome(const std::string& line, ConfigWords& words) {
  std::vector<ConfigWord> config;
  const auto read = read_plain_outcome(line, words, config);
  if (!read) return "";
  JournalLine kept{.trial = read->trial, .attempt = read->attempt, .config = {}, .outcome = {}};
  for (const ConfigWord word : config) kept.config.push_back(words.text(word));
  kept.outcome.state = read->state;
  kept.outcome.reason = read->reason;
  kept.outcome.value = read->value;
  kept.outcome.cost_gpu_hours = read->cost_gpu_hours;
  kept.round = read->round;
  kept.fidelity = read->fidelity;
  return journal_text(kept);
}

TEST(PlainLine, BothReadersOfLaunchesTakeTheSameLines) {
  ConfigWords words;
  std::mt19937 dice(3);
  int taken = 0;
  for (int i = 0; i < 40'000; ++i) {
    const std::string& launch = launches[dice() % launches.size()];
    const std::string line = i < 8 ? launch : mutated(launch, dice);
    const auto read = read_plain_launch(line);
    const std::string outcome = read_as_outcome(line, words);
    ASSERT_EQ(outcome, read ? kept_of(*read) : "") << line;
    if (read) ++taken;
  }
  EXPECT_GT(taken, 1000);
}

TEST(PlainLine, ReadsWhatIsWritten) {
  const TemporaryFolder folder;
  for (const std::string& line : launches) {
    const auto read = read_plain_launch(line);
    ASSERT_TRUE(read) << line;
    EXPECT_EQ(journal_text(*read), line + "\n");
    EXPECT_EQ(journal_text(*read), read_as_json(line, folder));
    EXPECT_EQ(read->outcome.duration_h, read->finished_h - read->started_h);
  }
  for (const std::string& line : truths) {
    const auto read = read_plain_truth(line);
    ASSERT_TRUE(read) << line;
    EXPECT_EQ(truth_text(*read), line + "\n");
  }
}

TEST(PlainLine, LeavesManyMembersToTheReaderOfJson) {
  const auto with_members = [](int count) {
    std::string config;
    for (int i = 0; i < count; ++i) config += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\":1";
    return R"({"trial":0,"attempt":0,"config":{)" + config +
           R"(},"state":"fail","reason":"timeout","value":null,"metrics":{},"cost_gpu_hours":0,)" +
           R"("started_h":0,"finished_h":0,"round":0,"fidelity":null})";
  };
  EXPECT_TRUE(read_plain_launch(with_members(64)));
  EXPECT_FALSE(read_plain_launch(with_members(65)));
}

TEST(PlainLine, OfAnyOtherLineItReadsWhatJsonSaysOrNothing) {
  const TemporaryFolder folder;
  std::mt19937 dice(1);
  int read_plainly = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string line = mutated(launches[dice() % launches.size()], dice);
    const auto read = read_plain_launch(line);
    if (!read) continue;
    ++read_plainly;
    ASSERT_EQ(journal_text(*read), read_as_json(line, folder)) << line;
  }
  EXPECT_GT(read_plainly, 500);
}

TEST(PlainLine, OfAnyOtherTruthItReadsWhatJsonSaysOrNothing) {
  const TemporaryFolder folder;
  std::mt19937 dice(2);
  int read_plainly = 0;
  for (int i = 0; i < 40'000; ++i) {
    const std::string line = mutated(truths[dice() % truths.size()], dice);
    const auto read = read_plain_truth(line);
    if (!read) continue;
    ++read_plainly;
    ASSERT_EQ(truth_text(*read), truth_read_as_json(line, folder)) << line;
  }
  EXPECT_GT(read_plainly, 500);
}

}  // namespace
}  // namespace cubicbench::search
