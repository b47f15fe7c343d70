#include <algorithm>
#include <cstddef>
#include <set>

#include "search/finished/charged_launches.h"
#include "search/finished/study_set.h"
#include "support/joined.h"
#include "support/json/canonical.h"

namespace cubicbench::search {
namespace {

using Names = std::vector<std::string>;

constexpr std::size_t shown_max = 4;

/// "a: 2 of 30 studies have not begun: x, y." `names` are those of `count` studies, the first
/// at least; "" of none.
void add_note(const std::string& scenario, std::size_t total, Names names, std::size_t count,
              const std::string& what, Names& notes) {
  if (count == 0) return;
  names.resize(std::min(names.size(), shown_max));
  const std::size_t rest = count - names.size();
  notes.push_back(scenario + ": " + std::to_string(count) + " of " + std::to_string(total) +
                  (total == 1 ? " study " : " studies ") + (count == 1 ? "has " : "have ") + what +
                  ": " + support::joined(names, ", ") +
                  (rest == 0 ? "" : " and " + std::to_string(rest) + " more") + ".");
}

/// The first names that `begun` lacks, as many as are shown.
Names absent_names(const AskedSearch& asked, const std::string& scenario,
                   const std::set<std::string>& begun) {
  Names absent;
  StudyResult study;
  study.scenario = scenario;
  for (std::int64_t nth = 0; nth < asked.instances; ++nth) {
    study.instance = asked.first_instance + nth;
    for (const std::string& searcher : asked.searchers) {
      study.searcher = searcher;
      for (std::int64_t i = 0; i < asked.seeds; ++i) {
        study.seed = asked.first_seed + i;
        if (const std::string name = name_of(study); !begun.contains(name)) absent.push_back(name);
        if (absent.size() == shown_max) return absent;
      }
    }
  }
  return absent;
}

void add_notes(const AskedSearch& asked, const std::string& scenario,
               const std::vector<StudyResult>& studies, Names& notes) {
  std::set<std::string> begun;
  Names shorter;
  for (const StudyResult& study : studies) {
    if (study.scenario != scenario) continue;
    begun.insert(name_of(study));
    // What is left below a whole launch may be of no use to a searcher that launches short ones.
    const double done = charged(study);
    if (done > static_cast<double>(study.trials - 1)) continue;
    shorter.push_back(name_of(study) + " (" + support::shortest(done) + " of " +
                      std::to_string(study.trials) + ")");
  }
  const std::size_t total = static_cast<std::size_t>(asked.instances) * asked.searchers.size() *
                            static_cast<std::size_t>(asked.seeds);
  add_note(scenario, total, absent_names(asked, scenario, begun),
           total - std::min(total, begun.size()), "not begun", notes);
  add_note(scenario, total, shorter, shorter.size(), "fewer launches than asked for", notes);
  if (!shorter.empty()) {
    notes.back() += " The search goes on, was stopped, or the searcher had no more to propose.";
  }
}

}  // namespace

std::vector<std::string> unfinished_notes(const AskedSearch& asked,
                                          const std::vector<StudyResult>& studies) {
  Names notes;
  for (const AskedScenario& scenario : asked.scenarios) {
    add_notes(asked, scenario.name, studies, notes);
  }
  return notes;
}

}  // namespace cubicbench::search
