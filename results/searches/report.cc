#include "results/searches/report.h"

#include "results/layout/page.h"
#include "results/layout/page_files.h"
#include "results/searches/search_section.h"
#include "results/studies/study_commands.h"
#include "results/studies/study_parts.h"

namespace cubicbench::results {
namespace {

std::string report_command(const std::vector<std::string>& folders, const ReportOptions& options,
                           const std::string& out) {
  std::string command = "cubicbench report";
  for (const std::string& folder : folders) command += " " + shell_word(folder);
  command += " --out " + shell_word(out);
  if (options.curves.hide_failures) command += " --hide-failures";
  if (options.curves.permutations) {
    command += " --permutations " + std::to_string(*options.curves.permutations);
  }
  for (const std::string& file : options.spaces.files()) {
    command += " --optimum " + shell_word(file);
  }
  return command;
}

std::vector<std::string> commands_of(const StudySet& set, const ReportOptions& options,
                                     const std::string& out) {
  if (!options.commands.empty()) return options.commands;
  std::vector<std::string> commands = search_commands(set);
  commands.push_back(report_command(folder_names(set), options, out));
  return commands;
}

}  // namespace

std::vector<std::string> write_report(const StudySet& set, const std::filesystem::path& out_html,
                                      const ReportOptions& options) {
  const std::vector<Studies> groups = grouped_studies(set);
  const std::vector<std::string> labels = file_labels(groups);
  std::vector<PageFile> files;
  std::string body = asked_section(set);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    body += add_search_section(groups[i], options.curves, options.spaces,
                               {.id = "scenario-" + number,
                                .figure_id = "figure-" + number,
                                .heading = {},
                                .file_stem = out_html.stem().string() + "." + labels[i]},
                               files);
  }
  body += origin_section(set, groups, commands_of(set, options, out_html.filename().string()));
  return write_page(out_html, page_html(options.title, body), files);
}

}  // namespace cubicbench::results
