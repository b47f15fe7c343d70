#include "search/external/external_searcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "datasets/problem/table_scenario.h"
#include "search/journal/journal.h"
#include "search/ledger/ledger.h"
#include "support/sha256.h"
#include "tests/search/external/scripted_client.h"

namespace cubicbench::search {
namespace {

using scenarios::Reason;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using Json = nlohmann::ordered_json;

const std::filesystem::path shell_client =
    std::filesystem::path(CUBICBENCH_SOURCE_DIR) / "clients/random_search.sh";

SearcherSpec random_in_shell() {
  return parse_searcher("external:sh " + shell_client.string(), "--searcher");
}

SearchRun run_in(const std::filesystem::path& out, bool resume = false) {
  SearchRun run;
  run.out = out;
  run.resume = resume;
  run.threads = 2;
  run.client_timeout = std::chrono::seconds(20);
  return run;
}

std::vector<std::string> lines_of(const std::filesystem::path& file) {
  std::vector<std::string> lines;
  std::istringstream text(read_text(file));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

std::filesystem::path only_journal(const std::filesystem::path& out) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(out / "journals")) {
    found.push_back(entry.path());
  }
  EXPECT_EQ(found.size(), 1U);
  return found.front();
}

TEST(ExternalSearcher, LeavesTheSameBytesEachTime) {
  const TemporaryFolder folder;
  SearchPlan plan = tiny_plan(12);
  plan.searchers = {random_in_shell()};
  plan.seeds = 3;
  const SearchResult result = run_search(plan, run_in(folder / "one"));
  run_search(plan, run_in(folder / "two"));
  EXPECT_EQ(result.studies.size(), 3U);
  const auto files = files_below(folder / "one");
  EXPECT_EQ(files.size(), 2U + 2U * 3U);
  EXPECT_EQ(files, files_below(folder / "two"));
  std::set<std::string> differ;
  for (const auto& [path, text] : files) differ.insert(text.substr(text.find('\n') + 1));
  EXPECT_EQ(differ.size(), files.size());  // no two seeds did the same
}

TEST(ExternalSearcher, HidesWhoseMachineItWas) {
  const TemporaryFolder folder;
  SearchPlan plan = tiny_plan(2);
  plan.searchers = {random_in_shell()};
  run_search(plan, run_in(folder / "out"));
  const std::string hash =
      support::sha256_hex("external:sh " + shell_client.string()).substr(0, 16);
  for (const auto& [path, text] : files_below(folder / "out")) {
    EXPECT_THAT(text, Not(HasSubstr(CUBICBENCH_SOURCE_DIR))) << path;
    EXPECT_THAT(path, Not(HasSubstr("random-search"))) << path;
  }
  EXPECT_THAT(read_text(folder / "out/plan.json"), HasSubstr("external-sha256:" + hash));
}

TEST(ExternalSearcher, ResumesFromACutAtEveryLine) {
  const TemporaryFolder folder;
  SearchPlan plan = tiny_plan(5);
  plan.searchers = {random_in_shell()};
  run_search(plan, run_in(folder / "out"));
  const auto whole = files_below(folder / "out");
  const std::filesystem::path journal = only_journal(folder / "out");
  const std::string text = read_text(journal);
  for (std::size_t end = 0; end < text.size(); end = text.find('\n', end) + 1) {
    write_text(journal, text.substr(0, end));
    run_search(plan, run_in(folder / "out", true));
    ASSERT_EQ(files_below(folder / "out"), whole) << "cut to " << end << " bytes";
    write_text(journal, text.substr(0, end + 10));  // torn
    run_search(plan, run_in(folder / "out", true));
    ASSERT_EQ(files_below(folder / "out"), whole) << "torn at " << end + 10 << " bytes";
  }
}

TEST(ExternalSearcher, IsToldTheBaselineThenAskedThenTold) {
  const TemporaryFolder folder;
  ScriptedClient client;
  client.before = "exec 4>'" + (folder / "log").string() + "'";
  client.hello = "echo \"$line\" >&4; " + client.hello;
  client.ask = "echo \"$line\" >&4; " + client.ask;
  client.tell = "echo \"$line\" >&4";
  client.recommend = "echo \"$line\" >&4; " + client.recommend;
  client.stop = "echo \"$line\" >&4; exit 0";
  SearchPlan plan = tiny_plan(2);
  plan.start = Start::baseline;
  plan.searchers = {searcher_of_script(client, folder / "client.sh")};
  run_search(plan, run_in(folder / "out"));
  const std::vector<std::string> lines = lines_of(folder / "log");
  ASSERT_EQ(lines.size(), 6U);
  const Json hello = Json::parse(lines[0]);
  EXPECT_EQ(hello["protocol"], 1);
  EXPECT_EQ(hello["budget"]["trials"], 2);
  EXPECT_EQ(hello["replay"], 0);
  EXPECT_EQ(hello["baseline"], Json::parse(tiny_config));
  EXPECT_EQ(hello["space"]["parameters"].size(), 10U);
  EXPECT_EQ(hello["space"]["constraints"].size(), 4U);
  const Json told = Json::parse(lines[1])["trials"];
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0]["trial"], 0);
  EXPECT_EQ(told[0]["state"], "complete");
  EXPECT_TRUE(told[0]["value"].is_number());
  EXPECT_TRUE(told[0]["reason"].is_null());
  EXPECT_EQ(lines[2], R"({"type":"ask","n":1})");
  EXPECT_EQ(Json::parse(lines[3])["trials"][0]["trial"], 1);
  EXPECT_EQ(lines[4], R"({"type":"recommend"})");
  EXPECT_EQ(lines[5], R"({"type":"stop"})");
  // The same configuration again is a repeat: measured anew, and charged.
  const JournalFile journal = read_journal(only_journal(folder / "out"));
  ASSERT_EQ(journal.lines.size(), 2U);
  EXPECT_EQ(journal.lines[1].attempt, 1);
  EXPECT_NE(journal.lines[0].outcome.value, journal.lines[1].outcome.value);
}

