#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/problem/scenario.h"
#include "support/csv.h"
#include "support/json/object_reader.h"

namespace cubicbench::datasets {

/// What the rows of a table of trials came to.
class TrialOutcomes {
 public:
  /// Reads, of a scenario's "table": `failures`, {"column": NAME, "reasons": {TEXT: REASON}}, by
  /// which a row with one of the texts failed; `missing`, the reason of a row without a value;
  /// `seconds`, the column of how long a trial took; and `gpus`, how many it took. All are
  /// optional. The value is `objective`, a column.
  TrialOutcomes(support::ObjectReader& table, const scenarios::Objective& objective);

  int gpus() const { return gpus_; }

  /// Finds the columns. Those that the table lacks are added to `problems`, and then nothing may be
  /// asked.
  void find_columns(const support::CsvTable& table, const std::string& objective_pointer,
                    std::vector<support::Problem>& problems);

  /// Nothing, and a problem, where a cell is none of what it can be.
  std::optional<scenarios::TrialOutcome> of(const support::CsvRecord& row, const std::string& file,
                                            std::vector<support::Problem>& problems) const;

 private:
  /// A column that the scenario names, and where it does.
  struct Named {
    std::string name;
    std::string pointer;
    std::size_t place = 0;
  };

  static void find(Named& column, const support::CsvTable& table,
                   std::vector<support::Problem>& problems);
  void read_failures(support::ObjectReader& table);
  std::optional<scenarios::TrialOutcome> completed(const support::CsvCell& cell,
                                                   const std::string& file,
                                                   std::vector<support::Problem>& problems) const;

  Named value_;
  std::optional<Named> failures_;
  std::map<std::string, scenarios::Reason> reasons_;  ///< by the text of the cell
  std::optional<scenarios::Reason> missing_;
  std::optional<Named> seconds_;
  int gpus_ = 1;
};

}  // namespace cubicbench::datasets
