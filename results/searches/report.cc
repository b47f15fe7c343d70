#include "results/searches/report.h"

#include <nlohmann/json.hpp>

#include "results/document/json.h"
#include "results/searches/search_section.h"
#include "results/studies/study_commands.h"
#include "results/studies/study_parts.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;

std::string report_command(const StudySet& set, const ReportOptions& options,
                           const std::string& out) {
  std::string command = "cubicbench report";
  for (const std::string& folder : folder_names(set)) command += " " + shell_word(folder);
  command += " --out " + shell_word(out);
  if (options.curves.hide_failures) command += " --hide-failures";
  if (options.curves.permutations) {
    command += " --permutations " + std::to_string(*options.curves.permutations);
  }
  for (const GivenEnumeration& given : options.given) {
    command += " --optimum " + shell_word(shown_file(given.file));
  }
  return command;
}

Json optimum_json(const SearchedProblem& problem) {
  Json optimum{{"note", problem.known.note}};
  if (!problem.known.command.empty()) optimum["command"] = problem.known.command;
  const auto& scale = problem.yardstick.scale;
  optimum["value"] = scale ? Json(scale->best) : Json();
  optimum["median"] = scale ? Json(scale->reference) : Json();
  return optimum;
}

}  // namespace

Document report_document(const StudySet& set, const std::vector<SearchedProblem>& problems,
                         const std::filesystem::path& out_html, const ReportOptions& options) {
  Document document{.title = "Search report"};
  add_asked(set, document);
  const std::vector<std::string> labels = file_labels(grouped_studies(set));
  for (std::size_t i = 0; i < problems.size(); ++i) {
    add_search_section(problems[i],
                       {.id = "scenario-" + std::to_string(i + 1),
                        .heading = {},
                        .file_stem = out_html.stem().string() + "." + labels[i]},
                       document);
  }
  std::vector<std::string> commands = search_commands(set);
  commands.push_back(report_command(set, options, out_html.filename().string()));
  add_origin(set, commands, document);
  return document;
}

Json problems_json(const std::vector<SearchedProblem>& problems) {
  Json list = Json::array();
  for (const SearchedProblem& problem : problems) {
    Json searchers = Json::array();
    for (const SearchedSeries& series : problem.series) {
      searchers.push_back(json_of(series.end, series_fields()));
    }
    list.push_back({{"scenario", problem.study->scenario},
                    {"instance", problem.study->instance},
                    {"optimum", optimum_json(problem)},
                    {"searchers", searchers}});
  }
  return list;
}

}  // namespace cubicbench::results
