#include "results/searches/failure_strip.h"

#include <utility>

#include "results/searches/search_rounds.h"
#include "search/finished/charged_launches.h"

namespace cubicbench::results {
namespace {

using scenarios::Reason;

struct Look {
  Reason reason;
  PointMark mark;
  const char* phrase;
};

constexpr Look reason_looks[] = {
    {Reason::invalid, PointMark::star, "failed: cannot be laid out"},
    {Reason::oom_init, PointMark::cross, "failed: out of memory at the start"},
    {Reason::oom_late, PointMark::plus, "failed: out of memory later"},
    {Reason::timeout, PointMark::square, "failed: too slow"},
    {Reason::infra, PointMark::triangle, "failed: infrastructure"},
    {Reason::numeric, PointMark::diamond, "failed: diverged"}};

Series marks(const Look& look, std::string title, std::string color, double size) {
  return {.title = std::move(title),
          .style = SeriesStyle::dots,
          .color = std::move(color),
          .width = 1.2,
          .mark = look.mark,
          .size = size};
}

Series failures_of(const search::StudyResult& study, const Look& look, const std::string& color) {
  Series series = marks(look, "", color, 0.5);
  const std::vector<double> charged = search::charged_after(study);
  for (std::size_t k = 0; k < study.launches.size(); ++k) {
    const search::StudyLaunch& launch = study.launches[k];
    if (launch.state == scenarios::TrialState::fail && launch.reason == look.reason) {
      series.points.push_back({charged[k], 0.0});
    }
  }
  return series;
}

}  // namespace

void add_failure_strip(const SearchedProblem& problem, Figure& figure) {
  std::vector<StripRow> rows(problem.series.size());
  bool failed = false;
  const std::vector<SeriesLook> styles = searcher_looks(problem);
  for (const Look& look : reason_looks) {
    bool seen = false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const SearcherCurves& curves = problem.series[i].curves;
      rows[i].of = curves.series;
      rows[i].series.push_back(failures_of(*curves.studies.front(), look, styles[i].color));
      seen = seen || !rows[i].series.back().points.empty();
    }
    failed = failed || seen;
    if (seen) figure.series.push_back(marks(look, look.phrase, "#606060", 0.6));
  }
  if (!failed) return;
  figure.strip_label = "failed";
  figure.strip = std::move(rows);
}

}  // namespace cubicbench::results
