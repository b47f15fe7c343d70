#include "results/regret/known_spaces.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "datasets/exhaustive/enumerate.h"
#include "datasets/exhaustive/enumeration_json.h"
#include "results/document/number_text.h"
#include "results/embedded.h"
#include "results/studies/study_commands.h"
#include "scenarios/family/member_name.h"
#include "search/backends/backend_factory.h"
#include "search/finished/regret.h"
#include "search/finished/study_truth.h"
#include "support/input_error.h"
#include "support/json/strict_json.h"

namespace cubicbench::results {
namespace {

using datasets::Enumeration;
using scenarios::Scenario;
using support::Problem;

/// Configurations above which `enumerate` certifies the optimum alone unless told.
constexpr std::uint64_t valued_unless_told_max = 1'000'000'000;

/// Nothing known, and the command that makes it, `subject` being the scenario's name or path and
/// `more` the options that it needs.
KnownSpace unknown(const search::StudyResult& study, const std::string& why,
                   const std::string& subject, const std::string& more = "") {
  const std::string instance = std::to_string(study.instance);
  const std::string file =
      shell_word(study.scenario + (study.instance == 0 ? "" : "." + instance) + ".json");
  return {.note = "The optimum of " + problem_name(study) +
                  " is not known here, so there is no regret: " + why +
                  " Report shows what this command writes with --optimum " + file + ":",
          .command = "cubicbench enumerate " + shell_word(subject) +
                     (study.instance == 0 ? "" : " --instance " + instance) +
                     (study.salt_sha256.empty() ? "" : " --salt SALT") + more + " --out " + file};
}

/// Why an enumeration is not of the study; "" when it is.
std::string mismatch(const Enumeration& space, const search::StudyResult& study) {
  if (space.scenario_sha256 != study.scenario_sha256) return "another scenario";
  if (space.instance != study.instance) return "another instance";
  // The runs of a table belong to its scenario_sha256.
  if (space.truth_sha256 != study.truth_sha256 && !is_table(study)) {
    return std::string("another truth (truth_sha256 differs: ") +
           (study.salt_sha256.empty() ? "the simulator has changed)"
                                      : "the instance is sealed, with a salt of its own)");
  }
  return "";
}

/// Why regret cannot be measured by what is known of the space; "" when it can.
std::string shortcoming(const Enumeration& space, scenarios::Direction direction) {
  if (!space.optimum) return "no configuration of its space runs";
  if (!space.optimum->certified) return "its optimum is only known to a bound";
  if (space.quantiles.empty()) {
    return "its optimum is certified, but not all configurations were valued, so that the median "
           "is not known";
  }
  if (!search::regret_scale(space, direction))
    return "half of its configurations reach the optimum";
  return "";
}

KnownSpace usable(Enumeration space, const search::StudyResult& study, const std::string& origin) {
  const std::string problem = problem_name(study);
  const std::string none = shortcoming(space, study.objective.direction);
  if (!none.empty()) {
    return {.note = "There is no regret of " + problem + ": " + none + " (" + origin + ")."};
  }
  return {.space = std::move(space),
          .note = "Optimum and distribution of " + problem + ": " + origin + "."};
}

/// The reference that ships under the name; nothing when there is none.
std::optional<Enumeration> reference_of(const std::string& scenario) {
  const std::string path = "reference/" + scenario + ".json";
  const support::EmbeddedFile* const file = support::find_embedded(embedded_files(), path);
  if (file == nullptr) return std::nullopt;
  const std::string name = "results/" + path;
  return datasets::enumeration_of(support::parse_json(file->text, name), name);
}

/// Of the library's scenario, which is the one that was searched.
KnownSpace valued_here(const Scenario& scenario, const search::Studies& studies,
                       const std::string& why_no_reference) {
  const search::StudyResult& study = *studies.front();
  const bool sealed = !study.salt_sha256.empty();
  const auto number = static_cast<std::uint64_t>(study.instance);
  if (!sealed && search::searched_sha256(search::parse_backend(study.backend, "backend"), scenario,
                                         number) != study.truth_sha256) {
    return unknown(study,
                   "the simulator of this version answers otherwise than the one of these studies "
                   "(cubicbench " +
                       study.version + "), which alone can make it.",
                   study.scenario);
  }
  const auto launches = static_cast<std::int64_t>(std::max<std::size_t>(1, longest(studies)));
  const std::uint64_t count = scenario.space.count();
  const bool quick =
      scenario.measured != nullptr || scenario.engine == scenarios::Engine::analytical;
  if (!sealed && count <= datasets::small_space_max && quick) {
    return usable(datasets::value_small_space(scenarios::Instance(scenario, number),
                                              study.truth_sha256, launches),
                  study, "all " + grouped(count) + " configurations, valued as this was made");
  }
  std::string more = count > valued_unless_told_max ? " --all" : "";
  if (launches > scenario.budget.trials) more += " --best-of " + std::to_string(launches);
  const std::string why =
      sealed ? "the instance is sealed, so that it takes its salt to make it (docs/truth.md)."
             : "the space has " + grouped(count) +
                   " configurations, too many to value all of them now.";
  return unknown(study, why_no_reference + why, study.scenario, more);
}

KnownSpace without_files(const search::Studies& studies) {
  const search::StudyResult& study = *studies.front();
  std::string stale;
  if (auto reference = reference_of(study.scenario)) {
    const std::string why = mismatch(*reference, study);
    if (why.empty()) {
      return usable(std::move(*reference), study, "the reference that ships with this version");
    }
    stale = "the reference that ships is of " + why + ", and ";
  }
  if (const auto scenario = search::library_scenario(study.scenario, study.scenario_sha256))
    return valued_here(*scenario, studies, stale);
  return unknown(
      study,
      "the scenario that was searched is not in the library of this version (where the "
      "path of its file belongs into the command).",
      scenarios::is_member_name(study.scenario) ? study.scenario : "./" + study.scenario + ".json");
}

}  // namespace

std::optional<Enumeration> shipped_reference(const std::string& scenario,
                                             const std::string& scenario_sha256) {
  std::optional<Enumeration> reference = reference_of(scenario);
  const bool same = reference && reference->scenario_sha256 == scenario_sha256;
  return same ? std::move(reference) : std::nullopt;
}

KnownSpace known_space(const GivenSpaces& given, const search::Studies& studies) {
  const search::StudyResult& study = *studies.front();
  if (is_replay(study)) {
    return {.note =
                "An earlier search was played again, of which nothing is known without its "
                "noise: there is no regret."};
  }
  if (is_real(study) && !is_table(study)) {
    return {.note = "These were real runs, whose optimum nobody knows: there is no regret."};
  }
  std::string left_out;
  std::optional<KnownSpace> lacking;  // the first file that says too little
  for (const GivenEnumeration& one : given) {
    if (!mismatch(one.space, study).empty()) continue;
    const std::string file = shell_word(shown_file(one.file));
    KnownSpace known = usable(one.space, study, file);
    if (known.space) return known;
    left_out +=
        " " + file + " says too little: " + shortcoming(one.space, study.objective.direction) + ".";
    if (!lacking) lacking = std::move(known);
  }
  KnownSpace known = without_files(studies);
  if (!known.space && lacking) return *lacking;
  known.note += left_out;
  return known;
}

std::string shown_file(const std::string& file) {
  const std::filesystem::path path(file);
  return path.is_absolute() ? path.filename().string() : file;
}

void require_use(const GivenSpaces& given, const search::StudySet& set) {
  std::vector<Problem> problems;
  const std::vector<search::Studies> groups = grouped_studies(set);
  for (const GivenEnumeration& one : given) {
    const auto why = [&](const search::Studies& group) {
      return mismatch(one.space, *group.front());
    };
    if (std::ranges::any_of(groups, &std::string::empty, why)) continue;
    // The nearest miss is what helps.
    const auto nearest = std::ranges::find_if(
        groups, [&](const search::Studies& group) { return why(group) != "another scenario"; });
    problems.push_back(
        {one.file, "expected an enumeration of what these studies searched, got one of " +
                       (nearest == groups.end() ? "another scenario" : why(*nearest))});
  }
  support::throw_if_any(problems);
}

}  // namespace cubicbench::results
