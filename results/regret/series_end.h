#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/regret/study_end.h"

namespace cubicbench::results {

/// Studies taken together: the seeds of one series, or all studies of one searcher on a scenario.
struct SeriesEnd {
  std::string name;
  std::vector<StudyEnd> ends{};

  StudyTally tally() const;

  /// `number` of each study that has it.
  template <typename Number>
  std::vector<double> all(std::optional<Number> StudyEnd::*number) const {
    std::vector<double> numbers;
    for (const StudyEnd& end : ends) {
      if (end.*number) numbers.push_back(static_cast<double>(*(end.*number)));
    }
    return numbers;
  }
};

/// "312.4 k", "0.4213": a value of an objective.
std::string value_text(double value);

/// A row per series: first those of a searcher of `report --json`, with the mean and the quartiles
/// of what each study has, then what people alone see.
std::span<const Field<SeriesEnd>> series_fields();

/// "0.0312", "1.204", "3.1e-05": three or four significant digits; "0" is the optimum.
std::string regret_text(double regret);

}  // namespace cubicbench::results
