#include "results/studies/study_parts.h"

#include <algorithm>
#include <map>
#include <set>

#include "results/document/number_text.h"
#include "support/characters.h"
#include "support/joined.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

/// A scenario's name as part of a file name.
std::string slug(const std::string& name) {
  std::string text;
  for (const char c : name) {
    const bool kept = support::is_letter(c) || support::is_digit(c) || c == '-' || c == '_';
    text += kept ? c : '-';
  }
  return text.empty() ? "-" : text;
}

/// A row per folder, scenario and searcher.
Table asked_table(const search::StudySet& set) {
  Table table{.columns = {{"scenario", "scenario"},
                          {"searcher", "searcher"},
                          {"launches", "launches per study", Show::plain},
                          {"seeds", "seeds", Show::plain},
                          {"instances", "instances", Show::plain},
                          {"slots", "concurrent jobs", Show::plain},
                          {"telling", "told of failures"},
                          {"backend", "launched by"}}};
  for (const auto& [path, asked] : set.folders) {
    for (const search::AskedScenario& scenario : asked.scenarios) {
      for (const std::string& searcher : asked.searchers) {
        table.rows.push_back({scenario.name, searcher, scenario.trials, asked.seeds,
                              asked.instances, asked.slots, asked.telling, asked.backend});
      }
    }
  }
  return table;
}

Table hashes_table(const search::StudySet& set) {
  constexpr std::size_t digits = 16;
  Table table{.columns = {{"scenario", "scenario"},
                          {"instance", "instance", Show::plain},
                          {"scenario_sha256", "scenario_sha256, first 16 digits"},
                          {"truth_sha256", "truth_sha256, first 16 digits"}}};
  for (const search::Studies& group : grouped_studies(set)) {
    const search::StudyResult& study = *group.front();
    table.rows.push_back(
        {study.scenario, study.instance, study.scenario_sha256.substr(0, digits),
         study.truth_sha256.empty() ? "none: real runs" : study.truth_sha256.substr(0, digits)});
  }
  return table;
}

std::string origin_text(const search::StudySet& set) {
  const auto runs_again = [](const search::StudyResult& study) {
    return is_real(study) && !is_table(study);
  };
  std::string text =
      std::ranges::any_of(set.studies, runs_again)
          ? "Real runs measure something else each time; the same journals give the same page."
          : "The same version gives the same bytes.";
  std::set<std::string> versions;
  for (const search::StudyResult& study : set.studies) versions.insert(study.version);
  if (!versions.empty()) {
    text += " Studies by cubicbench " + support::joined(versions, ", ") + ".";
  }
  return text + " Page by cubicbench " + support::own_version() + ".";
}

}  // namespace

std::vector<std::string> file_labels(const std::vector<search::Studies>& groups) {
  std::map<std::string, int> instances;
  for (const search::Studies& group : groups) ++instances[group.front()->scenario];
  std::vector<std::string> labels;
  std::set<std::string> used;
  for (const search::Studies& group : groups) {
    std::string label = slug(group.front()->scenario);
    if (instances[group.front()->scenario] > 1) {
      label += "." + std::to_string(group.front()->instance);
    }
    while (!used.insert(label).second) label += "-";
    labels.push_back(label);
  }
  return labels;
}

void add_asked(const search::StudySet& set, Document& document) {
  document.add(Heading{"What was asked for", "asked"});
  document.add(Paragraph{
      counted(set.studies.size(), "study", "studies") +
      ": each is one searcher with one seed on one scenario, which proposes a configuration, "
      "observes the result of a job with it, and proposes the next."});
  document.add(asked_table(set));
  for (const std::string& note : set.notes) document.add(Paragraph{note, true});
}

void add_origin(const search::StudySet& set, std::span<const std::string> commands,
                Document& document) {
  document.add(Heading{"How to make this again", "origin"});
  document.add(Command{support::joined(commands, "\n")});
  document.add(Paragraph{origin_text(set)});
  document.add(hashes_table(set));
}

}  // namespace cubicbench::results
