#include "support/cell_value.h"

#include <cmath>

#include "support/magnitude.h"
#include "support/parsed.h"

namespace cubicbench::support {

std::string set_cell_value(std::string_view text, std::string& value) {
  value = text;
  return "";
}

std::string set_cell_value(std::string_view text, std::optional<std::int64_t>& value) {
  // Tables with empty cells are often written by programs that turn their integers into decimals.
  if (text.ends_with(".0")) text.remove_suffix(2);
  const std::optional<std::int64_t> count = parsed<std::int64_t>(text);
  if (!count || *count < 1) return "an integer of at least 1";
  value = count;
  return "";
}

std::string set_cell_value(std::string_view text, std::optional<double>& value) {
  const std::optional<double> number = parsed<double>(text);
  if (!number || !(*number > 0.0) || !std::isfinite(*number)) return "a number above 0";
  if (!is_of_readable_magnitude(*number)) return magnitude_range;
  value = number;
  return "";
}

}  // namespace cubicbench::support
