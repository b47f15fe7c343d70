// One ledger, whoever drives it: the same proposals leave the same bytes, but for the searcher's
// name.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "search/journal/journal.h"
#include "search/served/mcp_server.h"
#include "tests/search/external/scripted_client.h"
#include "tests/search/served/served_fixture.h"

namespace cubicbench::search {
namespace {

using Json = nlohmann::ordered_json;

std::string config_text_of(const ConfigText& config) {
  std::string text;
  for (const auto& [name, value] : config) {
    text += (text.empty() ? "{\"" : ",\"") + name + "\":" + value;
  }
  return text + "}";
}

/// Files by what they are, with the searcher's name taken out of the text.
std::map<std::string, std::string> anonymous(const std::filesystem::path& out,
                                             const std::string& searcher) {
  std::map<std::string, std::string> files;
  for (auto [path, text] : files_below(out)) {
    const auto blank = [&](std::string& in, const std::string& name) {
      for (std::size_t at = 0; (at = in.find(name)) != std::string::npos;) {
        in.replace(at, name.size(), "SEARCHER");
      }
    };
    if (path == "finished.json") continue;  // hashes of files that have the name in them
    blank(text, searcher);
    const std::string kind = path.substr(0, path.find('/'));
    files[kind] = text;
  }
  return files;
}

class SameBytes : public testing::TestWithParam<const char*> {};

TEST_P(SameBytes, WhoeverProposes) {
  const TemporaryFolder folder;
  const std::string scenario = GetParam();
  SearchPlan plan;
  plan.scenarios.push_back(scenarios::read_scenario(scenario));
  plan.trials = 25;
  plan.start = Start::baseline;
  plan.telling = Telling::bytes;
  plan.searchers = {parse_searcher("sobol", "--searcher")};
  run_search(plan, served_run(folder / "inside"));
  const JournalFile journal =
      read_journal(folder / "inside/journals" / (scenario + ".0.sobol.0.jsonl"));
  std::vector<std::string> configs;
  std::int64_t next = 1;  // after the baseline; retries are no proposals
  for (const JournalLine& line : journal.lines) {
    if (line.trial != next) continue;
    configs.push_back(config_text_of(line.config));
    ++next;
  }

  std::string all;
  for (const std::string& config : configs) all += config + "\n";
  write_text(folder / "configs", all);
  plan.searchers = {
      searcher_of_script(ScriptedClient::of_file(folder / "configs"), folder / "client.sh")};
  ASSERT_EQ(failure_of(plan, served_run(folder / "external")), "");
  const std::string external = plan.searchers.front().text;

  plan.searchers = {outside_searcher("client", "--as")};
  std::vector<std::string> lines;
  for (const std::string& config : configs) lines.push_back(evaluate_line(config));
  lines.push_back(recommend_line("null"));
  served(plan, served_run(folder / "serve"), lines);

  plan.searchers = {outside_searcher("agent", "--as")};
  {
    ServedSearch search(plan, served_run(folder / "mcp"));
    search.studies().front()->begin();
    McpServer server(search, false);
    server.answer(
        R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}})");
    for (const std::string& config : configs) {
      const auto answer = server.answer(
          R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"evaluate","arguments":{"config":)" +
          config + "}}}");
      ASSERT_TRUE(answer && !Json::parse(*answer)["result"]["isError"].get<bool>()) << *answer;
    }
  }

  const auto inside = anonymous(folder / "inside", "sobol");
  EXPECT_EQ(inside.size(), 3U);
  EXPECT_TRUE(anonymous(folder / "external", external) == inside);
  EXPECT_TRUE(anonymous(folder / "serve", "client") == inside);
  EXPECT_TRUE(anonymous(folder / "mcp", "agent") == inside);
}

INSTANTIATE_TEST_SUITE_P(Scenarios, SameBytes,
                         testing::Values("tiny-llama", "llama3-8b", "ads-73b"));

}  // namespace
}  // namespace cubicbench::search
