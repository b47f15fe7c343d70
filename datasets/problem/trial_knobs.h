#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scenarios/space/resolved_rules.h"
#include "support/csv.h"
#include "support/json/object_reader.h"

namespace cubicbench::datasets {

/// The knobs of a table of trials: columns whose values were turned, whatever they are.
class TrialKnobs {
 public:
  /// Reads "knobs": names of columns, or {"column": NAME, "type": "ordinal" or "categorical"}.
  /// Without a type a knob is ordinal exactly if all of its cells are numbers.
  explicit TrialKnobs(support::ObjectReader& table);

  /// Takes the cells of the rows that count. Every knob must be a column and have a value in each
  /// row; what is wrong is added to `problems`, and then nothing may be asked.
  void read(const support::CsvTable& table, std::span<const support::CsvRecord* const> rows,
            const std::string& file, std::vector<support::Problem>& problems);

  /// Without values.
  const std::vector<scenarios::ParameterSpec>& specs() const { return specs_; }
  /// Of one of the rows.
  std::vector<std::int64_t> codes(std::size_t row) const;
  /// "DEPTH ordinal", ...
  nlohmann::ordered_json names() const;
  /// The values of one of the rows.
  nlohmann::ordered_json values(std::size_t row) const;

 private:
  struct Knob {
    std::string column;
    std::optional<scenarios::ParameterType> type;
    std::string pointer;
  };
  /// The cells of one knob, as far as they have a value.
  using Cells = std::vector<const support::CsvCell*>;

  void read_knob(const support::ValueReader& in);
  void add_knob(const Knob& knob, const Cells& cells, const std::string& file,
                std::vector<support::Problem>& problems);
  void add_numbers(const Knob& knob, const Cells& cells, const std::string& file,
                   std::vector<support::Problem>& problems);
  void add_names(const Knob& knob, const Cells& cells);

  std::vector<Knob> knobs_;
  std::vector<scenarios::ParameterSpec> specs_;
  std::vector<std::vector<std::int64_t>> codes_;  ///< by knob, then by row
};

}  // namespace cubicbench::datasets
