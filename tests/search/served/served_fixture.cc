#include "tests/search/served/served_fixture.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace cubicbench::search {

std::vector<nlohmann::ordered_json> parsed(const std::vector<std::string>& answers) {
  std::vector<nlohmann::ordered_json> all;
  for (const std::string& answer : answers) all.push_back(nlohmann::ordered_json::parse(answer));
  return all;
}

std::vector<nlohmann::ordered_json> served(const SearchPlan& plan, const SearchRun& run,
                                           std::vector<std::string> lines, bool* closed) {
  ServedSearch search(plan, run);
  ScriptedPeer peer(std::move(lines));
  const bool is_closed = serve_lines(*search.studies().front(), peer.peer());
  if (closed != nullptr) *closed = is_closed;
  search.write_closed();
  return parsed(peer.answers);
}

}  // namespace cubicbench::search
