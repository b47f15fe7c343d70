#include "results/validation/two_lines.h"

#include <algorithm>
#include <cstddef>

#include "sim/base/numeric.h"

namespace cubicbench::results {
namespace {

constexpr std::size_t points_min = 3;  // on either side of a cut

/// By more than rounding.
bool is_less(double a, double b) { return a < (1.0 - 1e-9) * b; }

double at(const StartedLine& line, double size) { return line.start + line.per_byte * size; }

/// Sum of ((line - time) / time)^2.
double relative_error(std::span<const SizedTime> points, const StartedLine& line) {
  double sum = 0.0;
  for (const SizedTime& point : points) {
    const double apart = at(line, point.size) / point.time - 1.0;
    sum += apart * apart;
  }
  return sum;
}

/// The line of least relative error; where that would go below zero, the better of a constant and
/// a line through the origin.
StartedLine fit_line(std::span<const SizedTime> points) {
  double xx = 0.0, xy = 0.0, yy = 0.0, x = 0.0, y = 0.0;
  for (const SizedTime& point : points) {
    const double a = 1.0 / point.time;
    const double b = point.size / point.time;
    xx += a * a;
    xy += a * b;
    yy += b * b;
    x += a;
    y += b;
  }
  const double determinant = xx * yy - xy * xy;
  if (determinant > 1e-12 * xx * yy) {
    const StartedLine line{.start = (x * yy - y * xy) / determinant,
                           .per_byte = (y * xx - x * xy) / determinant};
    if (line.start >= 0.0 && line.per_byte >= 0.0) return line;
  }
  const StartedLine constant{.start = x / xx, .per_byte = 0.0};
  const StartedLine proportional{.start = 0.0, .per_byte = y / yy};
  return relative_error(points, constant) < relative_error(points, proportional) ? constant
                                                                                 : proportional;
}

template <class Model>
double log_error(std::span<const SizedTime> points, const Model& model) {
  double sum = 0.0;
  for (const SizedTime& point : points) {
    const double apart = sim::log(model(point.size) / point.time);
    sum += apart * apart;
  }
  return sum;
}

}  // namespace

std::optional<TwoLines> fit_two_lines(std::span<const SizedTime> curve) {
  std::optional<TwoLines> best;
  for (std::size_t cut = points_min; cut + points_min <= curve.size(); ++cut) {
    const StartedLine low = fit_line(curve.first(cut));
    const StartedLine high = fit_line(curve.subspan(cut));
    if (!is_less(high.per_byte, low.per_byte) || !is_less(low.start, high.start)) continue;
    const auto lesser = [&](double size) { return std::min(at(low, size), at(high, size)); };
    const double error = log_error(curve, lesser);
    if (best && best->error <= error) continue;
    best = TwoLines{.low = low,
                    .high = high,
                    .crossing = (high.start - low.start) / (low.per_byte - high.per_byte),
                    .error = error};
  }
  if (best) {
    const StartedLine one = fit_line(curve);
    best->error_one = log_error(curve, [&](double size) { return at(one, size); });
  }
  return best;
}

}  // namespace cubicbench::results