TEST(ExternalSearcher, ChargesAsInvalidWhatAConstraintRejects) {
  const TemporaryFolder folder;
  ScriptedClient client;
  client.ask = ScriptedClient::propose(tiny_rejected);
  SearchPlan plan = tiny_plan(3);
  plan.searchers = {searcher_of_script(client, folder / "client.sh")};
  const SearchResult result = run_search(plan, run_in(folder / "out"));
  EXPECT_EQ(result.studies.front().trials, 3);
  EXPECT_EQ(result.studies.front().failed, 3);
  for (const JournalLine& line : read_journal(only_journal(folder / "out")).lines) {
    EXPECT_EQ(line.outcome.reason, Reason::invalid);
  }
}

TEST(ExternalSearcher, AsksForAsManyAsSlotsAreFree) {
  const TemporaryFolder folder;
  ScriptedClient client;
  client.before = "exec 4>'" + (folder / "log").string() + "'";
  client.hello = R"(echo '{"type":"ready","protocol":1,"batch":3}')";
  // Two, whatever is asked for: fewer is allowed.
  client.ask = "echo \"$line\" >&4; case $line in *'\"n\":1}'*) " +
               ScriptedClient::propose(tiny_config) + ";; *) " +
               ScriptedClient::propose(tiny_config + "," + tiny_config) + ";; esac";
  SearchPlan plan = tiny_plan(7);
  plan.slots = 4;
  plan.searchers = {searcher_of_script(client, folder / "client.sh")};
  const SearchResult result = run_search(plan, run_in(folder / "out"));
  EXPECT_EQ(result.studies.front().trials, 7);
  const std::vector<std::string> asked = lines_of(folder / "log");
  // Four slots are free, but it makes three at a time; two run then, and three slots are free.
  EXPECT_EQ(asked[0], R"({"type":"ask","n":3})");
  EXPECT_EQ(asked[1], R"({"type":"ask","n":3})");
  for (const std::string& ask : asked) EXPECT_LE(Json::parse(ask)["n"], 3);
}

