#include "results/searches/search_csv.h"

#include <array>
#include <optional>
#include <string_view>

#include "results/searches/search_rounds.h"
#include "support/csv.h"
#include "support/json/canonical.h"

namespace cubicbench::results {
namespace {

using support::shortest;

constexpr std::array<std::string_view, 15> columns{"series",      "scenario",
                                                   "instance",    "searcher",
                                                   "seed",        "launch",
                                                   "trial",       "round",
                                                   "state",       "reason",
                                                   "value",       "true_value",
                                                   "best_so_far", "cumulative_cost_gpu_hours",
                                                   "plotted_at"};

std::string text_of(const std::optional<double>& value) {
  return value ? shortest(*value) : std::string();
}

class Table {
 public:
  explicit Table(const StudyGroup& group) : group_(group) {
    std::array<std::string, columns.size()> names;
    std::copy(columns.begin(), columns.end(), names.begin());
    text_ = support::csv_record(names);
  }

  void add_jobs(const StudyResult& study, scenarios::Direction direction, bool hide_failures) {
    for (const CurveJob& job : jobs_of(study, direction, hide_failures)) {
      add({"job", group_.scenario, std::to_string(group_.instance), study.series,
           std::to_string(study.seed), std::to_string(job.launch), std::to_string(job.of->trial),
           std::to_string(job.of->round), std::string(name_of(job.of->state)),
           std::string(name_of(job.of->reason)), text_of(job.of->value),
           text_of(job.of->true_value), text_of(job.best_so_far), shortest(job.cost_gpu_hours),
           job.plotted_at ? std::to_string(*job.plotted_at) : std::string()});
    }
  }

  /// `rounds` has a round a place, or is empty.
  void add_curve(const std::string& series, const std::string& searcher, const Values& values,
                 const std::vector<std::int64_t>& rounds = {}) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i]) {
        const std::string place = std::to_string(i + 1);
        add({series, group_.scenario, std::to_string(group_.instance), searcher, "", place, "",
             rounds.empty() ? "" : std::to_string(rounds[i]), "", "", "", "", shortest(*values[i]),
             "", place});
      }
    }
  }

  void add_curve(const std::string& series, const std::string& searcher,
                 const std::vector<double>& values) {
    add_curve(series, searcher, Values(values.begin(), values.end()));
  }

  void add_baseline(double value) {
    add({"baseline", group_.scenario, std::to_string(group_.instance), "", "", "", "", "", "", "",
         "", shortest(value), "", "", ""});
  }

  std::string text() && { return std::move(text_); }

 private:
  void add(const std::array<std::string, columns.size()>& fields) {
    text_ += support::csv_record(fields);
  }

  const StudyGroup& group_;
  std::string text_;
};

}  // namespace

std::string search_csv(const StudyGroup& group, const StudyProblem& problem,
                       const CurveOptions& options) {
  Table table(group);
  if (problem.baseline_value) {
    table.add_baseline(*problem.baseline_value);
  }
  for (const SearcherCurves& curves : group.searchers) {
    for (const StudyResult* const study : curves.studies) {
      table.add_jobs(*study, problem.objective.direction, options.hide_failures);
    }
    table.add_curve("frontier", curves.series, curves.frontier,
                    rounds_of(curves, problem.objective.direction, options.hide_failures));
    table.add_curve("permutation_mean", curves.series, curves.permutation_mean);
    table.add_curve("exact_mean", curves.series, curves.exact_mean);
    table.add_curve("low", curves.series, curves.low);
    table.add_curve("high", curves.series, curves.high);
  }
  return std::move(table).text();
}

}  // namespace cubicbench::results
