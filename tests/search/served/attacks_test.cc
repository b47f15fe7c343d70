// Fifteen ways in which a program outside might gain something that its budget does not pay for.
// Each is tried, and gains nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scenarios/problem/seal.h"
#include "search/journal/journal.h"
#include "search/served/mcp_server.h"
#include "search/wire/messages.h"
#include "support/input_error.h"
#include "tests/search/external/scripted_client.h"
#include "tests/search/fakes.h"
#include "tests/search/served/served_fixture.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;
using scenarios::Reason;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::ordered_json;

constexpr const char* journal_name = "journals/tiny-llama.0.client.0.jsonl";
const std::string ask_budget = R"({"type":"budget"})";

std::string said(const std::vector<Json>& answers) {
  std::string all;
  for (const Json& answer : answers) all += answer.dump() + "\n";
  return all;
}

TEST(Attack, ReplayingAJournal) {
  // Lines of a journal are no messages, and the journal of another study is not taken for this one.
  const TemporaryFolder folder;
  served(served_plan(2), served_run(folder / "rich"),
         {evaluate_line(served_config), evaluate_line(other_config)});
  const std::string journal = read_text(folder / "rich" / journal_name);
  ServedSearch search(served_plan(2), served_run(folder / "poor"));
  ScriptedPeer peer({journal.substr(0, journal.find('\n'))});
  EXPECT_THROW(serve_lines(*search.studies().front(), peer.peer()), ProtocolBroken);
  EXPECT_EQ(search.studies().front()->ledger().balance().launches, 0);

  SearchPlan other = served_plan(2);
  other.first_seed = 1;
  served(other, served_run(folder / "other"), {});
  write_text(folder / "other/journals/tiny-llama.0.client.1.jsonl", journal);
  EXPECT_THROW(served(other, served_run(folder / "other", true), {}), support::InputError);
}

TEST(Attack, ATimeoutToldAsAScore) {
  // A launch that is ended has no value that could be taken for one, neither told nor recorded.
  const TemporaryFolder folder;
  const scenarios::Scenario eight = scenario_of_eight();
  const StudySpec spec{.scenario = "eight", .searcher = {}, .trials = 3};
  ScriptedBackend backend([](const Launch&) { return failed(Reason::timeout, 1e6); });
  StudyLog log({folder / "eight.jsonl"}, journal_header(spec, eight.sha256, ""), false);
  Ledger ledger(eight, spec, backend, log);
  const auto ended = ledger.evaluate({0});
  ASSERT_TRUE(ended && ended->told);
  const Json told = told_json(SeenProblem(eight, spec), *ended->told);
  EXPECT_EQ(told["state"], "fail");
  EXPECT_TRUE(told["value"].is_null());
  EXPECT_THROW(ledger.close(Configuration{0}), Refused);
  EXPECT_FALSE(read_journal(folder / "eight.jsonl").lines.front().outcome.value);
}

TEST(Attack, Overdraft) {
  const TemporaryFolder folder;
  std::vector<std::string> lines(50, evaluate_line(served_config));
  const auto answers = served(served_plan(3), served_run(folder / "out"), lines);
  EXPECT_EQ(read_journal(folder / "out" / journal_name).lines.size(), 3U);
  for (std::size_t i = 4; i < answers.size(); ++i) EXPECT_EQ(answers[i]["type"], "done");
}

TEST(Attack, AskingInMidBatch) {
  // A client with more proposals than were asked for, which wants to see the first outcomes only.
  const TemporaryFolder folder;
  ScriptedClient client;
  client.hello = R"(echo '{"type":"ready","protocol":1,"batch":2}')";
  client.ask = ScriptedClient::propose(tiny_config + "," + tiny_config + "," + tiny_config);
  SearchPlan plan = tiny_plan(6);
  plan.slots = 2;
  plan.searchers = {searcher_of_script(client, folder / "client.sh")};
  EXPECT_THAT(failure_of(plan, served_run(folder / "out")),
              HasSubstr("proposed 3 configs, asked for 2"));
  // On the ledger itself: neither a further launch nor an end while the slots are in use.
  const scenarios::Scenario eight = scenario_of_eight();
  const StudySpec spec{.scenario = "eight", .searcher = {}, .trials = 9, .slots = 2};
  ScriptedBackend backend([](const Launch&) { return completed(1.0); });
  StudyLog log({folder / "eight.jsonl"}, journal_header(spec, eight.sha256, ""), false);
  Ledger ledger(eight, spec, backend, log);
  ledger.launch({0});
  ledger.launch({1});
  EXPECT_THROW(ledger.launch({2}), Refused);
  EXPECT_THROW(ledger.evaluate({2}), Refused);
  EXPECT_THROW(ledger.close(), Refused);
  EXPECT_EQ(ledger.balance().launches, 2);
}

