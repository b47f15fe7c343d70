#include "results/searches/failure_strip.h"

#include <array>
#include <map>
#include <string_view>
#include <utility>

#include "results/searches/search_rounds.h"

namespace cubicbench::results {
namespace {

using scenarios::Reason;

constexpr std::array<std::pair<Reason, PointMark>, 6> reason_marks{
    {{Reason::invalid, PointMark::star},
     {Reason::oom_init, PointMark::cross},
     {Reason::oom_late, PointMark::plus},
     {Reason::timeout, PointMark::square},
     {Reason::infra, PointMark::triangle},
     {Reason::numeric, PointMark::diamond}}};

std::string_view phrase_of(Reason reason) {
  switch (reason) {
    case Reason::invalid:
      return "cannot be laid out";
    case Reason::oom_init:
      return "out of memory at the start";
    case Reason::oom_late:
      return "out of memory later";
    case Reason::timeout:
      return "time limit";
    case Reason::infra:
      return "infrastructure";
    case Reason::numeric:
      return "diverged";
    case Reason::none:
      break;
  }
  return "unknown";
}

Series failures_of(const StudyResult& study, Reason reason, PointMark mark,
                   const std::string& color) {
  Series series{.title = {},
                .style = SeriesStyle::dots,
                .color = color,
                .width = 1.2,
                .mark = mark,
                .size = 0.5,
                .points = {}};
  for (std::size_t k = 0; k < study.launches.size(); ++k) {
    const StudyLaunch& launch = study.launches[k];
    if (launch.state == scenarios::TrialState::fail && launch.reason == reason) {
      series.points.push_back({static_cast<double>(k + 1), 0.0});
    }
  }
  return series;
}

}  // namespace

void add_failure_strip(const StudyGroup& group, Figure& figure) {
  std::map<Reason, bool> seen;
  std::vector<StripRow> rows;
  bool failed = false;
  for (std::size_t i = 0; i < group.searchers.size(); ++i) {
    StripRow row;
    for (const auto& [reason, mark] : reason_marks) {
      row.series.push_back(failures_of(*group.searchers[i].studies.front(), reason, mark,
                                       series_color(group.searchers[i], i)));
      const bool any = !row.series.back().points.empty();
      seen[reason] = seen[reason] || any;
      failed = failed || any;
    }
    rows.push_back(std::move(row));
  }
  if (!failed) return;
  figure.strip_label = "failed";
  figure.strip = std::move(rows);
  for (const auto& [reason, mark] : reason_marks) {
    if (!seen[reason]) continue;
    figure.series.push_back({.title = "failed: " + std::string(phrase_of(reason)),
                             .style = SeriesStyle::dots,
                             .color = "#606060",
                             .width = 1.2,
                             .mark = mark,
                             .size = 0.6,
                             .points = {}});
  }
}

}  // namespace cubicbench::results