TEST(ExternalSearcher, LaunchesShortOnesWhereItSaysSo) {
  const TemporaryFolder folder;
  ScriptedClient client;
  client.before = "exec 4>'" + (folder / "log").string() + "'";
  client.hello = R"(echo "$line" >&4; echo '{"type":"ready","protocol":1,"batch":2}')";
  // Two at first, no more afterwards.
  client.ask = "if [ -z \"$asked\" ]; then echo '{\"type\":\"propose\",\"configs\":[" +
               tiny_config + "," + tiny_config +
               "],\"fidelities\":[0.25,null]}'; else echo "
               "'{\"type\":\"propose\",\"configs\":[]}'; fi; asked=yes";
  client.tell = "echo \"$line\" >&4";
  SearchPlan plan = tiny_plan(2);
  plan.slots = 2;
  plan.searchers = {searcher_of_script(client, folder / "client.sh")};
  run_search(plan, run_in(folder / "out"));
  const std::vector<JournalLine> lines = read_journal(only_journal(folder / "out")).lines;
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].fidelity, 0.25);  // the short one ends first
  EXPECT_FALSE(lines[1].fidelity);
  const std::vector<std::string> heard = lines_of(folder / "log");
  EXPECT_EQ(Json::parse(heard[0])["fidelities"], true);
  const Json told = Json::parse(heard[1])["trials"][0];
  EXPECT_EQ(told["fidelity"], 0.25);
  EXPECT_THAT(read_text(folder / "out/finished.json"), HasSubstr("tiny-llama.0.external"));
}

TEST(ExternalSearcher, ASearchEndsWhereItProposesNothing) {
  const TemporaryFolder folder;
  write_text(folder / "configs", tiny_config + "\n");
  SearchPlan plan = tiny_plan(5);
  plan.searchers = {
      searcher_of_script(ScriptedClient::of_file(folder / "configs"), folder / "client.sh")};
  EXPECT_EQ(run_search(plan, run_in(folder / "out")).studies.front().trials, 1);
  EXPECT_THAT(read_text(folder / "out/finished.json"), HasSubstr("tiny-llama.0.external"));
}

TEST(ExternalSearcher, DrivesSeveralStudiesAProcessIfItSaysSo) {
  for (const std::int64_t studies : {1, 2, 100}) {
    const TemporaryFolder folder;
    ScriptedClient client;
    client.hello =
        "echo $$ >>'" + (folder / "log").string() +
        "'; echo '{\"type\":\"ready\",\"protocol\":1,\"studies\":" + std::to_string(studies) + "}'";
    SearchPlan plan = tiny_plan(2);
    plan.seeds = 6;
    plan.searchers = {searcher_of_script(client, folder / "client.sh")};
    SearchRun run = run_in(folder / "out");
    run.threads = 1;
    run_search(plan, run);
    const std::vector<std::string> lines = lines_of(folder / "log");
    EXPECT_EQ(lines.size(), 6U);
    const std::set<std::string> processes(lines.begin(), lines.end());
    EXPECT_EQ(processes.size(), studies == 1 ? 6U : studies == 2 ? 3U : 1U);
  }
}

TEST(ExternalSearcher, SeesNothingOfTheSuite) {
  const TemporaryFolder folder;
  ::setenv("CUBICBENCH_SECRET", "hush", 1);
  ::setenv("MY_SALT_FILE", "hush", 1);
  ScriptedClient client;
  const std::string log = (folder / "log").string();
  client.hello = "(env; pwd; ls -A; exec ls /proc/self/fd) >'" + log + "'; " + client.hello;
  SearchPlan plan = tiny_plan(1);
  plan.searchers = {searcher_of_script(client, folder / "client.sh")};
  run_search(plan, run_in(folder / "out"));
  ::unsetenv("CUBICBENCH_SECRET");
  ::unsetenv("MY_SALT_FILE");
  const std::string seen = read_text(folder / "log");
  EXPECT_THAT(seen, Not(HasSubstr("hush")));
  EXPECT_THAT(seen, Not(HasSubstr((folder / "out").string())));
  EXPECT_THAT(seen, HasSubstr("PATH="));
  // An empty folder, which is gone now, and no descriptor beyond those of `ls` and of the streams.
  const std::vector<std::string> lines = lines_of(folder / "log");
  const auto where = std::ranges::find_if(lines, [](const std::string& line) {
    return line.starts_with("/") && line.find("cubicbench-scratch.") != std::string::npos;
  });
  ASSERT_NE(where, lines.end()) << seen;
  EXPECT_FALSE(std::filesystem::exists(*where));
  EXPECT_EQ(std::vector<std::string>(where + 1, lines.end()),
            (std::vector<std::string>{"0", "1", "2", "3"}));
}

