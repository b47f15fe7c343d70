#include "datasets/exhaustive/branch_and_bound.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "datasets/exhaustive/kept_workers.h"
#include "datasets/exhaustive/part_scout.h"
#include "scenarios/bounds/value_bound.h"
#include "scenarios/space/space_tree.h"
#include "scenarios/truth/true_values.h"
#include "sim/base/check.h"
#include "support/parallel.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Configuration;
using scenarios::Instance;
using scenarios::Reason;
using scenarios::SpaceTree;

/// Parts of one round. Part of what `--limit` means: a published count depends on it.
constexpr std::size_t parts_of_a_round = 64;
/// Values and bounds that a part may take in a round.
constexpr std::uint64_t effort_of_a_part = 4096;
/// Bounds that may be spent, once the limit is reached, on how good the rest can be.
constexpr std::uint64_t effort_after_the_limit = 200'000;

/// The search: what is known, what is open, and what that comes to.
class Search {
 public:
  Search(const Instance& instance, std::optional<std::uint64_t> limit, const ValuingRun& run)
      : instance_(instance),
        tree_(instance.scenario().space),
        limit_(limit),
        run_(run),
        known_(instance.scenario().objective.direction),
        open_(known_.direction) {
    add_baseline();
    const Configuration nothing(tree_.depth(), scenarios::inactive);
    const double bound = scenarios::ValueBound(instance).upper_bound(nothing, 0);
    open_.push({.bound = bound, .made = 0, .place = SpaceTree::root(), .configuration = nothing});
  }

  BoundedOptimum result() {
    while (!open_.empty() && known_.hopeful(open_.front().bound) && !spent()) play_round();
    tighten();
    answer_.complete = open_.empty() || !known_.hopeful(open_.front().bound);
    // The baseline is met again, unless a bound was too low.
    SIM_ASSERT(!answer_.complete || answer_.best.count > 0 || baseline_.count == 0,
               baseline_.value);
    if (!answer_.complete && answer_.best.count == 0 && baseline_.count > 0) {
      answer_.best = baseline_;  // met before the search, and by it not yet
    }
    answer_.bound = answer_.complete ? known_.value : open_.front().bound;
    return std::move(answer_);
  }

 private:
  bool spent() const { return limit_ && answer_.valued + configurations_valued_at_once > *limit_; }

  /// A value that is worth something to prune with from the start.
  void add_baseline() {
    const scenarios::Scenario& scenario = instance_.scenario();
    const scenarios::Placement placement = scenario.space.from_plan(scenario.baseline);
    if (!placement.in_space()) return;
    const scenarios::TrueValue value = scenarios::TrueValues(instance_).at(placement.configuration);
    if (value.reason != Reason::none) return;
    baseline_.add(value.value, scenario.space.number_of(placement.configuration), known_.direction);
    known_.value = value.value;
  }

  /// What the parts of a round may value, so that together they keep within the limit.
  std::uint64_t valued_max(std::size_t parts) const {
    constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();
    return limit_ ? std::max((*limit_ - answer_.valued) / parts, configurations_valued_at_once)
                  : any;
  }

  void play_round() {
    std::size_t parts_max = parts_of_a_round;
    if (limit_) {
      const std::uint64_t left = *limit_ - answer_.valued;
      parts_max = static_cast<std::size_t>(std::min<std::uint64_t>(
          parts_max, std::max<std::uint64_t>(left / configurations_valued_at_once, 1)));
    }
    std::vector<OpenPart> parts;
    while (parts.size() < parts_max && !open_.empty() && known_.hopeful(open_.front().bound)) {
      parts.push_back(open_.pop());
    }
    std::vector<PartLook> looks(parts.size());
    const std::uint64_t each = valued_max(parts.size());
    support::parallel_for(parts.size(), run_.threads, [&](std::size_t i) {
      if (run_.progress) run_.progress(0);  // throws once the end is asked for
      std::unique_ptr<PartScout> scout = take();
      looks[i] = scout->look(std::move(parts[i]), known_, effort_of_a_part, each);
      scouts_.put_back(std::move(scout));
      if (run_.progress) run_.progress(looks[i].valued);
    });
    for (PartLook& look : looks) add(look);
  }

  /// After an early end: divides the parts that say least, as long as that can help. A part of few
  /// configurations keeps its bound.
  void tighten() {
    std::unique_ptr<PartScout> scout = take();
    const std::uint64_t effort = answer_.bounded + effort_after_the_limit;
    while (!open_.empty() && answer_.bounded < effort && known_.hopeful(open_.front().bound) &&
           tree_.count(open_.front().place) > configurations_valued_at_once) {
      if (run_.progress) run_.progress(0);
      PartLook look = scout->divide(open_.pop(), known_);
      add(look);
    }
    scouts_.put_back(std::move(scout));
  }

  void add(PartLook& look) {
    answer_.valued += look.valued;
    answer_.bounded += look.bounded;
    answer_.best.add(look.best, known_.direction);
    if (look.best.count > 0 && !is_better(known_.value, look.best.value, known_.direction)) {
      known_.value = look.best.value;
    }
    for (OpenPart& part : look.left) open_.push(std::move(part));
  }

  std::unique_ptr<PartScout> take() {
    return scouts_.take([this] { return std::make_unique<PartScout>(instance_, tree_); });
  }

  const Instance& instance_;
  SpaceTree tree_;
  std::optional<std::uint64_t> limit_;
  const ValuingRun& run_;
  KnownValue known_;
  BestFound baseline_;
  BoundedOptimum answer_;
  OpenParts open_;
  KeptWorkers<PartScout> scouts_;
};

}  // namespace

BoundedOptimum bounded_optimum(const Instance& instance, std::optional<std::uint64_t> limit,
                               const ValuingRun& run) {
  return Search(instance, limit, run).result();
}

}  // namespace cubicbench::datasets
