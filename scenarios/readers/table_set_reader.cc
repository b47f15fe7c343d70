#include "scenarios/readers/table_set_reader.h"

#include <array>
#include <cmath>
#include <string>

#include "sim/workload/table_set.h"
#include "support/json/canonical.h"

namespace cubicbench::scenarios {
namespace {

constexpr std::int64_t tables_max = 4096;  // joining them takes the square of it
constexpr std::size_t dims_max = 16;
constexpr double parameters_max = 1e15;
constexpr double sigma_max = 5.0;
constexpr double batch_max = 1e9;
constexpr double reuse_max = 1e6;
constexpr double reuse_tolerance = 0.01;

constexpr std::array<std::string_view, 3> embedding_dtypes{"fp32", "fp16", "bf16"};
constexpr std::array<std::int64_t, embedding_dtypes.size()> bytes_of{4, 2, 2};

std::vector<std::int64_t> read_dims(support::ObjectReader& in) {
  const std::size_t before = in.problems().size();
  const std::vector<support::ValueReader> elements = in.array("dims");
  std::vector<std::int64_t> dims;
  if (in.problems().size() == before && (elements.empty() || elements.size() > dims_max)) {
    in.problem("dims", "expected 1 to " + std::to_string(dims_max) + " widths, got " +
                           std::to_string(elements.size()));
    return dims;
  }
  for (const support::ValueReader& element : elements) dims.push_back(element.integer(1, dim_max));
  return dims;
}

void read_spread(support::ObjectReader& in, std::string_view key, double max,
                 sim::SizeSpread& spread) {
  auto given = in.optional_object(key);
  if (!given) return;
  spread.sigma = given->number("sigma", 0.0, sigma_max, spread.sigma);
  spread.max = given->number("max", spread.min, max, spread.max);
  given->finish();
}

void read_accesses(support::ObjectReader& in, sim::TableSetStatistics& statistics) {
  if (in.has("reuse") && in.has("skew")) {
    in.problem("skew", "expected no skew: it follows from " + in.pointer() + "/reuse");
  }
  statistics.skew = in.number("skew", 0.0, sim::skew_max, 0.0);
  if (auto reuse = in.optional_object("reuse")) {
    statistics.reuse = {.batch = reuse->number("batch", 1.0, batch_max),
                        .mean = reuse->number("mean", 1.0, reuse_max)};
    reuse->finish();
  }
}

void check_range(support::ObjectReader& in, std::string_view key, double value,
                 const sim::Range& range) {
  if (value >= range.min && value <= range.max) return;
  in.problem(key, "expected " + support::expected_number(range.min, range.max) +
                      " with these tables, got " + support::shortest(value));
}

/// Four digits say enough of a reuse.
std::string rounded(double value) {
  constexpr double places = 1e3;
  return support::shortest(std::round(value * places) / places);
}

void check_reuse(support::ObjectReader& in, const sim::RowReuse& reuse,
                 const std::vector<sim::TableGroup>& groups) {
  const double reached = sim::mean_reuse(groups, reuse.batch);
  if (std::fabs(reached - reuse.mean) <= reuse_tolerance * reuse.mean) return;
  const sim::Range range = sim::mean_reuse_range(groups, reuse.batch);
  in.problem("reuse", "expected a mean from " + rounded(range.min) +
                          ", where all rows are alike, to " + rounded(range.max) + ", got " +
                          support::shortest(reuse.mean));
}

}  // namespace

std::int64_t read_element_bytes(support::ObjectReader& in) {
  const std::size_t choice = in.one_of("dtype", embedding_dtypes, embedding_dtypes.size());
  return choice < embedding_dtypes.size() ? bytes_of[choice] : 0;
}

std::vector<sim::TableGroup> read_table_set(support::ObjectReader in) {
  const std::size_t before = in.problems().size();
  constexpr auto seeds_max = std::int64_t{1} << 53;
  sim::TableSetStatistics s;
  s.seed = static_cast<std::uint64_t>(in.integer("seed", 0, seeds_max));
  s.tables = in.integer("tables", 1, tables_max);
  s.parameters = in.number("parameters", 1.0, parameters_max);
  s.ids_per_sample = in.number("ids_per_sample", 1.0, pooling_max * tables_max);
  s.dims = read_dims(in);
  s.groups = static_cast<std::size_t>(
      in.integer("groups", 1, sim::table_groups_max, static_cast<std::int64_t>(s.groups)));
  read_spread(in, "rows", static_cast<double>(table_rows_max), s.rows);
  read_spread(in, "pooling", pooling_max, s.pooling);
  s.unpooled = in.integer("unpooled", 0, s.tables, 0);
  read_accesses(in, s);
  s.element_bytes = read_element_bytes(in);
  in.finish();
  if (in.problems().size() > before) return {};
  check_range(in, "parameters", s.parameters, sim::parameters_range(s));
  check_range(in, "ids_per_sample", s.ids_per_sample, sim::ids_per_sample_range(s));
  if (in.problems().size() > before) return {};
  std::vector<sim::TableGroup> groups = sim::table_set(s);
  if (s.reuse) check_reuse(in, *s.reuse, groups);
  return groups;
}

}  // namespace cubicbench::scenarios
