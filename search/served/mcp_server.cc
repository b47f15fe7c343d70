#include "search/served/mcp_server.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "support/input_error.h"
#include "support/json/json_document.h"
#include "support/json/object_reader.h"
#include "support/json/strict_json.h"

namespace cubicbench::search {
namespace {

using Json = nlohmann::ordered_json;

/// That we speak, the newest first.
constexpr std::array<std::string_view, 3> versions{"2025-06-18", "2025-03-26", "2024-11-05"};
/// The only one with several messages a line.
constexpr std::string_view batch_version = "2025-03-26";

constexpr int parse_error = -32700;
constexpr int invalid_request = -32600;
constexpr int method_not_found = -32601;
constexpr int invalid_params = -32602;

constexpr const char* instructions =
    "Tune a training job. Call describe first, then evaluate configurations while the budget "
    "lasts, "
    "and end with recommend. Every launch is charged, failures too.";

class RpcError : public std::runtime_error {
 public:
  RpcError(int number, const std::string& message) : std::runtime_error(message), code(number) {}
  int code;
};

Json error_of(const Json& id, int code, const std::string& message) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}};
}

bool is_id(const Json& id) { return id.is_string() || id.is_number_integer(); }

std::string text_of(const Json& params, const char* key, const std::string& what) {
  const auto found = params.find(key);
  if (found == params.end() || !found->is_string()) {
    throw RpcError(invalid_params, what + " needs the string \"" + key + "\".");
  }
  return *found;
}

std::string line_of(const Json& json) {
  std::string line = support::line_text(json);
  line.pop_back();  // its newline
  return line;
}

}  // namespace

bool McpServer::is_structured() const { return version_ == versions.front(); }

bool McpServer::has_batches() const { return version_ == batch_version; }

std::optional<std::string> McpServer::answer(std::string_view line) {
  Json message;
  try {
    message = support::parse_json(line, "message");
  } catch (const support::InputError& error) {
    return line_of(error_of(nullptr, parse_error,
                            "The line is no JSON: " + error.problems().front().text + "."));
  }
  if (!message.is_array()) {
    const std::optional<Json> one = answer_of(message);
    return one ? std::optional(line_of(*one)) : std::nullopt;
  }
  if (!has_batches() || message.empty()) {
    return line_of(error_of(
        nullptr, invalid_request,
        message.empty() ? "A batch has a message." : "This version has one message a line."));
  }
  Json answers = Json::array();
  for (const Json& one : message) {
    if (std::optional<Json> answer = answer_of(one)) answers.push_back(std::move(*answer));
  }
  return answers.empty() ? std::nullopt : std::optional(line_of(answers));
}

std::optional<Json> McpServer::answer_of(const Json& message) {
  if (!message.is_object() || message.value("jsonrpc", Json()) != "2.0") {
    return error_of(nullptr, invalid_request, "A message is a JSON-RPC 2.0 object.");
  }
  const bool is_request = message.contains("id");
  const Json id = is_request && is_id(message["id"]) ? message["id"] : Json();
  const bool is_answer = message.contains("result") || message.contains("error");
  const auto method = message.find("method");
  if (is_answer && method == message.end()) return std::nullopt;  // we have asked for nothing
  if (method == message.end() || !method->is_string() || (is_request && id.is_null())) {
    return error_of(id, invalid_request,
                    "A request has a method and an id, a string or an integer.");
  }
  if (!is_request) return std::nullopt;
  const auto params = message.find("params");
  try {
    if (params != message.end() && !params->is_object()) {
      throw RpcError(invalid_params, "The params are an object.");
    }
    return Json{{"jsonrpc", "2.0"},
                {"id", id},
                {"result", result_of(*method, params == message.end() ? Json::object() : *params)}};
  } catch (const RpcError& error) {
    return error_of(id, error.code, error.what());
  }
}

Json McpServer::result_of(const std::string& method, const Json& params) {
  if (method == "ping") return Json::object();
  if (method == "initialize") return initialize(params);
  if (method != "tools/list" && method != "tools/call") {
    throw RpcError(method_not_found,
                   "There is no method " + support::in_quotes(support::shortened(method)) + ".");
  }
  if (version_.empty()) throw RpcError(invalid_request, "The first request is initialize.");
  if (method == "tools/list") return {{"tools", McpTools::list(is_structured())}};
  return call_tool(params);
}

Json McpServer::initialize(const Json& params) {
  if (!version_.empty()) throw RpcError(invalid_request, "The server is initialized already.");
  const std::string asked = text_of(params, "protocolVersion", "initialize");
  const bool known = std::ranges::find(versions, asked) != versions.end();
  version_ = known ? asked : std::string(versions.front());
  return {{"protocolVersion", version_},
          {"capabilities", {{"tools", {{"listChanged", false}}}}},
          {"serverInfo",
           {{"name", "cubicbench"}, {"title", "CubicBench"}, {"version", support::own_version()}}},
          {"instructions", instructions}};
}

Json McpServer::call_tool(const Json& params) {
  const std::string tool = text_of(params, "name", "tools/call");
  if (!McpTools::has(tool)) {
    throw RpcError(invalid_params,
                   "There is no tool " + support::in_quotes(support::shortened(tool)) + ".");
  }
  const auto arguments = params.find("arguments");
  const auto content = [](const std::string& text) {
    return Json::array({Json{{"type", "text"}, {"text", text}}});
  };
  try {
    const Json result = tools_.call(tool, arguments == params.end() ? Json::object() : *arguments);
    Json answer{{"content", content(line_of(result))}, {"isError", false}};
    if (is_structured()) answer["structuredContent"] = result;
    return answer;
  } catch (const Refused& refused) {
    return {{"content", content(refused.what())}, {"isError", true}};
  }
}

}  // namespace cubicbench::search
