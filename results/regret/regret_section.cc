#include "results/regret/regret_section.h"

#include <utility>

#include "results/document/figure.h"
#include "results/layout/figure_html.h"
#include "results/layout/html_table.h"
#include "results/document/markup.h"
#include "results/document/number_text.h"
#include "results/regret/regret_csv.h"
#include "results/regret/regret_figure.h"
#include "results/regret/regret_text.h"

namespace cubicbench::results {
namespace {

const std::string unknown = "\xE2\x80\x93";  // an en dash

std::string share_text(const std::optional<double>& share) {
  return share ? percent(*share) : unknown;
}

std::string regret_table(const GroupRegret& regret) {
  std::vector<std::vector<std::string>> rows;
  for (const SeriesRegret& series : regret.series) {
    const std::size_t studies = series.ends.size();
    const std::optional<Spread> random = series.random();
    rows.push_back({series.series, std::to_string(studies),
                    regret_text(series.final_regret(), studies, unknown),
                    random ? regret_text(random->mean) : unknown,
                    regret_text(series.final_observed(), studies, unknown),
                    share_text(series.share_within_1_percent()),
                    share_text(series.share_within_5_percent())});
  }
  return html_table({{"Searcher"},
                     {"Seeds", true},
                     {"Final regret", true},
                     {"Random search, exact", true},
                     {"Of the best measured value", true},
                     {"Within 1 % of the optimum", true},
                     {"Within 5 %", true}},
                    rows);
}

std::string reading_text(const RegretScale& scale) {
  return "The optimum is " + scaled(scale.best) + ", the median of what runs " +
         scaled(scale.reference) +
         ", both without noise. Final regret is that of the recommendation after the last launch: "
         "mean over the seeds, quartiles in brackets. Beside it stands what random search comes to "
         "on average in as many launches, exactly. The regret of the best measured value itself is "
         "optimistic, since noise helped to make it the best, and may be below 0. The last columns "
         "are the shares of studies whose recommendation is worth at least 99 and 95 % of the "
         "optimum (where less is better: at most 101 and 105 %).";
}

std::string unknown_html(const KnownSpace& known) {
  std::string html = "<p class=\"note\">" + escaped(known.note) + "</p>\n";
  if (!known.command.empty()) html += "<pre>" + escaped(known.command) + "</pre>\n";
  return html;
}

}  // namespace

std::string add_regret_section(const StudyGroup& group, const GroupRegret& regret,
                               const CurveOptions& options, const std::string& figure_id,
                               const std::string& file_stem, std::vector<PageFile>& files) {
  const std::string heading = "<h3>Regret</h3>\n";
  if (!regret.scale) return heading + unknown_html(regret.known);
  PageFile svg{file_stem + ".regret.svg", svg_of(regret_figure(group, regret, figure_id))};
  PageFile csv{file_stem + ".regret.csv", regret_csv(group, regret)};
  std::string html = heading + figure_html({.svg = svg.text,
                                            .label = group.scenario +
                                                     ": regret of the recommendation against jobs; "
                                                     "the table below holds the numbers",
                                            .caption = regret_caption(regret, options),
                                            .svg_file = svg.name,
                                            .csv_file = csv.name});
  html += "<p class=\"note\">" + escaped(regret.known.note) + "</p>\n";
  html += "<p>" + escaped(reading_text(*regret.scale)) + "</p>\n" + regret_table(regret);
  files.push_back(std::move(svg));
  files.push_back(std::move(csv));
  return html;
}

}  // namespace cubicbench::results
