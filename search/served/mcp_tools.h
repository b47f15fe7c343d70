#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "search/served/served_search.h"

namespace cubicbench::search {

/// The four tools by which an agent drives the studies of a search [docs/how-to/agents.md].
class McpTools {
 public:
  /// `reveal`: once every study is closed, the true values of what was recommended are told.
  McpTools(ServedSearch& search, bool reveal);

  /// What `tools/list` says of each: name, description, schemas of arguments and result.
  static nlohmann::ordered_json list(bool with_output_schemas);
  static bool has(const std::string& tool);

  /// The result of a tool. Throws Refused, one sentence, which costs nothing.
  nlohmann::ordered_json call(const std::string& tool, const nlohmann::ordered_json& arguments);

 private:
  nlohmann::ordered_json describe(const nlohmann::ordered_json& arguments) const;
  nlohmann::ordered_json describe(const ServedStudy& study) const;
  nlohmann::ordered_json evaluate(const nlohmann::ordered_json& arguments);
  nlohmann::ordered_json budget(const nlohmann::ordered_json& arguments) const;
  nlohmann::ordered_json recommend(const nlohmann::ordered_json& arguments);
  /// Of every study, which are all closed.
  nlohmann::ordered_json true_values() const;

  std::string name_of(const ServedStudy& study) const;
  ServedStudy& study_of(const nlohmann::ordered_json& arguments) const;

  ServedSearch& search_;
  bool reveal_ = false;
  std::vector<std::string> names_;  ///< of the problems, in the order of the studies
};

}  // namespace cubicbench::search
