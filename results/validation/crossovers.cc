#include "results/validation/crossovers.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include "results/document/number_text.h"
#include "results/validation/two_lines.h"
#include "support/statistics/quantile.h"

namespace cubicbench::results {
namespace {

constexpr std::size_t sizes_min = 8;
constexpr double error_ratio_max = 0.5;
constexpr double cost_ratio_max = 2.0 / 3.0;

constexpr std::array<std::string_view, 3> between_pairs{"sendrecv", "send_recv",
                                                        "collective_permute"};

/// Times of one curve by size: a size that was measured more than once counts with its median.
struct Curve {
  const ValidatedRow* first = nullptr;
  std::map<double, std::vector<double>> measured, simulated;
};

bool counts(const ValidatedRow& row) {
  return row.kind == RowKind::collective && row.rel_error && row.size_bytes > 0.0 &&
         *row.step_time_simulated > 0.0 &&
         std::ranges::none_of(between_pairs, [&](std::string_view name) {
           return row.collective.starts_with(name);
         });
}

std::vector<Curve> curves_of(const Validation& validation) {
  std::vector<Curve> curves;
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> places;
  for (const ValidatedRow& row : validation.rows) {
    if (!counts(row)) continue;
    const auto [place, is_new] = places.emplace(
        std::pair<std::string_view, std::string_view>{row.source, row.group}, curves.size());
    if (is_new) curves.push_back({.first = &row, .measured = {}, .simulated = {}});
    Curve& curve = curves[place->second];
    curve.measured[row.size_bytes].push_back(*row.step_time_measured);
    curve.simulated[row.size_bytes].push_back(*row.step_time_simulated);
  }
  return curves;
}

std::vector<SizedTime> points_of(const std::map<double, std::vector<double>>& times) {
  std::vector<SizedTime> points;
  for (const auto& [size, of] : times) {
    points.push_back({.size = size, .time = support::median(of)});
  }
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

std::optional<double> factor_of(const Crossover& crossover) {
  if (!crossover.simulated) return std::nullopt;
  return std::max(crossover.measured / *crossover.simulated,
                  *crossover.simulated / crossover.measured);
}

std::vector<Crossover> crossovers_of(const Validation& validation) {
  std::vector<Crossover> crossovers;
  for (const Curve& curve : curves_of(validation)) {
    const std::vector<SizedTime> measured = points_of(curve.measured);
    if (measured.size() < sizes_min) continue;
    const auto lines = regimes_of(measured);
    if (!lines || !are_clear(*lines)) continue;
    const auto simulated = regimes_of(points_of(curve.simulated));
    crossovers.push_back(
        {.source = curve.first->source,
         .system = curve.first->system,
         .collective = curve.first->collective,
         .gpus = curve.first->gpus,
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

std::string mebibytes(double bytes) {
  constexpr double mebibyte = 0x1p20;
  const double size = bytes / mebibyte;
  return fixed(size, size < 0.995 ? 2 : size < 9.95 ? 1 : 0);
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

}  // namespace cubicbench::results
