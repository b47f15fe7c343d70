#include "search/served/mcp_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scenarios/problem/granted_baseline.h"
#include "search/journal/journal.h"
#include "support/input_error.h"
#include "tests/search/served/served_fixture.h"

namespace cubicbench::search {
namespace {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::ordered_json;

/// An agent and its server on a folder.
class Conversation {
 public:
  explicit Conversation(const SearchPlan& plan, const std::filesystem::path& out,
                        bool resume = false, bool reveal = false)
      : search_(plan, served_run(out, resume)), server_(search_, reveal) {
    for (const auto& study : search_.studies()) {
      study->begin();
      study->replay();
    }
  }

  std::optional<Json> say(const std::string& line) {
    const std::optional<std::string> answer = server_.answer(line);
    if (!answer) return std::nullopt;
    EXPECT_EQ(answer->find('\n'), std::string::npos);
    return Json::parse(*answer);
  }

  Json request(const std::string& method, const Json& params = Json::object()) {
    const std::optional<Json> answer =
        say(Json{{"jsonrpc", "2.0"}, {"id", ++id_}, {"method", method}, {"params", params}}.dump());
    EXPECT_TRUE(answer && (*answer)["id"] == id_ && (*answer)["jsonrpc"] == "2.0");
    return answer.value_or(Json());
  }

  Json initialize(const std::string& version = "2025-06-18") {
    return request("initialize", {{"protocolVersion", version},
                                  {"capabilities", Json::object()},
                                  {"clientInfo", {{"name", "test"}, {"version", "1"}}}})["result"];
  }

  Json call(const std::string& tool, const Json& arguments = Json::object()) {
    return request("tools/call", {{"name", tool}, {"arguments", arguments}})["result"];
  }

  Json config(const std::string& text) { return {{"config", Json::parse(text)}}; }

  /// The one sentence of a tool that refuses.
  std::string refusal(const std::string& tool, const Json& arguments = Json::object()) {
    const Json result = call(tool, arguments);
    EXPECT_TRUE(result["isError"].get<bool>()) << result;
    return result["content"][0]["text"];
  }

  const ServedSearch& search() const { return search_; }

