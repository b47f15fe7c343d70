#include "sim/workload/table_set.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/check.h"
#include "sim/base/numeric.h"
#include "sim/base/philox.h"
#include "sim/base/units.h"

namespace cubicbench::sim {
namespace {

constexpr double skew_min = 0.0;
constexpr std::int64_t tables_a_single_id_table = 100;
/// Of dims with the logarithm of rows: larger tables mostly have longer rows.
constexpr double dim_correlation = 0.8;

enum class Drawn : std::uint32_t { rows, pooling, dim };

double drawn(const TableSetStatistics& s, std::size_t table, Drawn what) {
  return standard_normal({.seed = s.seed,
                          .purpose = Purpose::tables,
                          .entity = table,
                          .draw = static_cast<std::uint32_t>(what)});
}

/// One table, before tables are joined.
struct Table {
  double rows_deviation = 0.0;  ///< standard normal, as the next
  double pooling_deviation = 0.0;
  double rows = 0.0;
  double pooling = 0.0;
  std::int64_t dim = 0;
  bool pooled = true;
};

/// Where an increasing function of one number reaches `target`: the nearest double below.
template <typename Function>
double solve(double low, double high, double target, Function increasing) {
  constexpr int halvings = 100;
  for (int i = 0; i < halvings; ++i) {
    const double middle = 0.5 * (low + high);
    (increasing(middle) > target ? high : low) = middle;
  }
  return low;
}

double size_of(const SizeSpread& spread, double mean_log, double deviation) {
  return std::clamp(exp(mean_log + spread.sigma * deviation), spread.min, spread.max);
}

/// The mean logarithm with which sizes add up to `total`.
template <typename Sum>
double mean_log_of(const SizeSpread& spread, double total, Sum sum) {
  constexpr double deviation_max = 12.3;  // of any normal draw
  const double reach = spread.sigma * deviation_max;
  return solve(log(spread.min) - reach, log(spread.max) + reach, total, sum);
}

/// The dim of the i-th of all tables in the order of their dims.
std::int64_t dim_at(std::span<const std::int64_t> sorted, std::int64_t i, std::int64_t tables) {
  const auto n = static_cast<std::int64_t>(sorted.size());
  return sorted[static_cast<std::size_t>(i * n / tables)];
}

std::vector<std::int64_t> sorted_dims(const TableSetStatistics& s) {
  std::vector<std::int64_t> dims = s.dims;
  std::ranges::sort(dims);
  return dims;
}

std::int64_t single_id_tables(const TableSetStatistics& s) {
  return (s.tables + tables_a_single_id_table - 1) / tables_a_single_id_table;
}

void draw_dims(const TableSetStatistics& s, std::vector<Table>& tables) {
  struct Place {
    double score;
    std::size_t table;
  };
  const double rest = std::sqrt(1.0 - dim_correlation * dim_correlation);
  std::vector<Place> places;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const double own = drawn(s, i, Drawn::dim);
    places.push_back({dim_correlation * tables[i].rows_deviation + rest * own, i});
  }
  std::ranges::stable_sort(places, {}, &Place::score);
  const std::vector<std::int64_t> dims = sorted_dims(s);
  for (std::size_t i = 0; i < places.size(); ++i) {
    tables[places[i].table].dim = dim_at(dims, static_cast<std::int64_t>(i), s.tables);
  }
}

void scale_rows(const TableSetStatistics& s, std::vector<Table>& tables) {
  const double mean_log = mean_log_of(s.rows, s.parameters, [&](double mu) {
    double sum = 0.0;
    for (const Table& t : tables) sum += size_of(s.rows, mu, t.rows_deviation) * real(t.dim);
    return sum;
  });
  for (Table& t : tables) t.rows = size_of(s.rows, mean_log, t.rows_deviation);
}

/// Requires tables sorted by rows, the largest first.
void scale_pooling(const TableSetStatistics& s, std::vector<Table>& tables) {
  const auto single = static_cast<std::size_t>(single_id_tables(s));
  const double mean_log = mean_log_of(s.pooling, s.ids_per_sample, [&](double mu) {
    double sum = s.pooling.min * static_cast<double>(single);
    for (std::size_t i = single; i < tables.size(); ++i) {
      sum += size_of(s.pooling, mu, tables[i].pooling_deviation);
    }
    return sum;
  });
  for (std::size_t i = 0; i < tables.size(); ++i) {
    tables[i].pooling =
        i < single ? s.pooling.min : size_of(s.pooling, mean_log, tables[i].pooling_deviation);
  }
}

std::vector<Table> draw_tables(const TableSetStatistics& s) {
  std::vector<Table> tables(static_cast<std::size_t>(s.tables));
  for (std::size_t i = 0; i < tables.size(); ++i) {
    tables[i].rows_deviation = drawn(s, i, Drawn::rows);
    tables[i].pooling_deviation = drawn(s, i, Drawn::pooling);
  }
  draw_dims(s, tables);
  scale_rows(s, tables);
  std::ranges::stable_sort(tables, std::ranges::greater(), &Table::rows);
  scale_pooling(s, tables);
  std::ranges::stable_sort(tables, std::ranges::greater(), &Table::pooling);
  for (std::size_t i = 0; i < static_cast<std::size_t>(s.unpooled); ++i) tables[i].pooled = false;
  return tables;
}

/// Neighbours that become one shape.
struct Joined {
  double tables = 0.0;
  double rows = 0.0;     ///< of all
  double pooling = 0.0;  ///< of all
  double scale = 0.0;    ///< mean of rows^(1/2): between the number and its order of magnitude
  std::int64_t dim = 0;
  bool pooled = true;
};

/// How much the squared deviations of scales grow when two are joined [Ward's criterion];
/// infinite where their shapes must differ.
double cost_of_joining(const Joined& a, const Joined& b) {
  if (a.dim != b.dim || a.pooled != b.pooled) return std::numeric_limits<double>::infinity();
  const double apart = a.scale - b.scale;
  return a.tables * b.tables / (a.tables + b.tables) * apart * apart;
}

Joined joined(const Joined& a, const Joined& b) {
  const double tables = a.tables + b.tables;
  return {.tables = tables,
          .rows = a.rows + b.rows,
          .pooling = a.pooling + b.pooling,
          .scale = (a.tables * a.scale + b.tables * b.scale) / tables,
          .dim = a.dim,
          .pooled = a.pooled};
}

/// Joins the two nearest neighbours until no more than `groups` are left, or none can be joined.
void join_down_to(std::size_t groups, std::vector<Joined>& list) {
  while (list.size() > groups) {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i + 1 < list.size(); ++i) {
      const double cost = cost_of_joining(list[i], list[i + 1]);
      if (cost < least) {
        least = cost;
        best = i;
      }
    }
    if (std::isinf(least)) return;
    list[best] = joined(list[best], list[best + 1]);
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  }
}

