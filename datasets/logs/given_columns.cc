#include "datasets/logs/given_columns.h"

#include <algorithm>
#include <array>

#include "datasets/logs/log_recorder.h"
#include "datasets/tables/measurement_schema.h"
#include "support/input_error.h"
#include "support/suggestion.h"

namespace cubicbench::datasets {
namespace {

/// What is measured is not given.
constexpr std::array<std::string_view, 7> measured{
    "step_time_s",  "tokens_per_s_per_gpu",
    "peak_mem_gib", "peak_alloc_gib",
    "mem_kind",     "noise_free_tokens_per_s_per_gpu",
    "notes"};

}  // namespace

GivenColumn parse_given_column(std::string_view text, const std::string& where) {
  const std::size_t at = text.find('=');
  if (at == std::string_view::npos || at == 0 || at + 1 == text.size()) {
    throw support::InputError(where, "expected NAME=VALUE" + got(text));
  }
  const std::string_view name = text.substr(0, at);
  const std::string_view value = text.substr(at + 1);
  const MeasurementColumn* const column = find_measurement_column(name);
  std::vector<std::string_view> names;
  for (const MeasurementColumn& one : measurement_columns()) {
    if (std::ranges::find(measured, one.name) == measured.end()) names.push_back(one.name);
  }
  if (column == nullptr || std::ranges::find(names, name) == names.end()) {
    throw support::InputError(
        where, "expected a column of docs/datasets.md that is no measurement" + got(name) +
                   support::did_you_mean(name, names));
  }
  Measurement nowhere;
  if (const std::string expected = set_cell(*column, value, nowhere); !expected.empty()) {
    throw support::InputError(where,
                              "expected " + expected + " in " + std::string(name) + got(value));
  }
  return {.name = std::string(name), .value = std::string(value)};
}

}  // namespace cubicbench::datasets