TEST(ExternalSearcher, IsFoundInTheWorkingFolderAndRunsElsewhere) {
  const std::string here = std::filesystem::current_path().string();
  const TemporaryFolder folder;
  write_text(folder / "a file.sh", "");
  write_text(folder / "client.sh", "");
  std::filesystem::current_path(folder.path());
  const std::string at = (folder / "client.sh").string();
  EXPECT_EQ(in_any_folder("sh client.sh --out x"), "sh " + at + " --out x");
  EXPECT_EQ(in_any_folder("./client.sh"), (folder / "./client.sh").string());
  EXPECT_EQ(in_any_folder("sh 'client.sh'"), "sh 'client.sh'");  // a shell reads it otherwise
  EXPECT_EQ(in_any_folder("python3 -m mine,yours"), "python3 -m mine,yours");
  std::filesystem::create_directory(folder / "my dir");
  write_text(folder / "my dir/client.sh", "");
  std::filesystem::current_path(folder / "my dir");
  EXPECT_EQ(in_any_folder("sh client.sh --out x"),
            "sh '" + (folder / "my dir/client.sh").string() + "' --out x");
  std::filesystem::current_path(here);
}

TEST(ExternalSearcher, DrawsFromTheRowsOfATable) {
  const TemporaryFolder folder;
  SearchPlan plan = tiny_plan(20);
  plan.scenarios = {datasets::read_scenario("nanotron-3.57b-64gpu")};
  plan.backend = "table";
  plan.searchers = {random_in_shell()};
  run_search(plan, run_in(folder / "out"));
  for (const JournalLine& line : read_journal(only_journal(folder / "out")).lines) {
    EXPECT_NE(line.outcome.reason, Reason::invalid) << line.trial;
  }
}

// ---- a client that does not keep to the protocol ---------------------------------------------

struct Fault {
  const char* name;
  ScriptedClient client;
  const char* message;
};

