#include "results/report.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

#include "results/figure.h"
#include "results/html_table.h"
#include "results/joined.h"
#include "results/markup.h"
#include "results/page.h"
#include "results/search_csv.h"
#include "results/search_figure.h"
#include "results/search_section.h"
#include "results/study_commands.h"
#include "results/study_problem.h"
#include "scenarios/files.h"
#include "scenarios/input_error.h"
#include "scenarios/json_document.h"

namespace cubicbench::results {
namespace {

using Studies = std::vector<const StudyResult*>;

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

/// One part of file names a group, all different.
std::vector<std::string> labels_of(const std::vector<Studies>& groups) {
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

std::string own_version() { return scenarios::new_document("report").at("version"); }

std::string hashes_table(const std::vector<Studies>& groups) {
  std::vector<std::vector<std::string>> rows;
  for (const Studies& group : groups) {
    const StudyResult& study = *group.front();
    rows.push_back({study.scenario, std::to_string(study.instance),
                    study.scenario_sha256.substr(0, 16),
                    is_real(study) ? "none: real runs" : study.truth_sha256.substr(0, 16)});
  }
  return html_table({{"Scenario"},
                     {"Instance", true},
                     {"scenario_sha256, first 16 digits"},
                     {"truth_sha256, first 16 digits"}},
                    rows);
}

const char* repeat_text(const StudySet& set) {
  return std::ranges::any_of(set.studies, is_real)
             ? "Real runs measure something else each time; the same journals give the same page."
             : "The same version gives the same bytes.";
}

std::string versions_text(const StudySet& set) {
  std::set<std::string> versions;
  for (const StudyResult& study : set.studies) versions.insert(study.version);
  return joined(versions, ", ");
}

std::string report_command(const std::vector<std::string>& folders, const ReportOptions& options,
                           const std::string& out) {
  std::string command = "cubicbench report";
  for (const std::string& folder : folders) command += " " + shell_word(folder);
  command += " --out " + shell_word(out);
  if (options.curves.hide_failures) command += " --hide-failures";
  if (options.curves.permutations != CurveOptions{}.permutations) {
    command += " --permutations " + std::to_string(options.curves.permutations);
  }
  return command;
}

std::string origin_part(const StudySet& set, const std::vector<Studies>& groups,
                        const ReportOptions& options, const std::string& out) {
  std::vector<std::string> commands = options.commands;
  if (commands.empty()) {
    commands = search_commands(set);
    commands.push_back(report_command(folder_names(set), options, out));
  }
  std::string html = "<section id=\"origin\">\n<h2>How to make this again</h2>\n<pre>";
  for (std::size_t i = 0; i < commands.size(); ++i) {
    html += (i == 0 ? "" : "\n") + escaped(commands[i]);
  }
  html += "</pre>\n<p>" + std::string(repeat_text(set)) + " Studies by cubicbench " +
          escaped(versions_text(set)) + ", page by cubicbench " + escaped(own_version()) +
          ".</p>\n" + hashes_table(groups);
  return html + "</section>\n";
}

std::string head_part(const StudySet& set) {
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

void make_folder_of(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) {
    throw scenarios::OutputError("cannot write " + folder.string() + ": " +
                                 std::generic_category().message(error.value()));
  }
}

}  // namespace

std::vector<std::string> write_report(const StudySet& set, const std::filesystem::path& out_html,
                                      const ReportOptions& options) {
  const std::vector<Studies> groups = grouped_studies(set);
  const std::vector<std::string> labels = labels_of(groups);
  const std::string stem = out_html.stem().string();
  std::vector<std::pair<std::string, std::string>> files;  // name, text
  std::string body = head_part(set);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const StudyProblem problem = problem_of(*groups[i].front());
    const StudyGroup group = group_of(groups[i], problem.objective.direction, options.curves);
    const std::string id = "figure-" + std::to_string(i + 1);
    const std::string svg = svg_of(search_figure(group, problem, options.curves, id));
    const SectionFiles names{.id = "scenario-" + std::to_string(i + 1),
                             .svg = svg,
                             .svg_file = stem + "." + labels[i] + ".svg",
                             .csv_file = stem + "." + labels[i] + ".csv"};
    body += search_section(group, problem, options.curves, names);
    files.emplace_back(names.svg_file, svg);
    files.emplace_back(names.csv_file, search_csv(group, problem, options.curves));
  }
  const std::string page_name = out_html.filename().string();
  make_folder_of(out_html);
  body += origin_part(set, groups, options, page_name);
  std::vector<std::string> written{page_name};
  for (const auto& [name, text] : files) {
    scenarios::write_file_atomic(out_html.parent_path() / name, text);
    written.push_back(name);
  }
  scenarios::write_file_atomic(out_html, page_html(options.title, body));
  return written;
}

}  // namespace cubicbench::results