std::vector<Joined> neighbours(std::vector<Table> tables) {
  std::ranges::stable_sort(tables, [](const Table& a, const Table& b) {
    if (a.pooled != b.pooled) return a.pooled;
    return a.dim != b.dim ? a.dim > b.dim : a.rows > b.rows;
  });
  std::vector<Joined> list;
  for (const Table& t : tables) {
    list.push_back({.tables = 1.0,
                    .rows = t.rows,
                    .pooling = t.pooling,
                    .scale = std::sqrt(t.rows),
                    .dim = t.dim,
                    .pooled = t.pooled});
  }
  return list;
}

TableGroup group_of(const Joined& list, std::int64_t element_bytes) {
  return {.tables = static_cast<std::int64_t>(list.tables),
          .rows = static_cast<std::int64_t>(std::round(list.rows / list.tables)),
          .dim = list.dim,
          .pooling = list.pooling / list.tables,
          .element_bytes = element_bytes,
          .pooled = list.pooled};
}

void set_skew(std::span<TableGroup> groups, double skew) {
  for (TableGroup& group : groups) group.skew = skew;
}

double reuse_with(std::vector<TableGroup>& groups, double batch, double skew) {
  set_skew(groups, skew);
  return mean_reuse(groups, batch);
}

double skew_of(std::vector<TableGroup> groups, const RowReuse& reuse) {
  return solve(skew_min, skew_max, reuse.mean,
               [&](double skew) { return reuse_with(groups, reuse.batch, skew); });
}

}  // namespace

Range parameters_range(const TableSetStatistics& s) {
  const std::vector<std::int64_t> dims = sorted_dims(s);
  double width = 0.0;
  for (std::int64_t i = 0; i < s.tables; ++i) width += real(dim_at(dims, i, s.tables));
  return {.min = width * s.rows.min, .max = width * s.rows.max};
}

Range ids_per_sample_range(const TableSetStatistics& s) {
  const double single = real(single_id_tables(s));
  return {.min = s.pooling.min * real(s.tables),
          .max = s.pooling.min * single + s.pooling.max * (real(s.tables) - single)};
}

std::vector<TableGroup> table_set(const TableSetStatistics& s) {
  SIM_ASSERT(!s.dims.empty(), s.tables);
  SIM_ASSERT(s.unpooled <= s.tables, s.unpooled, s.tables);
  std::vector<Joined> list = neighbours(draw_tables(s));
  join_down_to(s.groups, list);
  std::vector<TableGroup> groups;
  for (const Joined& one : list) groups.push_back(group_of(one, s.element_bytes));
  set_skew(groups, s.reuse ? skew_of(groups, *s.reuse) : s.skew);
  return groups;
}

double mean_reuse(std::span<const TableGroup> groups, double batch) {
  double ids = 0.0;
  double distinct = 0.0;
  for (const TableGroup& group : groups) {
    const double draws = group.pooling * batch;
    ids += real(group.tables) * draws;
    distinct +=
        real(group.tables) * distinct_rows({.rows = real(group.rows), .skew = group.skew}, draws);
  }
  return ids / distinct;
}

Range mean_reuse_range(std::span<const TableGroup> groups, double batch) {
  std::vector<TableGroup> copies(groups.begin(), groups.end());
  return {.min = reuse_with(copies, batch, skew_min), .max = reuse_with(copies, batch, skew_max)};
}

}  // namespace cubicbench::sim
