#include "search/served/serve_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "search/finished/known_launches.h"
#include "search/journal/journal.h"
#include "support/input_error.h"
#include "tests/search/served/served_fixture.h"

namespace cubicbench::search {
namespace {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::ordered_json;
using Lines = std::vector<std::string>;

constexpr const char* served_journal = "journals/tiny-llama.0.client.0.jsonl";
const std::string budget_line = R"({"type":"budget"})";

/// The types of messages in a row.
std::string types(const std::vector<Json>& answers) {
  std::string all;
  for (const Json& answer : answers) {
    all += (all.empty() ? "" : " ") + answer["type"].get<std::string>();
  }
  return all;
}

TEST(ServeLines, AnswersEachRequestOnce) {
  const TemporaryFolder folder;
  bool closed = false;
  const auto answers =
      served(served_plan(2), served_run(folder / "out"),
             {budget_line, evaluate_line(served_config), budget_line, evaluate_line(other_config),
              evaluate_line(served_config), budget_line, recommend_line(served_config)},
             &closed);
  EXPECT_EQ(types(answers), "hello budget tell budget tell done budget done");
  EXPECT_TRUE(closed);
  EXPECT_EQ(answers[0]["replay"], 0);
  EXPECT_EQ(answers[1]["launches_left"], 2);
  EXPECT_EQ(answers[2]["trials"][0]["trial"], 0);
  EXPECT_EQ(answers[2]["trials"][0]["config"], Json::parse(served_config));
  EXPECT_EQ(answers[3]["launches"], 1);
  EXPECT_EQ(answers[6]["launches_left"], 0);
  EXPECT_TRUE(answers[6]["gpu_hours_left"].is_null());
  const JournalFile journal = read_journal(folder / "out" / served_journal);
  EXPECT_EQ(journal.lines.size(), 2U);
  EXPECT_TRUE(journal.recommended);
  EXPECT_THAT(read_text(folder / "out/finished.json"), HasSubstr("tiny-llama.0.client.0"));
}

TEST(ServeLines, TellsWhatIsKnownBeforeTheFirstRequest) {
  const TemporaryFolder folder;
  SearchPlan earlier = served_plan(1'500, {"llama3-8b"});
  earlier.searchers = {parse_searcher("random", "--searcher")};
  run_search(earlier, {.out = folder / "known", .threads = 1});
  SearchPlan plan = served_plan(2, {"llama3-8b"});
  const std::vector<std::string> places{(folder / "known").string()};
  ASSERT_EQ(warm_start(plan, places).size(), 1U);
  const auto known = plan.warm_start.of("llama3-8b", 0);
  ASSERT_TRUE(known != nullptr);
  ASSERT_GT(known->launches.size(), 1'000U);
  const auto answers = served(plan, served_run(folder / "out"), {budget_line});
  EXPECT_EQ(types(answers), "hello tell tell budget");
  EXPECT_EQ(answers[1]["trials"].size(), 1'000U);
  EXPECT_EQ(answers[2]["trials"].size(), known->launches.size() - 1'000U);
  EXPECT_EQ(answers[1]["trials"].front()["trial"], -std::ssize(known->launches));
  EXPECT_EQ(answers[2]["trials"].back()["trial"], -1);
  EXPECT_EQ(answers[3]["launches"], 0);
  // A program that comes back is told the same again, and may launch what is known.
  const auto again = served(plan, served_run(folder / "out", true),
                            {evaluate_line(answers[1]["trials"][0]["config"].dump())});
  EXPECT_EQ(again[1], answers[1]);
  EXPECT_EQ(again[3]["trials"][0]["trial"], 0);
  const JournalFile journal = read_journal(folder / "out/journals/llama3-8b.0.client.0.jsonl");
  EXPECT_EQ(journal.header.warm_start, known->id());
}

TEST(ServeLines, LaunchesShortOnesWhereAskedTo) {
  const TemporaryFolder folder;
  const auto evaluate = [](const std::string& fidelity) {
    return R"({"type":"evaluate","config":)" + served_config + R"(,"fidelity":)" + fidelity + "}";
  };
  const auto answers = served(served_plan(2), served_run(folder / "out"),
                              {evaluate("0.25"), budget_line, evaluate("null"), evaluate("1"),
                               evaluate("2"), recommend_line(served_config)});
  EXPECT_EQ(types(answers), "hello tell budget tell error error done");
  EXPECT_EQ(answers[0]["fidelities"], true);
  EXPECT_EQ(answers[1]["trials"][0]["fidelity"], 0.25);
  EXPECT_EQ(answers[2]["launches"], 0.34375);
  EXPECT_EQ(answers[2]["launches_left"], 1.65625);
  EXPECT_FALSE(answers[3]["trials"][0].contains("fidelity"));
  EXPECT_EQ(answers[4]["message"],
            "The launch would be charged 1, and 0.65625 of the budget of 2 launches is left.");
  EXPECT_EQ(answers[5]["message"], "A fidelity is a number above 0 and at most 1, got 2.");
  // A program that comes back does the same again.
  const auto again = served(served_plan(2), served_run(folder / "out", true), {});
  EXPECT_EQ(types(again), "hello");
  EXPECT_EQ(again[0]["replay"], 2);
}

TEST(ServeLines, TellsTheGrantedBaselineFirst) {
  const TemporaryFolder folder;
  SearchPlan plan = served_plan(2);
  plan.start = Start::baseline;
  const auto answers = served(plan, served_run(folder / "out"), {budget_line});
  EXPECT_EQ(types(answers), "hello tell budget");
  EXPECT_EQ(answers[1]["trials"][0]["config"], answers[0]["baseline"]);
  EXPECT_EQ(answers[2]["launches_left"], 1);
}

TEST(ServeLines, ChargesNothingForWhatItRefuses) {
  const TemporaryFolder folder;
  bool closed = true;
  const auto answers = served(
      served_plan(3), served_run(folder / "out"),
      {evaluate_line(R"({"tensor_parallel":3})"), evaluate_line("7"), R"({"type":"evaluate"})",
       evaluate_line(R"({"tp":1})"), recommend_line(served_config), budget_line},
      &closed);
  EXPECT_EQ(types(answers), "hello error error error error error budget");
  EXPECT_EQ(answers[1]["message"], "tensor_parallel must be one of 1, 2, 4, 8, got 3.");
  EXPECT_THAT(answers[5]["message"], HasSubstr("never launched"));
  EXPECT_EQ(answers[6]["launches_left"], 3);
  EXPECT_FALSE(closed);  // nobody has closed it, and there is budget left
  EXPECT_TRUE(read_journal(folder / "out" / served_journal).lines.empty());
}

TEST(ServeLines, LeavesAStudyThatIsSpentOpenUnlessItSaidDone) {
  const TemporaryFolder folder;
  const Lines spent{evaluate_line(served_config)};
  bool closed = true;
  served(served_plan(1), served_run(folder / "out"), spent, &closed);
  EXPECT_FALSE(closed);
  EXPECT_FALSE(std::filesystem::exists(folder / "out/finished.json"));
  // So that a program which was ended there can come back and recommend.
  const auto answers = served(served_plan(1), served_run(folder / "out", true),
                              {spent.front(), recommend_line(served_config)}, &closed);
  EXPECT_EQ(types(answers), "hello tell done");
  EXPECT_TRUE(closed);
  EXPECT_TRUE(read_journal(folder / "out" / served_journal).recommended);

  served(served_plan(1), served_run(folder / "done"), {spent.front(), spent.front()}, &closed);
  EXPECT_TRUE(closed);
  EXPECT_FALSE(read_journal(folder / "done" / served_journal).recommended);
}

TEST(ServeLines, LeavesAStudyOpenThatIsStoppedAfterDone) {
  const TemporaryFolder folder;
  std::atomic<bool> stop = false;
  SearchRun run = served_run(folder / "out");
  run.stop = &stop;
  ServedSearch search(served_plan(1), run);
  ScriptedPeer script({evaluate_line(served_config), evaluate_line(served_config)});
  LinePeer peer = script.peer();
  peer.next = [next = peer.next, &stop, asked = 0]() mutable {
    if (asked++ == 2) stop = true;
    return next();
  };
  EXPECT_FALSE(serve_lines(*search.studies().front(), peer));
  EXPECT_EQ(types(parsed(script.answers)), "hello tell done");
  EXPECT_FALSE(search.is_closed());
}

TEST(ServeLines, SaysWhyItEndsWhereALineIsTooLong) {
  const TemporaryFolder folder;
  ServedSearch search(served_plan(1), served_run(folder / "out"));
  ScriptedPeer script({});
  LinePeer peer = script.peer();
  peer.next = []() -> std::optional<std::string> { throw support::OutputError("too long"); };
  EXPECT_THROW(serve_lines(*search.studies().front(), peer), support::OutputError);
  EXPECT_EQ(types(parsed(script.answers)), "hello error");
}

TEST(ServeLines, EndsWhereTheProtocolIsBroken) {
  for (const char* const line :
       {"hello", "{\"a\":\"\xff\"}", "\xc3", "[]", "{}", R"({"type":7})", R"({"type":"ask","n":1})",
        R"({"type":"tell","trials":[]})", R"({"type":"truth"})"}) {
    SCOPED_TRACE(line);
    const TemporaryFolder folder;
    ServedSearch search(served_plan(3), served_run(folder / "out"));
    ScriptedPeer peer({line, evaluate_line(served_config)});
    EXPECT_THROW(serve_lines(*search.studies().front(), peer.peer()), ProtocolBroken);
    EXPECT_EQ(types(parsed(peer.answers)), "hello error");
  }
}

TEST(ServeLines, ResumesToTheSameBytesFromACutAtEveryLine) {
  const TemporaryFolder folder;
  const Lines all{evaluate_line(served_config), evaluate_line(other_config),
                  evaluate_line(rejected_config), evaluate_line(served_config),
                  recommend_line(served_config)};
  const auto first = served(served_plan(4), served_run(folder / "out"), all);
  const auto whole = files_below(folder / "out");
  const std::filesystem::path truth_name = folder / "out/truth/tiny-llama.0.client.0.jsonl";
  const std::string text = read_text(folder / "out" / served_journal);
  const std::string truth = read_text(truth_name);
  std::int64_t recorded = -1;
  std::size_t truth_end = 0;  // one line ahead of the journal, as a kill between the two leaves it
  for (std::size_t end = 0; end < text.size(); end = text.find('\n', end) + 1) {
    write_text(folder / "out" / served_journal, text.substr(0, end));
    if (truth_end < truth.size()) truth_end = truth.find('\n', truth_end) + 1;
    write_text(truth_name, truth.substr(0, truth_end));
    auto answers = served(served_plan(4), served_run(folder / "out", true), all);
    EXPECT_EQ(answers.front()["replay"], std::max<std::int64_t>(recorded++, 0));
    answers.front()["replay"] = 0;
    EXPECT_EQ(answers, first);
    ASSERT_EQ(files_below(folder / "out"), whole);
  }
}

TEST(ServeLines, RefusesAProgramThatDoesSomethingElseOnResume) {
  const TemporaryFolder folder;
  served(served_plan(4), served_run(folder / "out"),
         {evaluate_line(served_config), evaluate_line(other_config)});
  const auto before = files_below(folder / "out");
  for (const Lines& lines :
       {Lines{evaluate_line(other_config)}, Lines{recommend_line(served_config)},
        Lines{evaluate_line(served_config), recommend_line(served_config)}}) {
    EXPECT_THROW(served(served_plan(4), served_run(folder / "out", true), lines), NotDeterministic);
    EXPECT_EQ(files_below(folder / "out"), before);
  }
  ServedSearch search(served_plan(4), served_run(folder / "out", true));
  ScriptedPeer peer({evaluate_line(other_config)});
  EXPECT_THROW(serve_lines(*search.studies().front(), peer.peer()), NotDeterministic);
  EXPECT_EQ(types(parsed(peer.answers)), "hello error");  // the program is told, too
}

TEST(ServeLines, AClosedStudyStaysClosed) {
  for (const std::string& end : {recommend_line("null"), recommend_line(served_config)}) {
    const TemporaryFolder folder;
    const Lines lines{evaluate_line(served_config), end};
    served(served_plan(4), served_run(folder / "out"), lines);
    const auto before = files_below(folder / "out");
    Lines more = lines;
    more.insert(more.begin() + 1, evaluate_line(other_config));
    EXPECT_THROW(served(served_plan(4), served_run(folder / "out", true), more), NotDeterministic);
    // Nor can another configuration be recommended, or what was recommended taken back.
    for (const std::string& other : {recommend_line("null"), recommend_line(served_config)}) {
      if (other == end) continue;
      EXPECT_THROW(served(served_plan(4), served_run(folder / "out", true), {lines[0], other}),
                   NotDeterministic);
      EXPECT_EQ(files_below(folder / "out"), before);
    }
    bool closed = false;
    served(served_plan(4), served_run(folder / "out", true), {}, &closed);
    EXPECT_TRUE(closed);  // whoever asks nothing of it has nothing left to do
    served(served_plan(4), served_run(folder / "out", true), lines);
    EXPECT_EQ(files_below(folder / "out"), before);
  }
}

TEST(ServeLines, NeverSaysWhatOnlyTheTruthKnows) {
  const TemporaryFolder folder;
  const auto answers = served(served_plan(3), served_run(folder / "out"),
                              {evaluate_line(served_config), evaluate_line(other_config),
                               budget_line, recommend_line(served_config)});
  const TruthFile truth = read_truth(folder / "out/truth/tiny-llama.0.client.0.jsonl");
  ASSERT_EQ(truth.lines.size(), 2U);
  std::string said;
  for (const Json& answer : answers) said += answer.dump() + "\n";
  for (const TruthLine& line : truth.lines) {
    EXPECT_THAT(said, Not(HasSubstr(Json(line.truth.value).dump())));
  }
  for (const char* const word : {"truth", "sha256", "tiny", "metrics", "step_time", "salt"}) {
    EXPECT_THAT(said, Not(HasSubstr(word)));
  }
}

TEST(ServeLines, SaysEachTellingAsItIs) {
  struct Case {
    Telling telling;
    const char* state;
  };
  for (const Case& c : {Case{Telling::worst, "complete"}, Case{Telling::penalty, "complete"},
                        Case{Telling::reason, "fail"}, Case{Telling::bytes, "fail"}}) {
    const TemporaryFolder folder;
    SearchPlan plan = served_plan(1);
    plan.telling = c.telling;
    const auto answers = served(plan, served_run(folder / "out"), {evaluate_line(rejected_config)});
    EXPECT_EQ(answers[1]["trials"][0]["state"], c.state);
  }
  const TemporaryFolder folder;
  SearchPlan plan = served_plan(1);
  plan.telling = Telling::drop;
  const auto answers = served(plan, served_run(folder / "out"), {evaluate_line(rejected_config)});
  EXPECT_EQ(answers[1].dump(), R"({"type":"tell","trials":[]})");
}

TEST(ServeLines, StopsInOrder) {
  const TemporaryFolder folder;
  std::atomic<bool> stop = false;
  SearchRun run = served_run(folder / "out");
  run.stop = &stop;
  ServedSearch search(served_plan(3), run);
  ScriptedPeer script({evaluate_line(served_config), evaluate_line(other_config)});
  LinePeer peer = script.peer();
  peer.next = [next = peer.next, &stop, asked = 0]() mutable {
    if (asked++ == 1) stop = true;
    return next();
  };
  EXPECT_FALSE(serve_lines(*search.studies().front(), peer));
  EXPECT_EQ(read_journal(folder / "out" / served_journal).lines.size(), 1U);
}

TEST(ServedSearch, HoldsItsFolder) {
  const TemporaryFolder folder;
  const ServedSearch first(served_plan(3), served_run(folder / "out"));
  EXPECT_THROW(ServedSearch(served_plan(3), served_run(folder / "out", true)),
               support::OutputError);
}

TEST(ServedSearch, HasAStudyOfItsSeedAndInstance) {
  const TemporaryFolder folder;
  SearchPlan plan = served_plan(1);
  plan.first_seed = 7;
  plan.first_instance = 3;
  served(plan, served_run(folder / "out"), {evaluate_line(served_config)});
  const JournalFile journal = read_journal(folder / "out/journals/tiny-llama.3.client.7.jsonl");
  EXPECT_EQ(journal.header.seed, 7);
  EXPECT_EQ(journal.header.instance, 3);
}

}  // namespace
}  // namespace cubicbench::search
