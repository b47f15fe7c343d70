#include "predictor/calibration/told_constants.h"

#include <algorithm>

#include "scenarios/readers/fitted_description.h"
#include "support/input_error.h"
#include "support/joined.h"

namespace cubicbench::predictor {
namespace {

using support::InputError;
using Names = std::vector<std::string>;

/// "vtrain: ", or nothing for tables that were named by hand.
std::string name_before(const CalibrationTask& task) {
  return task.name.empty() ? std::string() : task.name + ": ";
}

/// What the reasons say, most frequent first.
std::string skipped_text(const CalibrationRuns& rows) {
  constexpr std::size_t shown = 3;
  std::string text;
  const auto reasons = skipped_by_count(rows);
  for (std::size_t i = 0; i < std::min(shown, reasons.size()); ++i) {
    text += (i == 0 ? " (" : "; ") + std::to_string(reasons[i].second) + ": " + reasons[i].first;
  }
  if (reasons.size() > shown) text += "; ...";
  return text + (text.empty() ? "" : ")");
}

/// Where a fault of the constants is said to be.
const std::string& where_of_fit(const CalibrationTask& task, const std::string& where) {
  return task.fit_where.empty() ? where : task.fit_where;
}

/// "1 row", "9 rows".
std::string counted(std::size_t count, const std::string& one) {
  return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

/// Constants that the rows tell, or leave open.
Names names_told(const Calibration& result, bool told) {
  Names names;
  for (const FittedConstant& constant : result.constants) {
    if (constant.told_apart == told) names.emplace_back(constant.name);
  }
  return names;
}

void require_told_apart(const CalibrationTask& task, const Calibration& result,
                        const std::string& where) {
  const Names vague = names_told(result, false);
  if (vague.empty()) return;
  const Names clear = names_told(result, true);
  throw InputError(where_of_fit(task, where),
                   name_before(task) + "expected constants that " + counted(result.rows, "row") +
                       " of " +
                       counted(result.models, task.rows.collectives.empty() ? "model" : "system") +
                       " tell apart; they leave open " + support::joined(vague, ", ") +
                       (clear.empty() ? "" : "; try --fit " + support::joined(clear, ",")));
}

}  // namespace

void require_rows(const CalibrationTask& task, const std::string& where) {
  const std::size_t rows =
      task.rows.runs.size() + task.rows.kernels.size() + task.rows.collectives.size();
  if (rows == 0) {
    throw InputError(where, name_before(task) + "expected a timed row of " + task.of + " in " +
                                support::joined(task.tables, ", ") + ", got none" +
                                skipped_text(task.rows));
  }
  if (rows <= task.fit.size()) {
    throw InputError(where_of_fit(task, where), name_before(task) + "expected more rows than the " +
                                                    counted(task.fit.size(), "constant") +
                                                    ", got " + std::to_string(rows) +
                                                    skipped_text(task.rows));
  }
}

Calibration fit_told(CalibrationTask& task, const std::string& where, const FitOf& fit_of) {
  Calibration result = fit_of(task.fit);
  for (Names vague; !(vague = names_told(result, false)).empty(); result = fit_of(task.fit)) {
    if (!task.fit_is_default || task.fit.size() == 1) require_told_apart(task, result, where);
    std::erase(task.fit, vague.back());
    task.left.push_back(vague.back());
  }
  for (FittedConstant& constant : result.constants) {
    constant.after = scenarios::four_digits(constant.after);
    constant.low = scenarios::four_digits(constant.low);
    constant.high = scenarios::four_digits(constant.high);
  }
  return result;
}

}  // namespace cubicbench::predictor
