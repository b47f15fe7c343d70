#include "search/finished/best_configuration.h"

#include <span>
#include <vector>

#include "search/finished/regret.h"
#include "search/finished/study_truth.h"
#include "support/input_error.h"
#include "support/joined.h"

namespace cubicbench::search {
namespace {

using scenarios::Direction;

/// What the study recommended in the end; nothing where nothing succeeded.
std::optional<BestConfiguration> recommended(const StudyResult& study) {
  const std::vector<std::optional<Recommendation>> all = recommendations(study);
  if (all.empty() || !all.back()) return std::nullopt;
  const std::size_t launch = all.back()->launch;
  const std::optional<scenarios::TrueValue> truth = launch_truths(study)[launch];
  BestConfiguration best{.study = name_of(study),
                         .trial = study.launches[launch].trial,
                         .config = study.config_of(study.launches[launch]),
                         .measured = all.back()->measured};
  if (truth && truth->reason == scenarios::Reason::none) best.value = truth->value;
  return best;
}

/// A value that is known goes before one that was measured.
bool is_better(const BestConfiguration& a, const BestConfiguration& b, Direction direction) {
  if (a.value.has_value() != b.value.has_value()) return a.value.has_value();
  const double left = a.value.value_or(a.measured);
  const double right = b.value.value_or(b.measured);
  return direction == Direction::maximize ? left > right : left < right;
}

/// The folder's studies of the problem. Throws InputError where there is none.
std::vector<const StudyResult*> studies_of(const StudySet& set, const std::string& where,
                                           const scenarios::Scenario& scenario,
                                           std::uint64_t instance) {
  std::vector<const StudyResult*> studies;
  std::vector<std::string> others;
  for (const StudyResult& study : set.studies) {
    const std::string name = problem_name(study);
    if (others.empty() || others.back() != name) others.push_back(name);
    if (study.scenario != scenario.name) continue;
    if (study.scenario_sha256 != scenario.sha256) {
      throw support::InputError(
          where, "expected a search of " + scenario.name +
                     " as it is asked for here, got one of another problem of that name "
                     "(scenario_sha256 differs)");
    }
    if (static_cast<std::uint64_t>(study.instance) == instance) studies.push_back(&study);
  }
  if (studies.empty()) {
    const std::string wanted =
        scenario.name + (instance == 0 ? "" : ", instance " + std::to_string(instance));
    throw support::InputError(
        where, "expected a search of " + wanted + ", got one of " + support::joined(others, "; "));
  }
  return studies;
}

}  // namespace

BestConfiguration best_configuration(const std::filesystem::path& folder,
                                     const scenarios::Scenario& scenario, std::uint64_t instance) {
  const StudySet set = read_study_set(std::span(&folder, 1));
  std::optional<BestConfiguration> best;
  for (const StudyResult* study : studies_of(set, folder.string(), scenario, instance)) {
    std::optional<BestConfiguration> one = recommended(*study);
    if (!one) continue;
    if (!best || is_better(*one, *best, scenario.objective.direction)) best = std::move(one);
  }
  if (!best) {
    throw support::InputError(folder.string(),
                              "expected a launch that succeeded, got none of " + scenario.name);
  }
  return *best;
}

}  // namespace cubicbench::search
