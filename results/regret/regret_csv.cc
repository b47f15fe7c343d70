#include "results/regret/regret_csv.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/base/check.h"
#include "support/csv.h"
#include "support/json/canonical.h"

namespace cubicbench::results {
namespace {

using support::shortest;

constexpr std::array<std::string_view, 9> columns{"series",   "scenario", "instance",
                                                  "searcher", "seed",     "launches",
                                                  "value",    "regret",   "observed_regret"};

class Table {
 public:
  explicit Table(const StudyGroup& group) : group_(group) {
    std::array<std::string, columns.size()> names;
    std::copy(columns.begin(), columns.end(), names.begin());
    text_ = support::csv_record(names);
  }

  void add_scale(const RegretScale& scale) {
    add("optimum", "", "", "", shortest(scale.best), "0", "");
    add("median", "", "", "", shortest(scale.reference), "1", "");
  }

  void add_study(const std::string& series, const StudyEnd& end) {
    if (!end.regret) return;
    for (std::size_t k = 0; k < end.regret->recommended.size(); ++k) {
      add("study", series, std::to_string(end.study->seed), std::to_string(k + 1), "",
          shortest(end.regret->recommended[k]), shortest(end.regret->observed[k]));
    }
  }

  void add_curve(const std::string& name, const std::string& searcher,
                 const std::vector<double>& regrets, const std::vector<double>& values = {}) {
    for (std::size_t k = 0; k < regrets.size(); ++k) {
      add(name, searcher, "", std::to_string(k + 1), values.empty() ? "" : shortest(values[k]),
          shortest(regrets[k]), "");
    }
  }

  std::string text() && { return std::move(text_); }

 private:
  void add(const std::string& series, const std::string& searcher, const std::string& seed,
           const std::string& launches, const std::string& value, const std::string& regret,
           const std::string& observed) {
    const std::array<std::string, columns.size()> fields{
        series, group_.scenario, std::to_string(group_.instance), searcher, seed, launches, value,
        regret, observed};
    text_ += support::csv_record(fields);
  }

  const StudyGroup& group_;
  std::string text_;
};

}  // namespace

std::string regret_csv(const StudyGroup& group, const GroupRegret& regret) {
  SIM_ASSERT(regret.scale.has_value(), group.scenario);
  Table table(group);
  table.add_scale(*regret.scale);
  table.add_curve("random_mean", "", regret.random.mean, regret.random_best.mean);
  // A small regret is a good value: quantiles of values change places.
  table.add_curve("random_p05", "", regret.random.p05, regret.random_best.p95);
  table.add_curve("random_p25", "", regret.random.p25, regret.random_best.p75);
  table.add_curve("random_p75", "", regret.random.p75, regret.random_best.p25);
  table.add_curve("random_p95", "", regret.random.p95, regret.random_best.p05);
  for (const SeriesRegret& series : regret.series) {
    for (const StudyEnd& end : series.ends) table.add_study(series.series, end);
    table.add_curve("mean", series.series, series.mean);
    table.add_curve("low", series.series, series.low);
    table.add_curve("high", series.series, series.high);
  }
  return std::move(table).text();
}

}  // namespace cubicbench::results
