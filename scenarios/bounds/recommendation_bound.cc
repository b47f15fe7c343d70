#include "scenarios/bounds/recommendation_bound.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "sim/truth/numeric.h"

namespace cubicbench::scenarios {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t open = -2;

/// Open halves that are worth looking at, of ten microseconds each.
constexpr std::size_t dense_most = 4096;
constexpr std::size_t tables_most = 8192;
/// Halves that are remembered, of about 300 bytes each.
constexpr std::size_t remembered_most = std::size_t{1} << 17;

/// Far beyond what some dozens of roundings lose.
constexpr double looseness = 1e-12;

/// Of a metric of energy, GPUs that draw the power of waiting all the time: none draws less.
constexpr sim::Seconds never_busy{};

/// Which side reads each parameter: the one whose key changes with its value.
std::vector<bool> parameters_that(const SearchSpace& space, auto changes) {
  std::vector<bool> are(space.size());
  for (std::size_t i = 0; i < space.size(); ++i) {
    const Parameter& parameter = space.parameters()[i];
    are[i] = std::ranges::any_of(parameter.values, [&](std::int64_t value) {
      sim::Plan plan = space.base();
      parameter.setting->apply(plan, value);
      return changes(plan);
    });
  }
  return are;
}

std::vector<bool> parameters_of_dense(const SearchSpace& space) {
  return parameters_that(space, [&](const sim::Plan& plan) {
    return sim::dense_key(plan) != sim::dense_key(space.base());
  });
}

std::vector<bool> parameters_of_tables(const SearchSpace& space) {
  return parameters_that(space, [&](const sim::Plan& plan) {
    return sim::table_key(plan, 0) != sim::table_key(space.base(), 0) ||
           sim::sharding_key(plan) != sim::sharding_key(space.base());
  });
}

std::vector<bool> without(std::vector<bool> some, const std::vector<bool>& others) {
  for (std::size_t i = 0; i < some.size(); ++i) some[i] = some[i] && !others[i];
  return some;
}

bool conditions_mix(const SearchSpace& space, const std::vector<bool>& dense,
                    const std::vector<bool>& tables) {
  for (std::size_t i = 0; i < space.size(); ++i) {
    for (const Condition& condition : space.parameters()[i].when) {
      const auto parent = static_cast<std::size_t>(condition.parameter);
      if ((dense[i] && !dense[parent]) || (tables[i] && !tables[parent])) return true;
    }
  }
  return false;
}

/// Adds `half` unless one of `best` is no worse, and takes out those that it is no worse than.
template <typename Half>
void add_if_best(const Half& half, std::vector<Half>& best) {
  for (const Half& other : best) {
    if (no_worse(other, half)) return;
  }
  std::erase_if(best, [&](const Half& other) { return no_worse(half, other); });
  best.push_back(half);
}

/// What nothing hides of a half, whatever it is joined with.
sim::Seconds bare_time(const sim::DenseHalf& half) { return shortest_step(half.time, {}); }
sim::Seconds bare_time(const sim::TableHalf& half) { return shortest_step({}, half.time); }

double loosened(double value, Direction direction) {
  return value * (direction == Direction::maximize ? 1.0 + looseness : 1.0 - looseness);
}

}  // namespace

RecommendationBound::RecommendationBound(const Instance& instance, const sim::Recommendation& model)
    : instance_(instance),
      space_(instance.scenario().space),
      steps_(model, instance.scenario().cluster, instance.scenario().stack),
      plan_(space_),
      of_dense_(parameters_of_dense(space_)),
      of_tables_(parameters_of_tables(space_)),
      shared_(without(of_dense_, without(of_dense_, of_tables_))),
      sides_mix_(conditions_mix(space_, of_dense_, of_tables_)),
      open_dense_(space_, of_dense_, std::vector<bool>(space_.size())),
      open_tables_(space_, without(of_tables_, of_dense_), shared_) {}

