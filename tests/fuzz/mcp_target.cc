// An agent that drives a study, message by message.
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "search/served/mcp_server.h"
#include "tests/fuzz/served_study.h"
#include "tests/fuzz/targets.h"

namespace cubicbench::fuzz {
namespace {

constexpr const char* talk =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"agent","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":"b","method":"tools/list"}
[{"jsonrpc":"2.0","id":2,"method":"ping"},{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"describe","arguments":{}}}]
{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"evaluate","arguments":{"config":{"tensor_parallel":1,"pipeline_parallel":1,"micro_batch":1,"sharding":"zero1","recompute":"full","compile":true}}}}
{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"budget","arguments":{}}}
{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"recommend","arguments":{"config":{"tensor_parallel":1,"pipeline_parallel":1,"micro_batch":1,"sharding":"zero1","recompute":"full","compile":true}}}})";

Parts seed(std::size_t /*number*/) { return {talk}; }

void run(const Parts& parts) {
  with_served_study([&](search::ServedSearch& served) {
    for (const auto& study : served.studies()) study->begin();
    search::McpServer server(served, true);
    for_each_line(parts[0], [&](std::string_view line) {
      const std::optional<std::string> answer = server.answer(line);
      if (!answer) return;
      if (!nlohmann::json::accept(*answer)) broken("an answer that is no JSON");
      if (answer->find('\n') != std::string::npos) broken("an answer of several lines");
    });
  });
}

}  // namespace

Target mcp_target() { return {.name = "mcp", .forms = {Form::lines}, .seed = seed, .run = run}; }

}  // namespace cubicbench::fuzz
