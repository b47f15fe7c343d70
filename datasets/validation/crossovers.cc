#include "datasets/validation/crossovers.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include "sim/base/numeric.h"
#include "support/statistics/quantile.h"

namespace cubicbench::datasets {
namespace {

constexpr std::size_t sizes_min = 8;
constexpr double error_ratio_max = 0.5;
constexpr double cost_ratio_max = 2.0 / 3.0;

constexpr std::array<std::string_view, 3> between_pairs{"sendrecv", "send_recv",
                                                        "collective_permute"};

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

bool counts(const ValidatedRow& row) {
  return is_collective(row) && row.rel_error && row.size_bytes > 0.0 &&
         *row.step_time_simulated > 0.0 &&
         std::ranges::none_of(between_pairs, [&](std::string_view name) {
           return row.collective.starts_with(name);
         });
}

/// A size that was measured more than once counts with the median of its times.
std::vector<SizedTime> points_of(RowSpan curve, std::optional<double> ValidatedRow::*time) {
  std::map<double, std::vector<double>> times;
  for (const ValidatedRow* row : curve) times[row->size_bytes].push_back(*(row->*time));
  std::vector<SizedTime> points;
  for (const auto& [size, of] : times)
    points.push_back({.size = size, .time = support::median(of)});
  return points;
}

/// Lines that cross beyond all sizes describe one regime.
std::optional<TwoLines> regimes_of(const std::vector<SizedTime>& points) {
  const std::optional<TwoLines> lines = fit_two_lines(points);
  const bool among_sizes =
      lines && lines->crossing > points.front().size && lines->crossing < points.back().size;
  return among_sizes ? lines : std::nullopt;
}

bool are_clear(const TwoLines& lines) {
  return lines.error <= error_ratio_max * lines.error_one &&
         lines.high.per_byte <= cost_ratio_max * lines.low.per_byte;
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

std::optional<double> factor_of(const Crossover& crossover) {
  if (!crossover.simulated) return std::nullopt;
  return std::max(crossover.measured / *crossover.simulated,
                  *crossover.simulated / crossover.measured);
}

std::vector<Crossover> crossovers_of(const Validation& validation) {
  const std::vector<NamedRows> curves =
      rows_by(rows_where(all_rows(validation.rows), counts),
              [](const ValidatedRow& row) { return row.source + '\n' + row.group; });
  std::vector<Crossover> crossovers;
  for (const NamedRows& curve : curves) {
    const auto measured = points_of(curve.rows, &ValidatedRow::step_time_measured);
    if (measured.size() < sizes_min) continue;
    const auto lines = regimes_of(measured);
    if (!lines || !are_clear(*lines)) continue;
    const auto simulated = regimes_of(points_of(curve.rows, &ValidatedRow::step_time_simulated));
    const ValidatedRow& first = *curve.rows.front();
    crossovers.push_back(
        {.source = first.source,
         .system = first.system,
         .collective = first.collective,
         .gpus = first.gpus,
         .measured = lines->crossing,
         .simulated = simulated ? std::optional(simulated->crossing) : std::nullopt});
  }
  return crossovers;
}

std::vector<Crossover> worst_first(std::vector<Crossover> crossovers) {
  std::ranges::stable_sort(crossovers, std::greater{}, [](const Crossover& of) {
    return factor_of(of).value_or(std::numeric_limits<double>::infinity());
  });
  return crossovers;
}

CrossoverSummary summary_of(const std::vector<Crossover>& crossovers) {
  std::vector<double> factors;
  for (const Crossover& crossover : crossovers) {
    if (const auto factor = factor_of(crossover)) factors.push_back(*factor);
  }
  CrossoverSummary summary{.n = std::ssize(crossovers), .within = {}, .median_factor = {}};
  if (summary.n > 0) {
    const auto within =
        std::ranges::count_if(factors, [](double factor) { return factor <= crossover_factor; });
    summary.within = static_cast<double>(within) / static_cast<double>(summary.n);
  }
  summary.median_factor = support::median_if_any(std::move(factors));
  return summary;
}

}  // namespace cubicbench::datasets