std::vector<Fault> faults() {
  const auto with = [](auto change) {
    ScriptedClient client;
    change(client);
    return client;
  };
  using C = ScriptedClient;
  return {
      {"hangs", with([](C& c) { c.ask = "sleep 600"; }), "did not answer within 2 s"},
      {"hangs at once", with([](C& c) { c.hello = "sleep 600"; }), "did not answer within 2 s"},
      {"dies", with([](C& c) { c.ask = "echo 'No module named tpe' >&2; exit 7"; }),
       "exited before it answered, with exit code 7; last line on its standard error: No module "
       "named tpe"},
      {"is killed", with([](C& c) { c.ask = "kill -9 $$"; }), "exited before it answered"},
      {"goes into the background", with([](C& c) { c.ask = "setsid sleep 20 & exit 0"; }),
       "exited before it answered, with exit code 0"},
      {"multiplies",
       with([](C& c) { c.ask = "for i in $(seq 50); do (sleep 600 &) ; done; sleep 600"; }),
       "did not answer within 2 s"},
      {"is not there", with([](C& c) { c.before = "exec /no/such/program"; }),
       "exited before it answered, with exit code 127"},
      {"babbles without an end", with([](C& c) { c.ask = "yes | tr -d '\\n'"; }),
       "sent a line of more than 1 MiB"},
      {"babbles lines", with([](C& c) { c.ask = "yes"; }), "answer is not a message"},
      {"answers out of order", with([](C& c) { c.ask = c.recommend; }),
       "sent \"recommend\" where \"propose\" was expected"},
      {"speaks another type", with([](C& c) { c.ask = "echo '{\"type\":\"score\",\"value\":1}'"; }),
       "sent \"score\" where \"propose\" was expected"},
      {"sends no type", with([](C& c) { c.ask = "echo '{}'"; }), "is an object with a type"},
      {"speaks another protocol",
       with([](C& c) { c.hello = "echo '{\"type\":\"ready\",\"protocol\":2}'"; }),
       "speaks protocol 2, this version speaks 1"},
      {"makes no batch",
       with([](C& c) { c.hello = "echo '{\"type\":\"ready\",\"protocol\":1,\"batch\":0}'"; }),
       "batch is an integer from 1 on, got 0"},
      {"proposes more than asked",
       with([](C& c) { c.ask = C::propose(tiny_config + "," + tiny_config); }),
       "proposed 2 configs, asked for 1"},
      {"proposes no list", with([](C& c) { c.ask = "echo '{\"type\":\"propose\"}'"; }),
       "without an array of configs"},
      {"proposes an unknown name", with([](C& c) { c.ask = C::propose("{\"tensor_paralel\":1}"); }),
       "has no parameter \"tensor_paralel\"; did you mean \"tensor_parallel\"?"},
      {"proposes a value that is none",
       with([](C& c) { c.ask = C::propose("{\"tensor_parallel\":3}"); }),
       "tensor_parallel must be one of 1, 2, 4, 8, got 3."},
      {"proposes a number as text",
       with([](C& c) { c.ask = C::propose("{\"tensor_parallel\":\"1\"}"); }),
       "tensor_parallel must be one of 1, 2, 4, 8, got \"1\"."},
      {"leaves one out", with([](C& c) { c.ask = C::propose("{\"tensor_parallel\":1}"); }),
       "lacks pipeline_parallel, which must be one of 1, 2"},
      {"proposes no object", with([](C& c) { c.ask = C::propose("7"); }),
       "is an object of parameters"},
      {"proposes too few fidelities", with([](C& c) {
         c.ask =
             "echo '{\"type\":\"propose\",\"configs\":[" + tiny_config + "],\"fidelities\":[]}'";
       }),
       "sent fidelities that are no array with one for each config"},
      {"proposes no launch at all", with([](C& c) {
         c.ask =
             "echo '{\"type\":\"propose\",\"configs\":[" + tiny_config + "],\"fidelities\":[0]}'";
       }),
       "cannot be launched: A fidelity is a number above 0 and at most 1, got 0."},
      {"recommends what ran in a short launch alone", with([](C& c) {
         c.ask =
             "echo '{\"type\":\"propose\",\"configs\":[" + tiny_config + "],\"fidelities\":[0.5]}'";
         c.recommend = "echo '{\"type\":\"recommend\",\"config\":" + tiny_config + "}'";
       }),
       "ran in short launches alone cannot be recommended"},
      {"recommends what it never launched", with([](C& c) {
         c.ask = C::propose(tiny_rejected);
         c.recommend = "echo '{\"type\":\"recommend\",\"config\":" + tiny_config + "}'";
       }),
       "recommended a configuration that was never launched"},
      {"recommends what failed", with([](C& c) {
         c.ask = C::propose(tiny_rejected);
         c.recommend = "echo '{\"type\":\"recommend\",\"config\":" + tiny_rejected + "}'";
       }),
       "all of whose launches failed cannot be recommended"},
  };
}