 private:
  ServedSearch search_;
  McpServer server_;
  int id_ = 0;
};

TEST(McpServer, AgreesOnAVersion) {
  struct Case {
    const char* offered;
    const char* agreed;
  };
  for (const Case& c : {Case{"2025-06-18", "2025-06-18"}, Case{"2025-03-26", "2025-03-26"},
                        Case{"2024-11-05", "2024-11-05"}, Case{"2099-01-01", "2025-06-18"}}) {
    const TemporaryFolder folder;
    Conversation talk(served_plan(3), folder / "out");
    const Json result = talk.initialize(c.offered);
    EXPECT_EQ(result["protocolVersion"], c.agreed);
    EXPECT_EQ(result["serverInfo"]["name"], "cubicbench");
    EXPECT_TRUE(result["capabilities"].contains("tools"));
    EXPECT_FALSE(talk.say(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"));
  }
}

TEST(McpServer, AnswersWhatIsWrongByItsNumber) {
  const TemporaryFolder folder;
  Conversation talk(served_plan(3), folder / "out");
  struct Case {
    const char* line;
    int code;
    const char* id;
  };
  for (const Case& c : {
           Case{"{", -32700, "null"},
           Case{"hello", -32700, "null"},
           Case{"7", -32600, "null"},
           Case{R"({"id":1,"method":"ping"})", -32600, "null"},
           Case{R"({"jsonrpc":"2.0","id":1})", -32600, "1"},
           Case{R"({"jsonrpc":"2.0","id":null,"method":"ping"})", -32600, "null"},
           Case{R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})", -32600, "1"},
           Case{R"({"jsonrpc":"2.0","id":"a","method":"resources/list"})", -32601, "\"a\""},
           Case{R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[1]})", -32602, "1"},
           Case{R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})", -32602, "1"},
           Case{"[]", -32600, "null"},
       }) {
    const std::optional<Json> answer = talk.say(c.line);
    ASSERT_TRUE(answer) << c.line;
    EXPECT_EQ((*answer)["error"]["code"], c.code) << c.line;
    EXPECT_EQ((*answer)["id"].dump(), c.id) << c.line;
  }
  talk.initialize();
  EXPECT_EQ(talk.request("initialize", {{"protocolVersion", "2025-06-18"}})["error"]["code"],
            -32600);  // a second connection
  EXPECT_EQ(talk.request("tools/call", {{"name", "truth"}})["error"]["code"], -32602);
  EXPECT_EQ(talk.request("tools/call")["error"]["code"], -32602);
  EXPECT_EQ(talk.request("ping")["result"], Json::object());
}

TEST(McpServer, TakesABatchInTheVersionThatHasThem) {
  const std::string batch =
      R"([{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},7])";
  const TemporaryFolder folder;
  Conversation with(served_plan(3), folder / "with");
  with.initialize("2025-03-26");
  const std::optional<Json> answers = with.say(batch);
  ASSERT_TRUE(answers && answers->is_array());
  ASSERT_EQ(answers->size(), 2U);  // a notification has none
  EXPECT_EQ((*answers)[0]["result"], Json::object());
  EXPECT_EQ((*answers)[1]["error"]["code"], -32600);
  EXPECT_FALSE(with.say(R"([{"jsonrpc":"2.0","method":"notifications/x"}])"));
  for (const char* const version : {"2025-06-18", "2024-11-05"}) {
    Conversation without(served_plan(3), folder / version);
    without.initialize(version);
    EXPECT_EQ((*without.say(batch))["error"]["code"], -32600);
  }
}

/// Does the value have what the schema requires, of the types that it says? Of the keywords that
/// our schemas have.
void expect_fits(const Json& schema, const Json& value, const std::string& at) {
  if (schema.contains("type")) {
    Json types = schema["type"].is_array() ? schema["type"] : Json::array({schema["type"]});
    bool fits = false;
    for (const Json& type : types) {
      fits = fits || (type == "object" && value.is_object()) ||
             (type == "array" && value.is_array()) || (type == "string" && value.is_string()) ||
             (type == "number" && value.is_number()) ||
             (type == "integer" && value.is_number_integer()) ||
             (type == "boolean" && value.is_boolean()) || (type == "null" && value.is_null());
    }
    EXPECT_TRUE(fits) << at << ": " << value << " is no " << types;
  }
  for (const Json& name : schema.value("required", Json::array())) {
    EXPECT_TRUE(value.contains(name.get<std::string>())) << at << " lacks " << name;
  }
  const Json properties = schema.value("properties", Json::object());
  if (value.is_object() && !properties.empty()) {
    for (const auto& [name, member] : value.items()) {
      EXPECT_TRUE(properties.contains(name)) << at << " has " << name;
      if (properties.contains(name)) expect_fits(properties[name], member, at + "/" + name);
    }
  }
  if (value.is_array() && schema.contains("items")) {
    for (const Json& element : value) expect_fits(schema["items"], element, at + "/-");
  }
}

TEST(McpServer, ListsFourToolsWhoseResultsFitTheirSchemas) {
  const TemporaryFolder folder;
  SearchPlan plan = served_plan(4);
  plan.start = Start::baseline;
  Conversation talk(plan, folder / "out", false, true);
  talk.initialize();
  const Json tools = talk.request("tools/list")["result"]["tools"];
  ASSERT_EQ(tools.size(), 4U);
  const Json config = talk.config(served_config);
  for (const Json& tool : tools) {
    const std::string name = tool["name"];
    EXPECT_EQ(tool["inputSchema"]["type"], "object");
    const bool needs_config = name == "evaluate" || name == "recommend";
    const Json arguments = needs_config ? config : Json::object();
    expect_fits(tool["inputSchema"], arguments, name);
    const Json result = talk.call(name, arguments);
    EXPECT_FALSE(result["isError"].get<bool>()) << result;
    expect_fits(tool["outputSchema"], result["structuredContent"], name);
    EXPECT_EQ(Json::parse(result["content"][0]["text"].get<std::string>()),
              result["structuredContent"]);
  }
}

TEST(McpServer, GivesOldClientsTextAlone) {
  const TemporaryFolder folder;
  Conversation talk(served_plan(4), folder / "out");
  talk.initialize("2024-11-05");
  EXPECT_FALSE(talk.request("tools/list")["result"]["tools"][0].contains("outputSchema"));
  const Json result = talk.call("budget");
  EXPECT_FALSE(result.contains("structuredContent"));
  EXPECT_THAT(result["content"][0]["text"], HasSubstr("\"launches_left\":4"));
}

TEST(McpServer, DescribesTheProblem) {
  const TemporaryFolder folder;
  SearchPlan plan = served_plan(4);
  plan.start = Start::baseline;
  Conversation talk(plan, folder / "out");
  talk.initialize();
  const Json about = talk.call("describe")["structuredContent"];
  EXPECT_EQ(about["problem"], "tiny-llama");
  EXPECT_EQ(about["objective"]["metric"], "tokens_per_s");
  EXPECT_EQ(about["parameters"].size(), 10U);
  EXPECT_EQ(about["parameters"][0]["name"], "tensor_parallel");
  EXPECT_EQ(about["parameters"][0]["values"], Json::parse("[1,2,4,8]"));
  EXPECT_FALSE(about["parameters"][0]["meaning"].get<std::string>().empty());
  EXPECT_EQ(about["parameters"][3]["when"], Json::parse(R"({"pipeline_parallel":[2]})"));
  EXPECT_EQ(about["constraints"].size(), 4U);
  EXPECT_EQ(about["baseline"], Json::parse(served_config));
  EXPECT_EQ(about["telling"], "reason");
  EXPECT_EQ(about["budget"]["launches_left"], 3);
  EXPECT_EQ(about["trials"].size(), 1U);  // the baseline
}

TEST(McpServer, RefusesInOneSentenceAndChargesNothing) {
  const TemporaryFolder folder;
  Conversation talk(served_plan(2), folder / "out");
  talk.initialize();
  EXPECT_THAT(talk.refusal("evaluate"), HasSubstr("needs a config"));
  EXPECT_THAT(talk.refusal("evaluate", {{"config", nullptr}}), HasSubstr("needs a config"));
  EXPECT_THAT(talk.refusal("evaluate", {{"config", {{"tp", 1}}}}), HasSubstr("no parameter"));
  EXPECT_THAT(talk.refusal("evaluate", {{"configs", 1}}), HasSubstr("no argument \"configs\""));
  EXPECT_THAT(talk.refusal("evaluate", Json::array()), HasSubstr("arguments are an object"));
  EXPECT_THAT(talk.refusal("budget", {{"problem", "ads-73b"}}),
              HasSubstr("no problem \"ads-73b\""));
  // An empty recommendation, and one of what was never launched.
  EXPECT_THAT(talk.refusal("recommend"), HasSubstr("needs a config"));
  EXPECT_THAT(talk.refusal("recommend", {{"config", Json::object()}}), HasSubstr("lacks"));
  EXPECT_THAT(talk.refusal("recommend", talk.config(served_config)), HasSubstr("never launched"));
  EXPECT_EQ(talk.call("budget")["structuredContent"]["budget"]["launches_left"], 2);
  // Overdraft.
  talk.call("evaluate", talk.config(served_config));
  talk.call("evaluate", talk.config(rejected_config));
  EXPECT_EQ(talk.refusal("evaluate", talk.config(served_config)),
            "The budget of 2 launches is spent.");
  EXPECT_THAT(talk.refusal("recommend", talk.config(rejected_config)),
              HasSubstr("launches failed"));
  EXPECT_EQ(talk.call("recommend", talk.config(served_config))["structuredContent"],
            Json::parse(R"({"closed":true})"));
  EXPECT_EQ(talk.refusal("evaluate", talk.config(served_config)), "The study is closed.");
  EXPECT_EQ(talk.refusal("recommend", talk.config(served_config)), "The study is closed.");
  EXPECT_EQ(read_journal(folder / "out/journals/tiny-llama.0.client.0.jsonl").lines.size(), 2U);
}

TEST(McpServer, RevealsTheTruthWhenAllIsClosedAndNotBefore) {
  const TemporaryFolder folder;
  const SearchPlan plan = served_plan(2, {"tiny-llama", "llama3-8b"});
  Conversation talk(plan, folder / "out", false, true);
  talk.initialize();
  EXPECT_THAT(talk.refusal("budget"), HasSubstr("several problems"));
  const Json all = talk.call("describe")["structuredContent"]["problems"];
  ASSERT_EQ(all.size(), 2U);
  Json first = talk.config(served_config);
  first["problem"] = "tiny-llama";
  talk.call("evaluate", first);
  EXPECT_FALSE(talk.call("recommend", first)["structuredContent"].contains("true_values"));
  EXPECT_THAT(read_text(folder / "out/finished.json"), HasSubstr("tiny-llama.0.client.0"));
  const scenarios::Scenario& other = plan.scenarios.back();
  const auto config = scenarios::granted_baseline(other);
  ASSERT_TRUE(config);
  Json second{{"problem", "llama3-8b"},
              {"config", talk.search().studies()[1]->problem().config_json(*config)}};
  talk.call("evaluate", second);
  const Json result = talk.call("recommend", second);
  ASSERT_FALSE(result["isError"].get<bool>()) << result;
  const Json values = result["structuredContent"]["true_values"];
  ASSERT_EQ(values.size(), 2U);
  EXPECT_EQ(values[0]["problem"], "tiny-llama");
  const TruthFile truth = read_truth(folder / "out/truth/tiny-llama.0.client.0.jsonl");
  EXPECT_EQ(values[0]["true_value"], truth.lines.front().truth.value);
}

TEST(McpServer, SaysNothingOfAPermutedProblemsName) {
  const TemporaryFolder folder;
  SearchPlan plan = served_plan(3);
  plan.permute = true;
  plan.start = Start::baseline;
  Conversation talk(plan, folder / "out");
  talk.initialize();
  const Json about = talk.call("describe")["structuredContent"];
  EXPECT_EQ(about["problem"], "problem_1");
  for (const char* const word : {"llama", "tensor", "shard", "meaning", "recompute"}) {
    EXPECT_THAT(about.dump(), Not(HasSubstr(word)));
  }
  const Json again = talk.call("evaluate", {{"config", about["baseline"]}});
  EXPECT_EQ(again["structuredContent"]["trials"][0]["config"], about["baseline"]);
  const JournalFile journal = read_journal(folder / "out/journals/tiny-llama.0.client.0.jsonl");
  ASSERT_EQ(journal.lines.size(), 2U);
  EXPECT_EQ(journal.lines[1].config, journal.lines[0].config);
  EXPECT_EQ(journal.lines[1].config.front().first, "tensor_parallel");
}

TEST(McpServer, ResumesWithoutARefundAndKnowsWhatItTold) {
  const TemporaryFolder folder;
  {
    Conversation talk(served_plan(3), folder / "out");
    talk.initialize();
    talk.call("evaluate", talk.config(served_config));
    talk.call("evaluate", talk.config(other_config));
  }
  const auto before = files_below(folder / "out");
  Conversation talk(served_plan(3), folder / "out", true);
  talk.initialize();
  EXPECT_EQ(files_below(folder / "out"), before);
  const Json about = talk.call("describe")["structuredContent"];
  EXPECT_EQ(about["budget"]["launches_left"], 1);
  ASSERT_EQ(about["trials"].size(), 2U);
  EXPECT_EQ(about["trials"][1]["config"], Json::parse(other_config));
  talk.call("evaluate", talk.config(served_config));
  EXPECT_THAT(talk.refusal("evaluate", talk.config(served_config)), HasSubstr("is spent"));
  talk.call("recommend", talk.config(served_config));
  // Closed is closed, also for the next.
}

TEST(McpServer, RefusesAJournalThatCannotBeDoneAgain) {
  const TemporaryFolder folder;
  const std::filesystem::path journal = folder / "out/journals/tiny-llama.0.client.0.jsonl";
  {
    Conversation talk(served_plan(3), folder / "out");
    talk.initialize();
    for (const std::string& config : {served_config, other_config, served_config}) {
      talk.call("evaluate", talk.config(config));
    }
  }
  const std::string honest = read_text(journal);
  const std::size_t second = honest.find('\n', honest.find('\n') + 1) + 1;
  const std::size_t third = honest.find('\n', second) + 1;
  std::string unlisted = honest;
  unlisted.replace(unlisted.find("\"micro_batch\":4"), 15, "\"micro_batch\":3");
  const auto message_of = [&](const std::string& text) {
    write_text(journal, text);
    try {
      const Conversation talk(served_plan(3), folder / "out", true);
    } catch (const support::InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(message_of(unlisted), HasSubstr("micro_batch must be one of"));
  EXPECT_THAT(message_of(honest + "{\"recommend\":{\"micro_batch\":1}}\n"),
              HasSubstr("expected what can be done again"));
  std::string gap = honest;
  gap.erase(second, third - second);
  EXPECT_THAT(message_of(gap), HasSubstr("expected a line of trial 1, got none before trial 2"));
  // Two launches taken back, of which the truth still knows.
  EXPECT_THAT(message_of(honest.substr(0, second)),
              HasSubstr("each launch of the journal, which has 1, and one more at most, got 3"));
  EXPECT_EQ(message_of(honest), "accepted");
}

TEST(McpServer, FindsAClosedStudyClosed) {
  const TemporaryFolder folder;
  {
    Conversation talk(served_plan(3), folder / "out");
    talk.initialize();
    talk.call("evaluate", talk.config(served_config));
    talk.call("recommend", talk.config(served_config));
  }
  Conversation talk(served_plan(3), folder / "out", true);
  talk.initialize();
  EXPECT_EQ(talk.refusal("evaluate", talk.config(other_config)), "The study is closed.");
}

}  // namespace
}  // namespace cubicbench::search
