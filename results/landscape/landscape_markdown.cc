#include "results/landscape/landscape_markdown.h"

#include <vector>

#include "results/landscape/better.h"
#include "results/landscape/landscape_tables.h"
#include "results/layout/markdown_table.h"
#include "results/layout/number_text.h"
#include "results/simulation/objective_text.h"

namespace cubicbench::results {
namespace {

constexpr const char* unknown = "-";

std::string table_text(const LandscapeTable& table) {
  std::vector<HtmlColumn> columns;
  for (const std::string& heading : table.front()) {
    columns.push_back({.heading = heading, .number = !columns.empty()});
  }
  return markdown_table(columns, {table.begin() + 1, table.end()});
}

std::string name_text(const ScenarioLandscape& of) {
  return of.scenario.name + (of.instance == 0 ? "" : ", instance " + std::to_string(of.instance));
}

/// How many times as good as the baseline and as the median the best known is.
std::vector<std::string> times_cells(const ScenarioLandscape& of) {
  const Landscape& landscape = of.landscape;
  if (!landscape.best_known) return {unknown, unknown};
  const auto times = [&](double than) {
    return fixed(times_as_good(of.scenario.objective.direction, landscape.best_known->value, than),
                 2);
  };
  return {landscape.baseline ? times(of.baseline.value) : unknown,
          landscape.quantiles ? times(landscape.median()) : unknown};
}

std::vector<std::string> overview_row(const ScenarioLandscape& of) {
  const Landscape& landscape = of.landscape;
  const Importance* const largest = largest_main(landscape);
  std::vector<std::string> row{
      name_text(of), grouped(landscape.configurations),
      percent(static_cast<double>(landscape.running()) / static_cast<double>(landscape.rows)),
      landscape.baseline ? percent(landscape.baseline->share_better) : unknown};
  for (std::string& cell : times_cells(of)) row.push_back(std::move(cell));
  row.push_back(
      largest == nullptr
          ? unknown
          : std::string(of.scenario.space.parameters()[largest->parameter].setting->name) + " " +
                percent(*largest->main));
  return row;
}

std::string overview(std::span<const ScenarioLandscape> landscapes) {
  LandscapeTable table{{"scenario", "configurations", "run", "better than baseline",
                        "best known over baseline", "best known over median",
                        "largest main effect"}};
  for (const ScenarioLandscape& of : landscapes) table.push_back(overview_row(of));
  return table_text(table) + "\n";
}

std::string section(const ScenarioLandscape& of) {
  std::string text = "## " + markdown_escaped(name_text(of)) + "\n\n";
  text += markdown_escaped(landscape_headline(of)) + "\n\n";
  text += table_text(status_table(of)) + "\n";
  if (of.landscape.best_known) text += table_text(value_table(of)) + "\n";
  text += markdown_escaped(baseline_sentence(of)) + "\n\n";
  if (largest_main(of.landscape) != nullptr) text += table_text(importance_table(of)) + "\n";
  text += markdown_escaped(importance_sentence(of)) + "\n\n";
  text += markdown_escaped(best_known_sentence(of)) + "\n";
  const std::string command = best_known_command(of);
  return command.empty() ? text : text + "\n    " + command + "\n";
}

}  // namespace

std::string landscapes_markdown(std::span<const ScenarioLandscape> landscapes) {
  std::string text = landscapes.size() > 1 ? overview(landscapes) : "";
  for (std::size_t i = 0; i < landscapes.size(); ++i) {
    text += (i == 0 ? "" : "\n") + section(landscapes[i]);
  }
  return text;
}

}  // namespace cubicbench::results