TEST(FaultyClient, EndsItsOwnStudyAndNoOther) {
  const TemporaryFolder folder;
  SearchPlan alone = tiny_plan(4);
  alone.searchers = {parse_searcher("random", "--searcher")};
  run_search(alone, run_in(folder / "alone"));
  const char* const other = "journals/tiny-llama.0.random.0.jsonl";
  int number = 0;
  for (const Fault& fault : faults()) {
    SCOPED_TRACE(fault.name);
    const std::string name = std::to_string(number++);
    SearchPlan plan = tiny_plan(4);
    plan.searchers = {searcher_of_script(fault.client, folder / (name + ".sh")),
                      parse_searcher("random", "--searcher")};
    SearchRun run = run_in(folder / name);
    run.client_timeout = std::chrono::seconds(2);
    const auto begin = std::chrono::steady_clock::now();
    const std::string message = failure_of(plan, run);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(15));
    EXPECT_THAT(message, StartsWith("tiny-llama.0.external-"));
    EXPECT_THAT(message, HasSubstr(fault.message));
    EXPECT_EQ(std::ranges::count(message, '\n'), 0) << message;
    EXPECT_EQ(read_text(folder / name / other), read_text(folder / "alone" / other));
    const std::string finished = read_text(folder / name / "finished.json");
    EXPECT_THAT(finished, HasSubstr("tiny-llama.0.random.0"));
    EXPECT_THAT(finished, Not(HasSubstr("external")));
    // Its journal is valid as far as it goes.
    for (const auto& entry : std::filesystem::directory_iterator(folder / name / "journals")) {
      EXPECT_NO_THROW(read_journal(entry.path()));
    }
  }
}

/// Six studies by a client that says it drives 100, one after the other.
std::string failure_of_six(const ScriptedClient& client, const TemporaryFolder& folder) {
  SearchPlan plan = tiny_plan(2);
  plan.seeds = 6;
  plan.searchers = {searcher_of_script(client, folder / "client.sh")};
  SearchRun run = run_in(folder / "out");
  run.threads = 1;
  return failure_of(plan, run);
}

ScriptedClient client_of_many() {
  ScriptedClient client;
  client.hello = R"(echo '{"type":"ready","protocol":1,"studies":100}')";
  return client;
}

TEST(FaultyClient, ThatAnswersTwiceIsNotTakenAtItsWord) {
  const TemporaryFolder folder;
  ScriptedClient client = client_of_many();
  const std::string twice = "{\"type\":\"propose\",\"configs\":[" + tiny_config + "]}";
  client.ask = "printf '%s\\n%s\\n' '" + twice + "' '" + twice + "'";
  const std::string message = failure_of_six(client, folder);
  EXPECT_EQ(std::ranges::count(message, '\n'), 5) << message;  // each study, by its own fault
  EXPECT_THAT(message, HasSubstr("the client sent a line that nobody had asked for: "
                                 "\"{\"type\":\"propose\""));
}

TEST(FaultyClient, DoesNotSpoilTheNextStudy) {
  ScriptedClient speaks = client_of_many();
  const std::string nothing = R"({"type":"recommend","config":null})";
  speaks.recommend = "printf '%s\\n%s\\n' '" + nothing + "' '" + nothing + "'";
  ScriptedClient speaks_later = client_of_many();
  speaks_later.recommend = "echo '" + nothing + "'; sleep 0.05; echo '" + nothing + "'";
  ScriptedClient exits = client_of_many();
  exits.recommend += "; exit 0";
  ScriptedClient exits_later = client_of_many();
  exits_later.recommend += "; sleep 0.05; exit 0";
  for (const ScriptedClient& client : {speaks, speaks_later, exits, exits_later}) {
    const TemporaryFolder folder;
    EXPECT_EQ(failure_of_six(client, folder), "") << client.recommend;
  }
}

TEST(FaultyClient, ShowsThePathInItsLastWords) {
  const TemporaryFolder folder;
  ScriptedClient client;
  const std::string words = "cannot open " + std::string(150, 'x') + "/end.py";
  client.hello = "echo '" + words + "' >&2; exit 2";
  EXPECT_THAT(failure_of_six(client, folder), HasSubstr(words));
}

TEST(ClientPool, WaitsForAllOfItsClientsTogether) {
  const TemporaryFolder folder;
  ScriptedClient client = client_of_many();
  client.stop = "sleep 600";
  write_text(folder / "client.sh", client.script());
  const ClientCall call{.command = "sh " + (folder / "client.sh").string(),
                        .timeout = std::chrono::seconds(20),
                        .stop_wait = std::chrono::milliseconds(500)};
  auto pool = std::make_unique<ClientPool>();
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 8; ++i) clients.push_back(pool->take(call));
  for (auto& one : clients) {
    one->studies_left = 1;
    EXPECT_TRUE(pool->give(std::move(one)));
  }
  const auto begin = std::chrono::steady_clock::now();
  pool.reset();
  const auto took = std::chrono::steady_clock::now() - begin;
  EXPECT_GE(took, std::chrono::milliseconds(500));
  EXPECT_LT(took, std::chrono::seconds(2));  // one after the other, it would be four
}

