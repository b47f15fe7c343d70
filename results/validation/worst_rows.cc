#include "results/validation/worst_rows.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "results/document/markup.h"
#include "results/document/number_text.h"
#include "results/document/series_look.h"
#include "results/simulation/part_names.h"
#include "results/validation/row_errors.h"
#include "support/csv.h"
#include "support/json/canonical.h"

namespace cubicbench::results {
namespace {

sim::StepPart part_at(std::size_t i) { return static_cast<sim::StepPart>(i); }

/// What parts of a step wait for, each once, in the order of the parts: a colour each.
const std::vector<std::string_view>& resources() {
  static const std::vector<std::string_view> all = [] {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < sim::step_part_count; ++i) {
      const std::string_view name = resource_of(part_at(i));
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
    return names;
  }();
  return all;
}

std::string color_of(std::string_view resource) {
  const auto at = std::ranges::find(resources(), resource) - resources().begin();
  return look_of(static_cast<std::size_t>(at)).color;
}

double sum_of(const ValidatedRow& row) {
  double sum = 0.0;
  for (const sim::Seconds part : row.breakdown) sum += part.value;
  return sum;
}

/// Shares of a step, the largest first, without those that round to nothing.
std::vector<std::pair<double, std::size_t>> shares_of(const ValidatedRow& row) {
  const double sum = sum_of(row);
  std::vector<std::pair<double, std::size_t>> shares;
  for (std::size_t i = 0; i < row.breakdown.size() && sum > 0.0; ++i) {
    const double share = row.breakdown[i].value / sum;
    if (share >= 0.0005) shares.emplace_back(share, i);
  }
  std::ranges::stable_sort(shares, std::ranges::greater{}, &std::pair<double, std::size_t>::first);
  return shares;
}

/// Parts that wait for one thing stand beside one another.
std::string bar_of(const ValidatedRow& row) {
  const auto shares = shares_of(row);
  std::string rects;
  double at = 0.0;
  for (const std::string_view resource : resources()) {
    for (const auto& [share, i] : shares) {
      if (resource_of(part_at(i)) != resource) continue;
      rects += "<rect x=\"" + fixed(100.0 * at, 2) + "\" y=\"0\" width=\"" +
               fixed(100.0 * share, 2) + "\" height=\"6\" fill=\"" + color_of(resource) +
               "\"><title>" + escaped(label_of(part_at(i))) + " " + percent(share) +
               "</title></rect>";
      at += share;
    }
  }
  if (rects.empty()) return "";
  return "<svg viewBox=\"0 0 100 6\" role=\"img\" aria-label=\"shares of the step\">" + rects +
         "</svg>";
}

std::string words_of(const ValidatedRow& row) {
  constexpr std::size_t named = 3;
  const auto shares = shares_of(row);
  std::string text;
  for (std::size_t k = 0; k < std::min(named, shares.size()); ++k) {
    text += (k == 0 ? "" : ", ") + std::string(label_of(part_at(shares[k].second))) + " " +
            percent(shares[k].first);
  }
  return text;
}

std::string cell(std::string_view text, bool number = false) {
  return (number ? "<td class=\"number\">" : "<td>") + escaped(text) + "</td>";
}

}  // namespace

std::vector<const ValidatedRow*> worst_rows(const Validation& validation, std::size_t most) {
  std::vector<const ValidatedRow*> rows;
  for (const ValidatedRow& row : validation.rows) {
    if (row.kind != RowKind::collective && time_factor(row)) rows.push_back(&row);
  }
  std::ranges::stable_sort(rows, std::ranges::greater{},
                           [](const ValidatedRow* row) { return *time_factor(*row); });
  if (rows.size() > most) rows.resize(most);
  return rows;
}

std::vector<const ValidatedRow*> hung_rows(const Validation& validation) {
  std::vector<const ValidatedRow*> rows = worst_rows(validation, validation.rows.size());
  std::erase_if(rows, [](const ValidatedRow* row) { return !is_hung(*row); });
  return rows;
}

std::string worst_rows_table(const std::vector<const ValidatedRow*>& rows) {
  std::string html =
      "<div class=\"wide\"><table>\n<thead><tr><th>Row</th><th>Group</th>"
      "<th class=\"number\">Measured</th><th class=\"number\">Simulated</th>"
      "<th class=\"number\">Ratio</th>"
      "<th>Where the simulated step goes</th></tr></thead>\n<tbody>\n";
  for (const ValidatedRow* row : rows) {
    html += "<tr>" + cell(row->id) + "<td class=\"long\">" + escaped(row->group) + "</td>" +
            cell(duration({*row->step_time_measured}), true) +
            cell(duration({*row->step_time_simulated}), true) +
            cell(fixed(*time_ratio(*row), 3) + (is_hung(*row) ? " *" : ""), true) +
            "<td class=\"shares\">" + bar_of(*row) + escaped(words_of(*row)) + "</td></tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string worst_rows_legend() {
  std::string html = "<p class=\"note\">Colours, from left to right, say what a part waits for:";
  for (const std::string_view resource : resources()) {
    html += " <span class=\"swatch\" style=\"background:" + color_of(resource) + "\"></span> " +
            escaped(resource) + (resource == resources().back() ? "." : ",");
  }
  return html + " Beside each bar stand its three largest parts.</p>\n";
}

std::string worst_rows_csv(const std::vector<const ValidatedRow*>& rows) {
  using support::shortest;
  std::vector<std::string> header{
      "id", "source", "group", "step_time_s_measured", "step_time_s_simulated", "ratio", "hung"};
  for (std::size_t i = 0; i < sim::step_part_count; ++i) {
    header.push_back(std::string(name_of(part_at(i))) + "_s");
  }
  std::string text = support::csv_record(header);
  for (const ValidatedRow* row : rows) {
    std::vector<std::string> cells{row->id,
                                   row->source,
                                   row->group,
                                   shortest(*row->step_time_measured),
                                   shortest(*row->step_time_simulated),
                                   shortest(*time_ratio(*row)),
                                   is_hung(*row) ? "1" : "0"};
    for (const sim::Seconds part : row->breakdown) cells.push_back(shortest(part.value));
    text += support::csv_record(cells);
  }
  return text;
}

}  // namespace cubicbench::results
