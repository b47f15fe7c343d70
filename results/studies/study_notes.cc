#include "results/studies/study_notes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>

#include "support/joined.h"

namespace cubicbench::results {
namespace {

using Names = std::vector<std::string>;
using Studies = std::vector<const StudyResult*>;

constexpr std::size_t shown_max = 4;

/// "a, b, c, d and 4 more" of `count` names, of which `names` has the first at least.
std::string listed(Names names, std::size_t count) {
  names.resize(std::min(names.size(), shown_max));
  const std::size_t rest = count - names.size();
  return support::joined(names, ", ") + (rest == 0 ? "" : " and " + std::to_string(rest) + " more");
}

/// "ads: 2 of 30 studies have".
std::string opening(const std::string& scenario, std::size_t count, std::size_t total) {
  return scenario + ": " + std::to_string(count) + " of " + std::to_string(total) +
         (total == 1 ? " study " : " studies ") + (count == 1 ? "has" : "have");
}

std::size_t studies_of(const search::AskedSearch& asked) {
  return static_cast<std::size_t>(asked.instances) * asked.searchers.size() *
         static_cast<std::size_t>(asked.seeds);
}

/// The first names that `begun` lacks, as many as are shown.
Names absent_names(const search::AskedSearch& asked, const std::string& scenario,
                   const std::set<std::string>& begun) {
  Names absent;
  StudyResult study;
  study.scenario = scenario;
  for (study.instance = 0; study.instance < asked.instances; ++study.instance) {
    for (const std::string& searcher : asked.searchers) {
      study.searcher = searcher;
      for (study.seed = 0; study.seed < asked.seeds; ++study.seed) {
        if (const std::string name = name_of(study); !begun.contains(name)) absent.push_back(name);
        if (absent.size() == shown_max) return absent;
      }
    }
  }
  return absent;
}

void add_notes(const search::AskedSearch& asked, const std::string& scenario,
               const Studies& studies, Names& notes) {
  std::set<std::string> begun;
  Names shorter;
  for (const StudyResult* const study : studies) {
    if (study->scenario != scenario) continue;
    begun.insert(name_of(*study));
    const auto done = static_cast<std::int64_t>(study->launches.size());
    if (done >= study->trials) continue;
    shorter.push_back(name_of(*study) + " (" + std::to_string(done) + " of " +
                      std::to_string(study->trials) + ")");
  }
  const std::size_t total = studies_of(asked);
  if (const std::size_t absent = total - std::min(total, begun.size()); absent > 0) {
    notes.push_back(opening(scenario, absent, total) +
                    " not begun: " + listed(absent_names(asked, scenario, begun), absent) + ".");
  }
  if (!shorter.empty()) {
    notes.push_back(opening(scenario, shorter.size(), total) +
                    " fewer launches than asked for: " + listed(shorter, shorter.size()) +
                    ". The search goes on, was stopped, or the searcher had no more to propose.");
  }
}

}  // namespace

std::vector<std::string> unfinished_notes(const search::AskedSearch& asked,
                                          const std::vector<const StudyResult*>& studies) {
  Names notes;
  for (const search::AskedScenario& scenario : asked.scenarios) {
    add_notes(asked, scenario.name, studies, notes);
  }
  return notes;
}

}  // namespace cubicbench::results