TEST(Attack, TamperingWithTheJournal) {
  const TemporaryFolder folder;
  const std::vector<std::string> lines{evaluate_line(served_config), evaluate_line(other_config)};
  served(served_plan(3), served_run(folder / "out"), lines);
  const std::string honest = read_text(folder / "out" / journal_name);
  const auto resumed = [&](const std::string& journal) {
    write_text(folder / "out" / journal_name, journal);
    return [&folder, &lines] { served(served_plan(3), served_run(folder / "out", true), lines); };
  };
  // A better value, a launch that was not made, a launch taken out, a larger budget.
  std::string better = honest;
  const std::size_t value = better.find("\"value\":") + 8;
  better[value] = better[value] == '9' ? '8' : '9';
  EXPECT_THROW(resumed(better)(), support::InputError);
  std::string richer = honest;
  richer.replace(richer.find("\"trials\":3"), 10, "\"trials\":9");
  EXPECT_THROW(resumed(richer)(), support::InputError);
  const std::size_t second = honest.find('\n') + 1;
  const std::size_t third = honest.find('\n', second) + 1;
  std::string fewer = honest;
  fewer.erase(second, third - second);
  EXPECT_ANY_THROW(resumed(fewer)());
  std::string twice = honest;
  twice.insert(third, honest.substr(second, third - second));
  EXPECT_ANY_THROW(resumed(twice)());
  EXPECT_NO_THROW(resumed(honest)());
}

TEST(Attack, ReadingTruthAndScenarioFromTheClientsFolder) {
  const TemporaryFolder folder;
  ScriptedClient client;
  client.ask = "ls -AR . .. 2>/dev/null | grep -E 'truth|journals|plan.json|scenarios' >'" +
               (folder / "found").string() + "'; " + client.ask;
  SearchPlan plan = tiny_plan(2);
  plan.searchers = {searcher_of_script(client, folder / "client.sh")};
  // The folder of the search is not beside that of the client, but below the working folder.
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::create_directories(folder / "deep/work");
  std::filesystem::current_path(folder / "deep/work");
  client.before = "cd . && ls -A >'" + (folder / "here").string() + "'";
  plan.searchers = {searcher_of_script(client, folder / "client.sh")};
  EXPECT_EQ(failure_of(plan, served_run("out")), "");
  std::filesystem::current_path(before);
  EXPECT_EQ(read_text(folder / "here"), "");
}

TEST(Attack, GuessingTheSalt) {
  // What is told of a sealed problem says nothing of the salt, not even its hash, and another salt
  // is another problem.
  const auto value_with = [](char salt, std::string& told) {
    const TemporaryFolder folder;
    const auto seal = std::make_shared<scenarios::Seal>(std::string(32, salt));
    SearchPlan plan = served_plan(1);
    plan.first_instance = 1;
    plan.salt_sha256 = seal->salt_sha256();
    plan.scenarios.front().seal = seal;
    const auto answers =
        served(plan, served_run(folder / "out"), {evaluate_line(served_config), ask_budget});
    told = said(answers);
    EXPECT_THAT(told, Not(HasSubstr(seal->salt_sha256().substr(0, 16))));
    EXPECT_THAT(told, Not(HasSubstr(std::string(8, salt))));
    return answers[1]["trials"][0]["value"].get<double>();
  };
  std::string first;
  std::string second;
  EXPECT_NE(value_with('x', first), value_with('y', second));
}

TEST(Attack, LabelsRememberedFromAnotherStudy) {
  const TemporaryFolder folder;
  const auto plan_of = [](std::int64_t seed) {
    SearchPlan plan = served_plan(1);
    plan.permute = true;
    plan.first_seed = seed;
    return plan;
  };
  const ServedSearch known(plan_of(0), served_run(folder / "known"));
  const SeenProblem& remembered = known.studies().front()->problem();
  const scenarios::Scenario scenario = scenarios::read_scenario("tiny-llama");
  const Configuration best = SeenProblem(scenario, {.scenario = "", .searcher = {}})
                                 .configuration_of(Json::parse(served_config));
  int helped = 0;
  for (std::int64_t seed = 1; seed <= 20; ++seed) {
    const ServedSearch other(plan_of(seed), served_run(folder / std::to_string(seed)));
    try {
      helped +=
          other.studies().front()->problem().configuration_of(remembered.config_json(best)) == best
              ? 1
              : 0;
    } catch (const Refused&) {  // not even a configuration there
    }
  }
  EXPECT_LE(helped, 2);
}