double RecommendationBound::upper_bound(std::span<const std::int64_t> configuration,
                                        std::size_t decided, double reached) {
  const Direction direction = instance_.scenario().objective.direction;
  const bool maximises = direction == Direction::maximize;
  const double unknown = maximises ? infinity : -infinity;
  double best = -unknown;
  reached_ = reached;
  if (remembered_ > remembered_most) {
    groups_.clear();
    tables_.clear();
    remembered_ = 0;
  }
  const Groups& groups = groups_of(configuration, decided);
  if (!groups) return unknown;
  for (const DenseGroup& dense : *groups) {
    const sim::Seconds longest = longest_step(dense.plan);
    if (dense.least > longest) continue;  // made for a value that is reached by more
    const Tables& tables = tables_of(dense, longest - dense.least, configuration, decided);
    if (!tables) return unknown;
    for (const TableGroup& one : *tables) {
      const std::optional<double> value = best_of(dense, one, longest);
      if (value) best = maximises ? std::max(best, *value) : std::min(best, *value);
    }
  }
  return best == -unknown ? best : loosened(best, direction);
}

std::optional<double> RecommendationBound::best_of(const DenseGroup& dense,
                                                   const TableGroup& tables, sim::Seconds longest) {
  Configuration both = dense.configuration;
  for (std::size_t i = 0; i < both.size(); ++i) {
    if (!of_dense_[i]) both[i] = tables.configuration[i];
  }
  const sim::Plan& plan = plan_.of(both);
  if (instance_.divergence(plan)) return std::nullopt;
  const std::optional<sim::Seconds> step = shortest(dense, tables, longest);
  if (!step) return std::nullopt;
  const TrueValue value = instance_.true_value(plan, sim::StepStatus::ok, *step, never_busy);
  return value.reason == Reason::none ? std::optional(value.value) : std::nullopt;
}

const RecommendationBound::Groups& RecommendationBound::groups_of(
    std::span<const std::int64_t> configuration, std::size_t decided) {
  Prefix prefix(space_.size(), open);
  for (std::size_t i = 0; i < decided; ++i) {
    if (of_dense_[i] || sides_mix_) prefix[i] = configuration[i];
  }
  const auto known = groups_.find(prefix);
  if (known != groups_.end() && !is_worse(reached_, known->second.reached)) {
    return known->second.groups;
  }
  Groups made = make_groups(configuration, decided);
  if (made) {
    for (const DenseGroup& group : *made) remembered_ += 2 + group.halves.size();
  }
  KnownGroups& kept = groups_[std::move(prefix)];
  kept = {.reached = reached_, .groups = std::move(made)};
  return kept.groups;
}

bool RecommendationBound::is_worse(double a, double b) const {
  return instance_.scenario().objective.direction == Direction::maximize ? a < b : a > b;
}

/// Every objective is proportional to the step, or to one over it, where GPUs are never busy.
sim::Seconds RecommendationBound::longest_step(const sim::Plan& plan) const {
  constexpr sim::Seconds brief{1e-6};  // ends before any deadline that can be met
  if (std::isinf(reached_)) return sim::Seconds{infinity};
  const TrueValue value = instance_.true_value(plan, sim::StepStatus::ok, brief, never_busy);
  if (value.reason != Reason::none) return sim::Seconds{infinity};
  const bool maximises = instance_.scenario().objective.direction == Direction::maximize;
  const double times = maximises ? value.value / reached_ : reached_ / value.value;
  return (1.0 + 1e3 * looseness) * times * brief;
}

RecommendationBound::Groups RecommendationBound::make_groups(
    std::span<const std::int64_t> configuration, std::size_t decided) {
  Configuration some(space_.size(), inactive);
  std::copy_n(configuration.begin(), decided, some.begin());
  std::vector<DenseGroup> groups;
  if (!open_dense_.each(some, decided, dense_most, [] {})) return std::nullopt;
  open_dense_.each(some, decided, dense_most, [&] { add_dense(some, groups); });
  return groups;
}

std::uint32_t RecommendationBound::recipe_of(const sim::Plan& plan) const {
  return instance_.scenario().truth.numeric == "none" ? 0 : sim::precision_recipe(plan);
}

