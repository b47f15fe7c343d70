#include "scenarios/readers/objective_reader.h"

#include <cstddef>
#include <nlohmann/json.hpp>

#include "support/json/filled_string.h"

namespace cubicbench::scenarios {
namespace {

constexpr double tokens_max = 1e18;
constexpr double days_min = 0.001;
constexpr double days_max = 36'500.0;

std::optional<Deadline> read_deadline(support::ObjectReader& in) {
  auto deadline = in.optional_object("deadline");
  if (!deadline) return std::nullopt;
  const Deadline read{.tokens = deadline->number("tokens", 1.0, tokens_max),
                      .days = deadline->number("days", days_min, days_max)};
  deadline->finish();
  return read;
}

Objective read_column(support::ObjectReader& in) {
  Objective objective{.metric = Metric::column};
  objective.column = support::filled_string(in, "column", "a column of the table");
  objective.direction = static_cast<Direction>(in.one_of("direction", direction_names));
  return objective;
}

}  // namespace

Objective read_objective(support::ObjectReader& in, const std::optional<Objective>& otherwise) {
  if (in.has("column")) return read_column(in);
  std::optional<std::size_t> metric;
  std::optional<double> percentile;
  std::optional<std::size_t> natural;
  if (otherwise) {
    metric = static_cast<std::size_t>(otherwise->metric);
    percentile = otherwise->percentile;
  }
  Objective objective;
  objective.metric = static_cast<Metric>(in.one_of("metric", metric_names, metric));
  objective.percentile = in.number("percentile", 0.1, 99.9, percentile);
  if (otherwise) natural = objective.metric == Metric::step_time_s ? 0 : 1;
  objective.direction = static_cast<Direction>(in.one_of("direction", direction_names, natural));
  objective.deadline = read_deadline(in);
  return objective;
}

nlohmann::ordered_json objective_json(const Objective& objective) {
  if (objective.metric == Metric::column) {
    return {{"column", objective.column}, {"direction", name_of(objective.direction)}};
  }
  nlohmann::ordered_json document{{"metric", name_of(objective)},
                                  {"percentile", objective.percentile},
                                  {"direction", name_of(objective.direction)}};
  // It came later: without it, problems keep the names that they had.
  if (objective.deadline) {
    document["deadline"] = {{"tokens", objective.deadline->tokens},
                            {"days", objective.deadline->days}};
  }
  return document;
}

}  // namespace cubicbench::scenarios
