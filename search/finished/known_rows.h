#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "datasets/tables/measurement.h"
#include "scenarios/problem/scenario.h"
#include "search/study/warm_start.h"

namespace cubicbench::search {

/// A table of measured runs, or logs that are read as one, as launches of scenarios.
class KnownRows {
 public:
  /// Throws InputError for what is no table of runs.
  explicit KnownRows(const std::string& place);

  /// The runs of the scenario's model on its cluster that are configurations of its space, in the
  /// table's order. A setting that no column states has the baseline's value.
  std::vector<KnownLaunch> of(const scenarios::Scenario& scenario);

  /// Why rows were left out, and what was taken from the baseline: "", or what follows a comma.
  std::string note() const;
  /// What the table has in place of runs of the scenarios: "12 rows, of which 12 are of another
  /// model".
  std::string why() const;

 private:
  std::string left_out() const;

  datasets::Measurements table_;
  std::map<std::string, std::size_t> left_out_;  ///< rows by reason
  std::set<std::string> assumed_;                ///< settings that no row states
};

}  // namespace cubicbench::search
