#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "search/served/mcp_tools.h"

namespace cubicbench::search {

/// A Model Context Protocol server [docs/how-to/agents.md]: JSON-RPC 2.0, one message a line. It
/// knows the messages; the tools know the studies.
class McpServer {
 public:
  McpServer(ServedSearch& search, bool reveal) : tools_(search, reveal) {}

  /// The answer to a line, without a newline; nothing where none is due: to notifications.
  std::optional<std::string> answer(std::string_view line);

 private:
  std::optional<nlohmann::ordered_json> answer_of(const nlohmann::ordered_json& message);
  nlohmann::ordered_json result_of(const std::string& method, const nlohmann::ordered_json& params);
  nlohmann::ordered_json initialize(const nlohmann::ordered_json& params);
  nlohmann::ordered_json call_tool(const nlohmann::ordered_json& params);
  /// The version that was agreed on has results with a structure of their own.
  bool is_structured() const;
  bool has_batches() const;

  McpTools tools_;
  std::string version_;  ///< that was agreed on; "" before `initialize`
};

}  // namespace cubicbench::search
