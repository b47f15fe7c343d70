#include "search/truth_line.h"

#include <nlohmann/json.hpp>

#include "scenarios/json_document.h"

namespace cubicbench::search {

using Json = nlohmann::ordered_json;

std::string truth_text(const TruthHeader& header) {
  return scenarios::line_text({{"schema", "cubicbench.truth/1"},
                               {"version", header.version},
                               {"scenario", header.scenario},
                               {"scenario_sha256", header.scenario_sha256},
                               {"truth_sha256", header.truth_sha256},
                               {"instance", header.instance}});
}

std::string truth_text(const TruthLine& line) {
  const bool runs = line.truth.reason == scenarios::Reason::none;
  return scenarios::line_text({{"trial", line.trial},
                               {"attempt", line.attempt},
                               {"reason", runs ? Json() : Json(name_of(line.truth.reason))},
                               {"value", runs ? Json(line.truth.value) : Json()}});
}

}  // namespace cubicbench::search
