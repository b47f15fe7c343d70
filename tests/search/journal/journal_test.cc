#include "search/journal/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/input_error.h"
#include "support/json/json_document.h"
#include "support/json/strict_json.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::search {
namespace {

using scenarios::Reason;
using scenarios::TrialState;
using testing::HasSubstr;

const std::string header_line =
    R"({"schema":"cubicbench.journal/1","version":"0.1.0","scenario":"tiny","scenario_sha256":"ab",)"
    R"("truth_sha256":"cd","instance":2,"searcher":"evolution:population=50","options":)"
    R"({"backend":"simulator","slots":4,"population":50,"rate":0.25},"telling":"bytes","seed":7,)"
    R"("budget":{"trials":300}})"
    "\n";
const std::string complete_line =
    R"({"trial":0,"attempt":1,"config":{"tensor_parallel":8,"compile":true,"sharding":"zero1"},)"
    R"("state":"complete","reason":null,"value":0.1,"metrics":{"step_time_s":2,"a\"b":1e-09},)"
    R"("cost_gpu_hours":1.5,"started_h":0.25,"finished_h":0.5,"round":3,"fidelity":null})"
    "\n";
const std::string failed_line =
    R"({"trial":1,"attempt":0,"config":{},"state":"fail","reason":"oom_init","value":null,)"
    R"("metrics":{"over_bytes":5000000001},"cost_gpu_hours":0,"started_h":0.2,"finished_h":0.9,)"
    R"("round":0,"fidelity":0.5})"
    "\n";  // 0.2 + (0.9 - 0.2) is another number than 0.9: times are kept, not computed

JournalFile read(const TemporaryFolder& folder, const std::string& text) {
  write_text(folder / "j.jsonl", text);
  return read_journal(folder / "j.jsonl");
}

std::string message_of(const TemporaryFolder& folder, const std::string& text) {
  try {
    read(folder, text);
  } catch (const support::InputError& error) {
    const std::string message = error.what();
    return message.substr(message.find("j.jsonl"));
  }
  return "";
}

TEST(Journal, HoldsEachLaunchOnce) {
  const TemporaryFolder folder;
  EXPECT_EQ(message_of(folder, header_line + complete_line + failed_line + complete_line),
            "j.jsonl:4: expected each launch once, got attempt 1 of trial 0 again");
}

TEST(Journal, HasNoHeaderBeforeItsFirstLineIsWhole) {
  const TemporaryFolder folder;
  write_text(folder / "j.jsonl", "");
  EXPECT_FALSE(has_header(folder / "j.jsonl"));
  write_text(folder / "j.jsonl", header_line.substr(0, 30));
  EXPECT_FALSE(has_header(folder / "j.jsonl"));
  write_text(folder / "j.jsonl", header_line);
  EXPECT_TRUE(has_header(folder / "j.jsonl"));
}

TEST(Journal, IsReadAndWrittenBack) {
  const TemporaryFolder folder;
  const JournalFile file = read(folder, header_line + complete_line + failed_line);
  EXPECT_FALSE(file.torn);
  EXPECT_EQ(file.header.scenario, "tiny");
  EXPECT_EQ(file.header.truth_sha256, "cd");
  EXPECT_EQ(file.header.instance, 2);
  EXPECT_EQ(file.header.searcher, "evolution:population=50");
  EXPECT_EQ(file.header.slots, 4);
  EXPECT_EQ(file.header.searcher_options,
            (std::vector<std::pair<std::string, double>>{{"population", 50.0}, {"rate", 0.25}}));
  EXPECT_EQ(file.header.telling, "bytes");
  EXPECT_EQ(file.header.seed, 7);
  EXPECT_EQ(file.header.trials, 300);
  ASSERT_EQ(file.lines.size(), 2U);
  const JournalLine& first = file.lines[0];
  EXPECT_EQ(first.attempt, 1);
  EXPECT_EQ(first.config,
            (ConfigText{{"tensor_parallel", "8"}, {"compile", "true"}, {"sharding", "\"zero1\""}}));
  EXPECT_EQ(first.outcome.state, TrialState::complete);
  EXPECT_EQ(first.outcome.value, 0.1);
  EXPECT_EQ(metric_of(first.outcome, "a\"b"), 1e-9);
  EXPECT_EQ(first.outcome.duration_h, 0.25);
  EXPECT_EQ(first.round, 3);
  EXPECT_FALSE(first.fidelity);
  EXPECT_EQ(file.lines[1].outcome.reason, Reason::oom_init);
  EXPECT_FALSE(file.lines[1].outcome.value);
  EXPECT_EQ(file.lines[1].fidelity, 0.5);

  EXPECT_EQ(journal_text(file.header), header_line);
  EXPECT_EQ(journal_text(file.lines[0]), complete_line);
  EXPECT_EQ(journal_text(file.lines[1]), failed_line);
}

TEST(Journal, EndsWithWhatIsRecommended) {
  const TemporaryFolder folder;
  const std::string last = R"({"recommend":{"sharding":"zero1","wrap":2}})"
                           "\n";
  const JournalFile file = read(folder, header_line + complete_line + last);
  EXPECT_EQ(file.lines.size(), 1U);
  EXPECT_EQ(file.recommended, (ConfigText{{"sharding", "\"zero1\""}, {"wrap", "2"}}));
  EXPECT_EQ(recommendation_text(*file.recommended), last);
  EXPECT_THROW(read(folder, header_line + last + complete_line), support::InputError);
}

