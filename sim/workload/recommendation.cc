#include "sim/workload/recommendation.h"

#include <algorithm>
#include <cmath>

#include "sim/base/numeric.h"
#include "sim/workload/arch_work.h"

namespace cubicbench::sim {
namespace {

template <typename Term>
auto over_groups(const Recommendation& model, Term term) {
  decltype(term(TableGroup{})) sum{};
  for (const TableGroup& group : model.tables) sum += term(group);
  return sum;
}

template <typename Term>
double over_archs(const Recommendation& model, Term term) {
  double sum = 0.0;
  for (std::size_t i = 0; i < module_group_count; ++i) {
    sum += term(arch_work(model, static_cast<ModuleGroup>(i)));
  }
  return sum;
}

constexpr double first = 0.5;
constexpr double log_first = -0.69314718055994530942;

/// Exponents nearer to a singularity take the limit.
constexpr double singular = 1e-4;

/// Integral of x^-s from `low` to `high`, given their logarithms.
double power_integral(double s, double log_low, double log_high) {
  const double e = 1.0 - s;
  const double span = e * (log_high - log_low);
  if (std::fabs(span) < 1e-6) return exp(e * log_low) * (log_high - log_low) * (1.0 + 0.5 * span);
  return (exp(e * log_high) - exp(e * log_low)) / e;
}

/// Sum of k^-s over k = 1 to `count`: the first terms one by one, the others as an integral.
double power_sum(double s, double count) {
  constexpr double one_by_one = 32.0;
  double sum = 0.0;
  for (double k = 1.0; k <= std::min(count, one_by_one); k += 1.0) sum += exp(-s * log(k));
  if (count <= one_by_one) return sum;
  return sum + power_integral(s, log(one_by_one + first), log(count + first));
}

bool is_hstu(const Recommendation& model) {
  return model.sequence && model.sequence->kind == SequenceLayer::hstu;
}

constexpr double quadratic = 0.37;  // makes both branches 0.63 = 1 - 1/e at u = 1

/// Powers that a table's sums share.
struct Powers {
  double first_a = 1.0;  ///< (1/2)^a
  double last_a = 1.0;   ///< (N + 1/2)^a
  double mass = 1.0;     ///< integral of x^-a
};

Powers powers_of(const RowAccess& access) {
  const double a = access.skew;
  const double last = access.rows + first;
  const double high = log(last);
  Powers powers{.first_a = exp(a * log_first), .last_a = exp(a * high)};
  powers.mass = std::fabs(1.0 - a) < singular
                    ? power_integral(a, log_first, high)
                    : (last / powers.last_a - first / powers.first_a) / (1.0 - a);
  return powers;
}

/// Integral of factor x^(e - 1) from `x` to the last row, given x times the integrand at both ends.
double integral_of_u(double e, double at_begin, double at_end, double factor,
                     const RowAccess& access, double x) {
  if (std::fabs(e) < singular) {
    return factor * power_integral(1.0 - e, log(x), log(access.rows + first));
  }
  return (at_end - at_begin) / e;
}

}  // namespace

std::int64_t output_width(const Arch& arch) {
  const auto* const mlp = std::get_if<Mlp>(&arch);
  return mlp != nullptr ? mlp->widths.back() : std::get<ResidualArch>(arch).width;
}

std::int64_t table_count(const Recommendation& model) {
  return over_groups(model, [](const TableGroup& g) { return g.tables; });
}

double ids_per_sample(const Recommendation& model) {
  return over_groups(model,
                     [](const TableGroup& g) { return static_cast<double>(g.tables) * g.pooling; });
}

std::int64_t pooled_width(const Recommendation& model) {
  return over_groups(model, [](const TableGroup& g) { return g.pooled ? g.tables * g.dim : 0; });
}

double table_parameters(const Recommendation& model) {
  return over_groups(model, [](const TableGroup& g) {
    return static_cast<double>(g.tables) * static_cast<double>(g.rows) * static_cast<double>(g.dim);
  });
}

double exchanged_width(const Recommendation& model) {
  return over_groups(model, [](const TableGroup& g) {
    return static_cast<double>(g.tables * g.dim) * (g.pooled ? 1.0 : g.pooling);
  });
}

std::int64_t sequence_tokens(const Recommendation& model) {
  double longest = 0.0;
  double all = 0.0;
  for (const TableGroup& group : model.tables) {
    if (group.pooled) continue;
    longest = std::max(longest, std::ceil(group.pooling));
    all += static_cast<double>(group.tables) * group.pooling;
  }
  return static_cast<std::int64_t>(is_hstu(model) ? std::ceil(all) : longest);
}

std::int64_t token_width(const Recommendation& model) {
  if (!is_hstu(model)) {
    return over_groups(model, [](const TableGroup& g) { return g.pooled ? 0 : g.tables * g.dim; });
  }
  std::int64_t width = 0;
  for (const TableGroup& group : model.tables) {
    if (!group.pooled) width = std::max(width, group.dim);
  }
  return width;
}

double length_moment(const Recommendation& model, int power) {
  const double mean = static_cast<double>(sequence_tokens(model));
  const double longest = model.sequence ? static_cast<double>(model.sequence->lengths.max) : 0.0;
  if (longest <= mean) return 1.0;
  const double c = mean / (longest - mean);
  double moment = c / (c + static_cast<double>(power));
  for (int i = 0; i < power; ++i) moment *= longest / mean;
  return moment;
}

double lengths_together(const Recommendation& model) {
  if (!model.sequence || model.sequence->lengths.skew <= 0.0) return 0.0;
  const HistoryLengths& lengths = model.sequence->lengths;
  const double count = static_cast<double>(std::max<std::int64_t>(1, lengths.max));
  const double once = power_sum(lengths.skew, count);
  return power_sum(2.0 * lengths.skew, count) / (once * once);
}

std::int64_t feature_count(const Recommendation& model) {
  return over_groups(model, [](const TableGroup& g) { return g.pooled ? g.tables : 0; }) + 1 +
         (model.sequence ? 1 : 0);
}

std::int64_t feature_width(const Recommendation& model) {
  return pooled_width(model) + output_width(model.dense) +
         (model.sequence ? model.sequence->width : 0);
}

std::int64_t over_inputs(const Recommendation& model) {
  if (std::holds_alternative<DotInteraction>(model.interaction)) {
    const std::int64_t n = feature_count(model);
    return n * (n - 1) / 2 + output_width(model.dense);
  }
  if (const auto* const stacked = std::get_if<StackedInteraction>(&model.interaction)) {
    return stacked->features * stacked->dim;
  }
  return feature_width(model);
}

double dense_parameters(const Recommendation& model) { return over_archs(model, parameters_of); }

double mfu_flops_per_sample(const Recommendation& model) {
  return 3.0 * over_archs(model, forward_flops);
}

double hit_share(const RowAccess& access, double cached) {
  if (cached <= 0.0) return 0.0;
  if (cached >= access.rows) return 1.0;
  return power_integral(access.skew, log_first, log(cached + first)) /
         power_integral(access.skew, log_first, log(access.rows + first));
}

double distinct_rows(const RowAccess& access, double draws) {
  const double n = access.rows;
  const double a = access.skew;
  if (a < 1e-3) return std::min({n * (1.0 - exp(-draws / n)), draws, n});
  const Powers powers = powers_of(access);
  const double mass = powers.mass;
  const double scale = draws / mass;
  // Up to x* a row is asked for at least once: u = scale x^-a = 1.
  const double x = std::clamp(exp(log(scale) / a), first, n + first);
  const bool some_above = x > first;
  const bool some_below = x < n + first;
  double rows = 0.0;
  if (some_above) {  // 1 - 0.37 u^-2
    const double u_end = some_below ? 1.0 : scale / powers.last_a;
    const double u_first = scale / powers.first_a;
    const double e = 1.0 + 2.0 * a;
    rows += x - first - quadratic / e * (x / (u_end * u_end) - first / (u_first * u_first));
  }
  if (some_below) {  // u - 0.37 u^2
    const double u_last = scale / powers.last_a;
    const double u_begin = some_above ? 1.0 : scale / powers.first_a;
    rows += integral_of_u(1.0 - a, x * u_begin, (n + first) * u_last, scale, access, x);
    rows -= quadratic * integral_of_u(1.0 - 2.0 * a, x * u_begin * u_begin,
                                      (n + first) * u_last * u_last, scale * scale, access, x);
  }
  return std::clamp(rows, 0.0, std::min(draws, n));
}

}  // namespace cubicbench::sim