TEST(FaultyClient, GoesOnWhereItFailedOnceItIsRepaired) {
  const TemporaryFolder folder;
  std::string configs;
  for (int i = 0; i < 4; ++i) configs += tiny_config + "\n";
  write_text(folder / "configs", configs);
  const ScriptedClient good = ScriptedClient::of_file(folder / "configs");
  ScriptedClient bad = good;
  bad.tell = "exit 3";  // once the first outcome arrives
  SearchPlan plan = tiny_plan(4);
  plan.searchers = {searcher_of_script(bad, folder / "client.sh")};
  EXPECT_THAT(failure_of(plan, run_in(folder / "out")), HasSubstr("exit code 3"));
  EXPECT_EQ(read_journal(only_journal(folder / "out")).lines.size(), 1U);
  searcher_of_script(good, folder / "client.sh");
  EXPECT_EQ(failure_of(plan, run_in(folder / "out", true)), "");
  EXPECT_EQ(read_journal(only_journal(folder / "out")).lines.size(), 4U);
}

/// Whether a process of that number exists and is not merely waiting to be reaped by others.
bool is_alive(const std::string& pid) {
  std::ifstream stat("/proc/" + pid + "/stat");
  std::string number;
  std::string name;
  std::string state;
  return static_cast<bool>(stat >> number >> name >> state) && state != "Z";
}