void RecommendationBound::add_dense(const Configuration& configuration,
                                    std::vector<DenseGroup>& groups) {
  const sim::Plan& plan = plan_.of(configuration);
  const sim::DenseHalf& half = steps_.dense_half(plan);
  if (!half.valid || bare_time(half) > longest_step(plan)) return;
  const std::uint32_t recipe = recipe_of(plan);
  const auto found = std::ranges::find_if(groups, [&](const DenseGroup& group) {
    return group.halves.front().resident == half.resident && group.recipe == recipe &&
           group.plan.dtype == plan.dtype && group.plan.batch_per_gpu == plan.batch_per_gpu &&
           group.plan.param_dtype == plan.param_dtype;
  });
  if (found == groups.end()) {
    groups.push_back({{.configuration = configuration, .recipe = recipe, .halves = {half}},
                      plan,
                      bare_time(half)});
  } else {
    found->least = min(found->least, bare_time(half));
    add_if_best(half, found->halves);
  }
}

const RecommendationBound::Tables& RecommendationBound::tables_of(
    const DenseGroup& group, sim::Seconds longest, std::span<const std::int64_t> configuration,
    std::size_t decided) {
  Prefix prefix(space_.size() + 1, open);
  for (std::size_t i = 0; i < space_.size(); ++i) {
    if (shared_[i]) {
      prefix[i] = group.configuration[i];
    } else if (i < decided && (of_tables_[i] || sides_mix_)) {
      prefix[i] = configuration[i];
    }
  }
  prefix.back() = std::bit_cast<std::int64_t>(group.halves.front().resident.value);
  const auto known = tables_.find(prefix);
  if (known != tables_.end() && longest <= known->second.longest) return known->second.tables;
  Tables made = make_tables(group, longest, configuration, decided);
  if (made) {
    for (const TableGroup& tables : *made) remembered_ += 1 + tables.halves.size();
  }
  KnownTables& kept = tables_[std::move(prefix)];
  kept = {.longest = longest, .tables = std::move(made)};
  return kept.tables;
}

RecommendationBound::Tables RecommendationBound::make_tables(
    const DenseGroup& group, sim::Seconds longest, std::span<const std::int64_t> configuration,
    std::size_t decided) {
  Configuration some = group.configuration;
  for (std::size_t i = 0; i < decided; ++i) {
    if (!of_dense_[i]) some[i] = configuration[i];
  }
  std::vector<TableGroup> groups;
  if (!open_tables_.each(some, decided, tables_most, [] {})) return std::nullopt;
  open_tables_.each(some, decided, tables_most,
                    [&] { add_tables(some, group.halves.front().resident, longest, groups); });
  return groups;
}

void RecommendationBound::add_tables(const Configuration& configuration, sim::Bytes resident,
                                     sim::Seconds longest, std::vector<TableGroup>& groups) {
  const sim::Plan& plan = plan_.of(configuration);
  const sim::TableHalf& half = steps_.table_half(plan, resident);
  if (!half.valid || bare_time(half) > longest) return;
  const std::uint32_t recipe = recipe_of(plan);
  const auto found =
      std::ranges::find_if(groups, [&](const TableGroup& one) { return one.recipe == recipe; });
  if (found == groups.end()) {
    groups.push_back({.configuration = configuration, .recipe = recipe, .halves = {half}});
  } else {
    add_if_best(half, found->halves);
  }
}

std::optional<sim::Seconds> RecommendationBound::shortest(const DenseGroup& dense,
                                                          const TableGroup& tables,
                                                          sim::Seconds longest) const {
  sim::Seconds least = longest;
  bool is_reached = false;
  for (const sim::DenseHalf& one : dense.halves) {
    for (const sim::TableHalf& other : tables.halves) {
      if (shortest_step(one.time, other.time) >= least) continue;
      const sim::StepVerdict verdict = steps_.join(one, other);
      if (verdict.status != sim::StepStatus::ok || verdict.step >= least) continue;
      least = verdict.step;
      is_reached = true;
    }
  }
  return is_reached ? std::optional(least) : std::nullopt;
}

}  // namespace cubicbench::scenarios
