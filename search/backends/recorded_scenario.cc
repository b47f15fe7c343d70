#include "search/backends/recorded_scenario.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "scenarios/space/listed_space.h"
#include "scenarios/space/resolved_rules.h"
#include "search/backends/backend_factory.h"
#include "search/backends/simulated_backends.h"
#include "search/journal/journal.h"
#include "search/journal/placed_config.h"
#include "support/input_error.h"
#include "support/joined.h"
#include "support/sha256.h"

namespace cubicbench::search {
namespace {

namespace fs = std::filesystem;
using scenarios::Configuration;
using scenarios::Scenario;
using scenarios::TrialOutcome;
using support::InputError;

/// Sorted by name.
std::vector<fs::path> journals_in(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder / "journals", error)) {
    throw InputError(folder.string(),
                     "expected the folder of a search, got " +
                         std::string(fs::exists(folder, error) ? "one without journals" : "none"));
  }
  std::vector<fs::path> journals;
  for (fs::directory_iterator at(folder / "journals", error), end; !error && at != end;
       at.increment(error)) {
    if (at->path().extension() == ".jsonl") journals.push_back(at->path());
  }
  std::ranges::sort(journals);
  return journals;
}

class Recording {
 public:
  Recording(const Scenario& scenario, std::uint64_t instance)
      : scenario_(scenario), instance_(static_cast<std::int64_t>(instance)) {}

  void add(const JournalFile& journal) {
    if (!is_wanted(journal.header)) return;
    const bool repeats = repeats_itself(journal.header.backend);
    for (const JournalLine& line : journal.lines) {
      if (line.fidelity) continue;
      const auto config = placed_config(scenario_.space, line.config);
      if (!config) continue;
      if (repeats && !seen_.insert({*config, line.attempt}).second) continue;
      runs_[*config].push_back(line.outcome);
    }
  }

  Scenario played(const std::string& where) const {
    if (runs_.empty()) throw InputError(where, "expected launches of " + wanted() + got());
    std::vector<Configuration> configurations;
    for (const auto& [config, outcomes] : runs_) configurations.push_back(config);
    const scenarios::SearchSpace& space = scenario_.space;
    scenarios::BuiltSpace built = scenarios::listed_space(
        scenarios::parameter_specs(space.rules()), configurations, space.base(), space.facts());
    if (!built.problems.empty()) throw InputError(where, built.problems.front().text);
    Scenario played = scenario_;
    played.space = std::move(built.space);
    scenarios::MeasuredOutcomes measured;
    measured.of_configuration.resize(played.space.count());
    for (const auto& [config, outcomes] : runs_) {
      measured.of_configuration[played.space.number_of(config)] = outcomes;
    }
    played.measured = std::make_shared<const scenarios::MeasuredOutcomes>(std::move(measured));
    return played;
  }

 private:
  bool is_wanted(const JournalHeader& header) {
    const bool same = header.scenario_sha256 == scenario_.sha256;
    if (same && header.instance == instance_ && header.salt_sha256.empty()) return true;
    std::string other = header.scenario + ", instance " + std::to_string(header.instance);
    if (!header.salt_sha256.empty()) other += ", sealed";
    if (header.scenario == scenario_.name && !same) other += ", with another scenario_sha256";
    others_.insert(std::move(other));
    return false;
  }

  std::string wanted() const {
    return scenario_.name + ", instance " + std::to_string(instance_) + ", as it is searched here";
  }

  std::string got() const {
    constexpr std::size_t shown_max = 4;
    if (others_.empty()) return ", got none";
    std::vector<std::string> shown(others_.begin(), others_.end());
    const bool more = shown.size() > shown_max;
    shown.resize(std::min(shown.size(), shown_max));
    return ", got those of " + support::joined(shown, "; ") + (more ? "; and more" : "");
  }

  const Scenario& scenario_;
  std::int64_t instance_;
  std::map<Configuration, std::vector<TrialOutcome>> runs_;
  std::set<std::pair<Configuration, std::int64_t>> seen_;  ///< attempts, where they are the same
  std::set<std::string> others_;                           ///< what else the folder has
};

}  // namespace

Scenario recorded_scenario(const Scenario& scenario, std::uint64_t instance,
                           const fs::path& folder) {
  std::vector<support::Problem> problems;
  Recording recording(scenario, instance);
  for (const fs::path& journal : journals_in(folder)) {
    support::gathered(problems, [&] {
      if (has_header(journal)) recording.add(read_journal(journal));
    });
  }
  support::throw_if_any(problems);
  return recording.played(folder.string());
}

std::string recorded_sha256(const Scenario& played, std::uint64_t instance) {
  std::string text = "cubicbench recorded\ninstance " + std::to_string(instance) + "\nruns " +
                     outcomes_sha256(played) + "\n";
  Configuration configuration(played.space.size());
  for (std::uint64_t number = 0; number < played.space.count(); ++number) {
    played.space.configuration_at(number, configuration);
    text += config_object(config_text(played.space, configuration)) + "\n";
  }
  return support::sha256_hex(text);
}

}  // namespace cubicbench::search
