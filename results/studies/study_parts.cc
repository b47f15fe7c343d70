#include "results/studies/study_parts.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "results/layout/html_table.h"
#include "results/document/markup.h"
#include "support/joined.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

/// A scenario's name as part of a file name.
std::string slug(const std::string& name) {
  std::string text;
  for (const char c : name) {
    const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '-' || c == '_';
    text += kept ? c : '-';
  }
  return text.empty() ? "-" : text;
}

std::string asked_table(const StudySet& set) {
  struct Asked {
    std::set<std::int64_t> seeds;
    std::set<std::int64_t> instances;
  };
  using Key =
      std::tuple<std::string, std::string, std::int64_t, std::int64_t, std::string, std::string>;
  std::map<Key, Asked> asked;
  for (const StudyResult& study : set.studies) {
    Asked& row = asked[{study.scenario, study.searcher, study.trials, study.slots, study.telling,
                        study.backend}];
    row.seeds.insert(study.seed);
    row.instances.insert(study.instance);
  }
  std::vector<std::vector<std::string>> rows;
  for (const auto& [key, row] : asked) {
    const auto& [scenario, searcher, trials, slots, telling, backend] = key;
    rows.push_back({scenario, searcher, std::to_string(trials), std::to_string(row.seeds.size()),
                    std::to_string(row.instances.size()), std::to_string(slots), telling, backend});
  }
  return html_table({{"Scenario"},
                     {"Searcher"},
                     {"Launches a study", true},
                     {"Seeds", true},
                     {"Instances", true},
                     {"Jobs at a time", true},
                     {"Told of failures"},
                     {"Launched by"}},
                    rows);
}

std::string own_version() { return support::new_document("report").at("version"); }

std::string hashes_table(const std::vector<Studies>& groups) {
  std::vector<std::vector<std::string>> rows;
  for (const Studies& group : groups) {
    const StudyResult& study = *group.front();
    rows.push_back(
        {study.scenario, std::to_string(study.instance), study.scenario_sha256.substr(0, 16),
         study.truth_sha256.empty() ? "none: real runs" : study.truth_sha256.substr(0, 16)});
  }
  return html_table({{"Scenario"},
                     {"Instance", true},
                     {"scenario_sha256, first 16 digits"},
                     {"truth_sha256, first 16 digits"}},
                    rows);
}

const char* repeat_text(const StudySet& set) {
  const auto runs_again = [](const StudyResult& study) {
    return is_real(study) && !is_table(study);
  };
  return std::ranges::any_of(set.studies, runs_again)
             ? "Real runs measure something else each time; the same journals give the same page."
             : "The same version gives the same bytes.";
}

std::string versions_text(const StudySet& set) {
  std::set<std::string> versions;
  for (const StudyResult& study : set.studies) versions.insert(study.version);
  return support::joined(versions, ", ");
}

}  // namespace

std::vector<std::string> file_labels(const std::vector<Studies>& groups) {
  std::map<std::string, int> instances;
  for (const Studies& group : groups) ++instances[group.front()->scenario];
  std::vector<std::string> labels;
  std::set<std::string> used;
  for (const Studies& group : groups) {
    std::string label = slug(group.front()->scenario);
    if (instances[group.front()->scenario] > 1) {
      label += "." + std::to_string(group.front()->instance);
    }
    while (!used.insert(label).second) label += "-";
    labels.push_back(label);
  }
  return labels;
}

std::string asked_section(const StudySet& set) {
  std::string html = "<section id=\"asked\">\n<p>" + std::to_string(set.studies.size()) +
                     (set.studies.size() == 1 ? " study" : " studies") +
                     ": one searcher with one seed on one scenario, which proposes a "
                     "configuration, sees what a job with it came to, and proposes the next.</p>\n";
  html += asked_table(set);
  for (const std::string& note : set.notes) {
    html += "<p class=\"note\">" + escaped(note) + "</p>\n";
  }
  return html + "</section>\n";
}

std::string origin_section(const StudySet& set, const std::vector<Studies>& groups,
                           std::span<const std::string> commands, const std::string& more) {
  std::string html = "<section id=\"origin\">\n<h2>How to make this again</h2>\n<pre>";
  for (std::size_t i = 0; i < commands.size(); ++i) {
    html += (i == 0 ? "" : "\n") + escaped(commands[i]);
  }
  html +=
      "</pre>\n<p>" + std::string(repeat_text(set)) +
      (set.studies.empty() ? " Page"
                           : " Studies by cubicbench " + escaped(versions_text(set)) + ", page") +
      " by cubicbench " + escaped(own_version()) + ".</p>\n";
  if (!groups.empty()) html += hashes_table(groups);
  return html + more + "</section>\n";
}

}  // namespace cubicbench::results