TEST(Journal, SaysWithWhatItsStudyBegan) {
  JournalHeader header;
  EXPECT_THAT(journal_text(header), testing::Not(HasSubstr("start")));
  header.start = "baseline";
  EXPECT_THAT(journal_text(header), HasSubstr("\"slots\":1,\"start\":\"baseline\""));
}

TEST(Journal, LinesAreWrittenAsEveryOtherDocument) {
  for (const std::string& line : {header_line, complete_line, failed_line}) {
    EXPECT_EQ(support::line_text(support::parse_json(line, "")), line);
  }
}

TEST(Journal, WithoutATruthHasNoHashOfOne) {
  const TemporaryFolder folder;
  JournalHeader header = read(folder, header_line).header;
  header.truth_sha256.clear();
  EXPECT_THAT(journal_text(header), HasSubstr("\"truth_sha256\":null,"));
  EXPECT_EQ(read(folder, journal_text(header)).header, header);
}

TEST(Journal, SaysThatTheSpaceWasPermutedOnlyWhereItWas) {
  const TemporaryFolder folder;
  JournalHeader header = read(folder, header_line).header;
  EXPECT_FALSE(header.permute);
  header.permute = true;
  EXPECT_THAT(journal_text(header), HasSubstr("\"slots\":4,\"permute\":true,\"population\":50"));
  EXPECT_EQ(read(folder, journal_text(header)).header, header);
}

TEST(Journal, LeavesATornLastLineOut) {
  const TemporaryFolder folder;
  const std::string whole = header_line + complete_line;
  for (std::size_t length = 1; length < failed_line.size(); ++length) {
    const JournalFile file = read(folder, whole + failed_line.substr(0, length));
    EXPECT_TRUE(file.torn);
    EXPECT_EQ(file.lines.size(), 1U);
  }
  EXPECT_TRUE(read(folder, whole + "{\"trial\":1,\n").torn);
  EXPECT_TRUE(read(folder, whole + std::string(7, '\0')).torn);
  EXPECT_FALSE(read(folder, whole).torn);
}

TEST(Journal, NamesTheLineOfAProblem) {
  const TemporaryFolder folder;
  const auto with = [](std::string line, const std::string& from, const std::string& to) {
    return line.replace(line.find(from), from.size(), to);
  };
  struct Case {
    const char* name;
    std::string text;
    const char* message;
  };
  for (const Case& c : {
           Case{"empty", "", "j.jsonl: expected a journal, got no header"},
           Case{"half a header", header_line.substr(0, 40),
                "j.jsonl: expected a journal, got no header"},
           Case{"another schema", with(header_line, "journal/1", "journal/2"),
                "j.jsonl:1#/schema: expected \"cubicbench.journal/1\", got "
                "\"cubicbench.journal/2\""},
           Case{"no telling", with(header_line, "\"telling\":\"bytes\",", ""),
                "j.jsonl:1#/telling: expected"},
           Case{"damage in the middle", header_line + "{\"tri\n" + complete_line,
                "j.jsonl:2: expected a line of JSON, got {\"tri"},
           Case{"an unknown key in the last line",
                header_line + with(complete_line, "\"round\"", "\"ground\""),
                "j.jsonl:2#/round: expected"},
           Case{"a key that no version has",
                header_line + with(complete_line, "\"round\"", "\"lucky\":1,\"round\""),
                "j.jsonl:2#/lucky: "},
           Case{"an unknown state", header_line + with(failed_line, "\"fail\"", "\"lost\""),
                "j.jsonl:2#/state: expected one of complete, fail, pruned, got \"lost\""},
           Case{"an unknown reason", header_line + with(failed_line, "oom_init", "bad_luck"),
                "j.jsonl:2#/reason: expected a reason why trials fail, or null, got \"bad_luck\""},
           Case{"a failure with a value",
                header_line + with(failed_line, "\"value\":null", "\"value\":1"),
                "j.jsonl:2#/value: expected a number exactly when the state is complete"},
           Case{"time that runs backwards",
                header_line + with(complete_line, "\"finished_h\":0.5", "\"finished_h\":0.2"),
                "j.jsonl:2#/finished_h: expected a number >= 0.25, got 0.2"},
           Case{"a launch of no step",
                header_line + with(failed_line, "\"fidelity\":0.5", "\"fidelity\":0"),
                "j.jsonl:2#/fidelity: expected a number"},
           Case{"a launch of more than all steps",
                header_line + with(failed_line, "\"fidelity\":0.5", "\"fidelity\":1.5"),
                "j.jsonl:2#/fidelity: expected a number"},
       }) {
    SCOPED_TRACE(c.name);
    EXPECT_THAT(message_of(folder, c.text), testing::StartsWith(c.message));
  }
}

TEST(Journal, MustBeThere) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_journal(folder / "none.jsonl"), support::InputError);
}

}  // namespace
}  // namespace cubicbench::search