TEST(Attack, ARefundByResuming) {
  const TemporaryFolder folder;
  std::vector<std::string> lines(2, evaluate_line(served_config));
  for (int again = 0; again < 4; ++again) {
    lines.push_back(ask_budget);
    const auto answers = served(served_plan(4), served_run(folder / "out", again > 0), lines);
    EXPECT_EQ(answers.back()["launches"], 2);
    EXPECT_EQ(answers.back()["launches_left"], 2);
    EXPECT_EQ(read_journal(folder / "out" / journal_name).lines.size(), 2U);
  }
}

TEST(Attack, ReadingTheTruthFromAComplaint) {
  // A line of the journal is taken out and another configuration proposed: the complaint must not
  // say what the truth of either is.
  const TemporaryFolder folder;
  served(served_plan(4), served_run(folder / "out"), {evaluate_line(served_config)});
  const std::string journal = read_text(folder / "out" / journal_name);
  const std::string truth_name = "out/truth/tiny-llama.0.client.0.jsonl";
  const double true_value = read_truth(folder / truth_name).lines.front().truth.value;
  write_text(folder / "out" / journal_name, journal.substr(0, journal.find('\n') + 1));
  try {
    served(served_plan(4), served_run(folder / "out", true), {evaluate_line(other_config)});
    ADD_FAILURE() << "accepted";
  } catch (const support::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(truth_name + ":2: expected the line of this launch"));
    EXPECT_THAT(error.what(), Not(HasSubstr(Json(true_value).dump())));
    EXPECT_THAT(error.what(), Not(HasSubstr("value")));
  }
  // What it was told of can be had again.
  EXPECT_NO_THROW(
      served(served_plan(4), served_run(folder / "out", true), {evaluate_line(served_config)}));
}

TEST(Attack, EvaluationsThroughAHelper) {
  // Whoever sends the lines, there is one ledger: two helpers that share the stream pay together.
  const TemporaryFolder folder;
  std::vector<std::string> both;
  for (int i = 0; i < 4; ++i) {
    both.push_back(evaluate_line(served_config));
    both.push_back(evaluate_line(other_config));
  }
  served(served_plan(5), served_run(folder / "out"), both);
  EXPECT_EQ(read_journal(folder / "out" / journal_name).lines.size(), 5U);
}

TEST(Attack, AnEmptyRecommendation) {
  const TemporaryFolder folder;
  bool closed = false;
  const auto answers = served(served_plan(2), served_run(folder / "out"),
                              {recommend_line("{}"), recommend_line("[]"), recommend_line("\"\""),
                               recommend_line(served_config), ask_budget},
                              &closed);
  for (std::size_t i = 1; i <= 4; ++i) EXPECT_EQ(answers[i]["type"], "error");
  EXPECT_FALSE(closed);
  // null, before anything ran: the study has no recommendation, and so counts as a failure.
  served(served_plan(2), served_run(folder / "null"), {recommend_line("null")});
  EXPECT_FALSE(read_journal(folder / "null" / journal_name).recommended);
  EXPECT_TRUE(read_journal(folder / "null" / journal_name).lines.empty());
}

TEST(Attack, SuccessAfterOneProposal) {
  // It may end early, but nothing that it says of itself is believed: only measurements count.
  const TemporaryFolder folder;
  const auto answers = served(
      served_plan(10), served_run(folder / "out"),
      {R"({"type":"evaluate","config":)" + served_config + R"(,"value":1e30,"state":"complete"})",
       R"({"type":"recommend","config":)" + served_config + R"(,"value":1e30,"score":1.0})"});
  EXPECT_LT(answers[1]["trials"][0]["value"].get<double>(), 1e12);
  EXPECT_THAT(read_text(folder / "out" / journal_name), Not(HasSubstr("e+30")));
  EXPECT_EQ(read_journal(folder / "out" / journal_name).lines.size(), 1U);
}

TEST(Attack, Flooding) {
  // A thousand requests that are refused cost nothing and gain nothing.
  const TemporaryFolder folder;
  std::vector<std::string> lines(1000, evaluate_line(R"({"tensor_parallel":3})"));
  lines.push_back(ask_budget);
  const auto answers = served(served_plan(3), served_run(folder / "out"), lines);
  EXPECT_EQ(answers.back()["launches_left"], 3);
  EXPECT_LT(std::filesystem::file_size(folder / "out" / journal_name), 2'000U);
}

TEST(Attack, ASecondConnection) {
  const TemporaryFolder folder;
  ServedSearch search(served_plan(3), served_run(folder / "out"));
  EXPECT_THROW(ServedSearch(served_plan(3), served_run(folder / "out", true)),
               support::OutputError);
  SearchPlan same = tiny_plan(3);
  same.searchers = {parse_searcher("random", "--searcher")};
  EXPECT_NE(failure_of(same, served_run(folder / "out", true)), "");
}

}  // namespace
}  // namespace cubicbench::search