TEST(FaultyClient, IsKilledWithAllThatItStartedWhenItIgnoresItsEnd) {
  const TemporaryFolder folder;
  ScriptedClient client;
  client.stop = "(trap '' TERM; sleep 600) & echo $! >'" + (folder / "pid").string() +
                "'; trap '' TERM; sleep 600";
  write_text(folder / "client.sh", client.script());
  ClientPool pool;
  const ClientCall call{.command = "sh " + (folder / "client.sh").string(),
                        .timeout = std::chrono::seconds(20),
                        .stop_wait = std::chrono::milliseconds(300)};
  const scenarios::Scenario scenario = scenarios::read_scenario("tiny-llama");
  const StudySpec spec{.scenario = "tiny-llama", .searcher = {}, .trials = 3};
  ExternalSearcher searcher(scenario, spec, call, pool, 0);
  searcher.announce(1);
  EXPECT_TRUE(searcher.ask());
  EXPECT_FALSE(searcher.recommend());
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(searcher.finish());
  const auto took = std::chrono::steady_clock::now() - begin;
  EXPECT_GE(took, std::chrono::milliseconds(300));
  EXPECT_LT(took, std::chrono::seconds(10));
  const std::string left = lines_of(folder / "pid").front();
  for (int look = 0; look < 200 && is_alive(left); ++look) ::usleep(10'000);
  EXPECT_FALSE(is_alive(left));
}

TEST(FaultyClient, ThatIsNotDeterministicIsToldSoOnResume) {
  const TemporaryFolder folder;
  write_text(folder / "configs", tiny_config + "\n" + tiny_config + "\n" + tiny_rejected + "\n");
  SearchPlan plan = tiny_plan(3);
  plan.searchers = {
      searcher_of_script(ScriptedClient::of_file(folder / "configs"), folder / "client.sh")};
  run_search(plan, run_in(folder / "out"));
  const std::filesystem::path journal = only_journal(folder / "out");
  const std::string whole = read_text(journal);
  std::filesystem::remove(folder / "out/finished.json");
  for (const std::string& configs :
       {tiny_config + "\n" + tiny_rejected + "\n", tiny_config + "\n"}) {
    write_text(folder / "configs", configs);
    EXPECT_THAT(failure_of(plan, run_in(folder / "out", true)),
                HasSubstr("the client is not deterministic: "));
    EXPECT_EQ(read_text(journal), whole);
  }
}

TEST(FaultyClient, LearnsHowManyTrialsAreReplayed) {
  const TemporaryFolder folder;
  ScriptedClient client;
  client.hello = "echo \"$line\" >>'" + (folder / "log").string() + "'; " + client.hello;
  SearchPlan plan = tiny_plan(4);
  plan.start = Start::baseline;
  plan.searchers = {searcher_of_script(client, folder / "client.sh")};
  run_search(plan, run_in(folder / "out"));
  const std::filesystem::path journal = only_journal(folder / "out");
  const std::string text = read_text(journal);
  std::size_t end = text.size();
  for (int cut = 0; cut < 5; ++cut) {
    write_text(journal, text.substr(0, end));
    run_search(plan, run_in(folder / "out", true));
    end = text.rfind('\n', end - 2) + 1;
  }
  std::vector<int> replays;
  for (const std::string& line : lines_of(folder / "log")) {
    replays.push_back(Json::parse(line)["replay"]);
  }
  // The first run; a finished study asks nobody; then three, two, one, none without the baseline.
  EXPECT_EQ(replays, (std::vector<int>{0, 2, 1, 0, 0}));
}

// ---- labels ----------------------------------------------------------------------------------

Json hello_of(const SearchPlan& plan, std::int64_t seed) {
  const StudySpec spec{
      .scenario = "tiny-llama", .searcher = {}, .seed = seed, .trials = 3, .permute = true};
  return SeenProblem(plan.scenarios.front(), spec).space_json();
}

TEST(PermutedClient, SeesLabelsOfItsStudyAndNoOther) {
  const SearchPlan plan = tiny_plan(3);
  std::set<std::string> orders;
  for (std::int64_t seed = 0; seed < 8; ++seed) {
    const Json space = hello_of(plan, seed);
    orders.insert(space.dump());
    EXPECT_TRUE(space["constraints"].is_null());
    for (const char* const name : {"tensor", "full_shard", "llama", "true", "selective"}) {
      EXPECT_THAT(space.dump(), Not(HasSubstr(name)));
    }
    EXPECT_THAT(space["parameters"][0]["name"], "knob_1");
  }
  EXPECT_GE(orders.size(), 4U);
}

TEST(PermutedClient, CannotUseLabelsOfAnotherStudy) {
  // The same labels are other configurations for another seed, and the journal has the names.
  const SearchPlan plan = tiny_plan(3);
  const scenarios::Scenario& scenario = plan.scenarios.front();
  const auto problem = [&](std::int64_t seed) {
    return SeenProblem(scenario,
                       {.scenario = "tiny-llama", .searcher = {}, .seed = seed, .permute = true});
  };
  const scenarios::Configuration best =
      SeenProblem(scenario, {}).configuration_of(Json::parse(tiny_config));
  const SeenProblem first = problem(0);
  EXPECT_EQ(first.configuration_of(first.config_json(best)), best);
  int same = 0;
  for (std::int64_t seed = 1; seed <= 20; ++seed) {
    try {
      same += problem(seed).configuration_of(first.config_json(best)) == best ? 1 : 0;
    } catch (const Refused&) {
    }
  }
  EXPECT_LE(same, 2);
}

TEST(PermutedClient, TakesTheOrderFromTheSaltWhereThereIsOne) {
  scenarios::Scenario scenario = scenarios::read_scenario("tiny-llama");
  const StudySpec spec{.scenario = "tiny-llama", .searcher = {}, .permute = true};
  const std::string known = SeenProblem(scenario, spec).space_json().dump();
  std::set<std::string> orders{known};
  for (const char salt : {'a', 'b', 'c', 'd'}) {
    scenario.seal = std::make_shared<scenarios::Seal>(std::string(32, salt));
    orders.insert(SeenProblem(scenario, spec).space_json().dump());
  }
  EXPECT_GE(orders.size(), 3U);
}

}  // namespace
}  // namespace cubicbench::search
