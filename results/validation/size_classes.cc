#include "results/validation/size_classes.h"

#include <cmath>
#include <utility>
#include <vector>

#include "support/statistics/quantile.h"

namespace cubicbench::results {
namespace {

constexpr double mebibyte = 0x1p20;

}  // namespace

std::string_view size_class_of(double size_bytes) {
  if (size_bytes < mebibyte) return size_classes[0];
  return size_bytes < 64.0 * mebibyte ? size_classes[1] : size_classes[2];
}

SizeErrors size_errors(std::span<const ValidatedRow* const> rows) {
  std::map<std::string_view, std::map<std::string_view, std::vector<double>>> groups_of_class;
  for (const ValidatedRow* row : rows) {
    if (row->kind != RowKind::collective || !row->rel_error) continue;
    groups_of_class[size_class_of(row->size_bytes)][row->group].push_back(
        std::fabs(*row->rel_error));
  }
  SizeErrors errors;
  for (auto& [size_class, groups] : groups_of_class) {
    std::vector<double> medians;
    for (auto& [group, values] : groups) medians.push_back(support::median(std::move(values)));
    errors.median[std::string(size_class)] = support::median(medians);
    errors.p90[std::string(size_class)] = support::quantile(medians, 0.9);
  }
  return errors;
}

}  // namespace cubicbench::results
