#include "datasets/families/baseline_rule.h"

#include <set>
#include <vector>

#include "datasets/exhaustive/best_found.h"
#include "scenarios/evaluation/evaluate.h"
#include "sim/memory/memory_report.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Configuration;
using scenarios::Reason;
using scenarios::SearchSpace;
using scenarios::TrueValue;

/// What is asked of the truth, and how often it was something new.
class Trials {
 public:
  explicit Trials(const scenarios::Instance& instance) : instance_(instance) {}

  /// What an expert would start from has room to spare: where more than a tenth of its launches run
  /// out of memory, it counts as one that does.
  TrueValue value(const Configuration& configuration) {
    tried_.insert(instance_.scenario().space.number_of(configuration));
    const TrueValue value = instance_.true_value(configuration, workspace_);
    if (value.reason != Reason::none || !launches_vary()) return value;
    sim::Plan plan;
    instance_.scenario().space.apply(configuration, plan);
    const sim::StepReport report = evaluate(instance_.scenario(), plan, workspace_);
    const bool roomy = sim::oom_probability(report.memory) <= oom_probability_max;
    return roomy ? value : TrueValue{.reason = Reason::oom_late, .value = 0.0};
  }

  std::int64_t count() const { return static_cast<std::int64_t>(tried_.size()); }

 private:
  static constexpr double oom_probability_max = 0.1;

  bool launches_vary() const { return instance_.scenario().truth.noise != "none"; }

  const scenarios::Instance& instance_;
  sim::Workspace workspace_;
  std::set<std::uint64_t> tried_;
};

void grow(const scenarios::Instance& instance, const scenarios::Setting& setting, Trials& trials,
          FoundBaseline& found) {
  const SearchSpace& space = instance.scenario().space;
  const int index = space.find(setting.name);
  if (index < 0) return;
  const auto parameter = static_cast<std::size_t>(index);
  if (found.configuration[parameter] == scenarios::inactive) return;
  const std::int64_t values = std::ssize(space.parameters()[parameter].values);
  for (std::int64_t value = found.configuration[parameter] + 1; value < values; ++value) {
    Configuration larger = found.configuration;
    larger[parameter] = value;
    space.canonicalise(larger);
    if (!space.satisfies(larger)) continue;
    const TrueValue got = trials.value(larger);
    const auto direction = instance.scenario().objective.direction;
    if (got.reason != Reason::none || !is_better(got.value, found.value, direction)) return;
    found.configuration = larger;
    found.value = got.value;
  }
}

}  // namespace

std::optional<FoundBaseline> baseline_by_rule(const scenarios::Ladder& ladder,
                                              const scenarios::Instance& instance) {
  const SearchSpace& space = instance.scenario().space;
  Trials trials(instance);
  std::optional<FoundBaseline> found;
  scenarios::climb(ladder, [&](const std::vector<scenarios::Assignment>& settings) {
    const scenarios::Placement placement = space.from_assignment(settings);
    if (!placement.in_space()) return false;
    const TrueValue got = trials.value(placement.configuration);
    if (got.reason != Reason::none) return false;
    found = {.configuration = placement.configuration, .value = got.value};
    return true;
  });
  if (!found) return found;
  for (const scenarios::Setting* const setting : ladder.grow) {
    grow(instance, *setting, trials, *found);
  }
  found->launches = trials.count();
  return found;
}

}  // namespace cubicbench::datasets
