#include "datasets/exhaustive/branch_and_bound.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "datasets/parallel.h"
#include "scenarios/space_tree.h"
#include "scenarios/true_values.h"
#include "scenarios/value_bound.h"
#include "sim/base/check.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Configuration;
using scenarios::Direction;
using scenarios::Instance;
using scenarios::Reason;
using scenarios::SpaceTree;

/// Parts of one round. Part of what `--limit` means: a published count depends on it.
constexpr std::size_t parts_of_a_round = 64;
/// Values and bounds that a part may take in a round.
constexpr std::uint64_t effort_of_a_part = 4096;
/// Bounds that may be spent, once the limit is reached, on how good the rest can be.
constexpr std::uint64_t effort_after_the_limit = 200'000;
/// Parts this small are valued rather than bounded.
constexpr std::uint64_t configurations_valued_at_once = 4;

double worst_of(Direction direction) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return direction == Direction::maximize ? -infinity : infinity;
}

/// A part of the space that is still to be looked at.
struct OpenPart {
  double bound = 0.0;
  std::uint64_t made = 0;  ///< when, to tell equals apart
  SpaceTree::Place place;
  Configuration configuration;  ///< what is decided at `place`
};

/// What a look at a part came to.
struct Look {
  BestFound best;
  std::vector<OpenPart> left;
  std::uint64_t valued = 0;
  std::uint64_t bounded = 0;
};

/// The problem, and how good a value is known.
struct Known {
  const SpaceTree* tree = nullptr;
  const scenarios::SearchSpace* space = nullptr;
  Direction direction = Direction::maximize;
  double value = 0.0;  ///< the worst infinity while there is none

  /// May a part with this bound hold what is wanted?
  bool hopeful(double bound) const {
    return bound != worst_of(direction) && !is_better(value, bound, direction);
  }
};

/// What one thread needs.
class Scout {
 public:
  explicit Scout(const Instance& instance) : values_(instance), bounds_(instance) {}

  /// Looks at `part`, the most hopeful of it first, until all is seen, or `effort` values and
  /// bounds or `valued_max` values are spent.
  Look look(OpenPart part, Known known, std::uint64_t effort, std::uint64_t valued_max) {
    known_ = known;
    look_ = {};
    look_.left.push_back(std::move(part));
    while (!look_.left.empty() && look_.valued + look_.bounded < effort) {
      if (known_.hopeful(look_.left.back().bound)) {
        const bool few =
            known_.tree->count(look_.left.back().place) <= configurations_valued_at_once;
        if (few && look_.valued + configurations_valued_at_once > valued_max) break;
        const OpenPart next = std::move(look_.left.back());
        look_.left.pop_back();
        configuration_ = next.configuration;
        few ? value_all(next.place) : branch(next);
      } else {
        look_.left.pop_back();
      }
    }
    return std::move(look_);
  }

  /// Bounds the parts that the next parameter makes of `part`, and values nothing.
  Look divide(const OpenPart& part, Known known) {
    known_ = known;
    look_ = {};
    configuration_ = part.configuration;
    branch(part);
    return std::move(look_);
  }

 private:
  void value_all(SpaceTree::Place place) {
    if (place.depth == known_.tree->depth()) {
      value();
      return;
    }
    std::vector<SpaceTree::Choice> choices;
    known_.tree->choices(place, choices);
    const std::size_t parameter = known_.tree->parameter(place.depth);
    for (const SpaceTree::Choice& choice : choices) {
      configuration_[parameter] = choice.index;
      value_all(choice.child);
    }
  }

  void value() {
    ++look_.valued;
    const scenarios::TrueValue found = values_.at(configuration_);
    if (found.reason != Reason::none || is_better(known_.value, found.value, known_.direction)) {
      return;
    }
    known_.value = found.value;
    look_.best.add(found.value, known_.space->number_of(configuration_), known_.direction);
  }

  /// The parts that the next parameter makes of one, the most hopeful at the end.
  void branch(const OpenPart& part) {
    known_.tree->choices(part.place, choices_);
    const std::size_t parameter = known_.tree->parameter(part.place.depth);
    const std::size_t begin = look_.left.size();
    for (auto choice = choices_.rbegin(); choice != choices_.rend(); ++choice) {
      configuration_[parameter] = choice->index;
      double bound = part.bound;
      if (choices_.size() > 1) bound = bound_at(choice->child, bound);
      if (!known_.hopeful(bound)) continue;
      look_.left.push_back(
          {.bound = bound, .made = 0, .place = choice->child, .configuration = configuration_});
    }
    std::stable_sort(look_.left.begin() + static_cast<std::ptrdiff_t>(begin), look_.left.end(),
                     [&](const OpenPart& a, const OpenPart& b) {
                       return is_better(b.bound, a.bound, known_.direction);
                     });
  }

  /// A part is never better than what it is a part of.
  double bound_at(SpaceTree::Place place, double above) {
    ++look_.bounded;
    const double bound = bounds_.upper_bound(configuration_, known_.tree->decided(place.depth));
    return is_better(bound, above, known_.direction) ? above : bound;
  }

  scenarios::TrueValues values_;
  scenarios::ValueBound bounds_;
  Known known_;
  Look look_;
  Configuration configuration_;
  std::vector<SpaceTree::Choice> choices_;
};

class Search {
 public:
  Search(const Instance& instance, std::optional<std::uint64_t> limit, const ValuingRun& run)
      : instance_(instance), tree_(instance.scenario().space), limit_(limit), run_(run) {
    known_ = {.tree = &tree_,
              .space = &instance.scenario().space,
              .direction = instance.scenario().objective.direction,
              .value = worst_of(instance.scenario().objective.direction)};
    add_baseline();
    Configuration nothing(known_.space->size(), scenarios::inactive);
    const double bound = scenarios::ValueBound(instance).upper_bound(nothing, 0);
    push({.bound = bound, .made = 0, .place = SpaceTree::root(), .configuration = nothing});
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

  bool later(const OpenPart& a, const OpenPart& b) const {
    if (a.bound != b.bound) return is_better(b.bound, a.bound, known_.direction);
    return a.made < b.made;  // of equals the newest: it lies deepest
  }

  void push(OpenPart part) {
    part.made = made_++;
    open_.push_back(std::move(part));
    std::push_heap(open_.begin(), open_.end(),
                   [this](const OpenPart& a, const OpenPart& b) { return later(a, b); });
  }

  OpenPart pop() {
    std::pop_heap(open_.begin(), open_.end(),
                  [this](const OpenPart& a, const OpenPart& b) { return later(a, b); });
    OpenPart part = std::move(open_.back());
    open_.pop_back();
    return part;
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
      parts.push_back(pop());
    }
    std::vector<Look> looks(parts.size());
    const std::uint64_t each = valued_max(parts.size());
    parallel_for(parts.size(), run_.threads, [&](std::size_t i) {
      if (run_.progress) run_.progress(0);  // throws once the end is asked for
      std::unique_ptr<Scout> scout = take();
      looks[i] = scout->look(std::move(parts[i]), known_, effort_of_a_part, each);
      put_back(std::move(scout));
      if (run_.progress) run_.progress(looks[i].valued);
    });
    for (Look& look : looks) add(look);
  }

  /// After an early end: divides the parts that say least, as long as that can help. A part of few
  /// configurations keeps its bound.
  void tighten() {
    std::unique_ptr<Scout> scout = take();
    const std::uint64_t effort = answer_.bounded + effort_after_the_limit;
    while (!open_.empty() && answer_.bounded < effort && known_.hopeful(open_.front().bound) &&
           tree_.count(open_.front().place) > configurations_valued_at_once) {
      if (run_.progress) run_.progress(0);
      Look look = scout->divide(pop(), known_);
      add(look);
    }
    put_back(std::move(scout));
  }

  void add(Look& look) {
    answer_.valued += look.valued;
    answer_.bounded += look.bounded;
    answer_.best.add(look.best, known_.direction);
    if (look.best.count > 0 && !is_better(known_.value, look.best.value, known_.direction)) {
      known_.value = look.best.value;
    }
    for (OpenPart& part : look.left) push(std::move(part));
  }

  std::unique_ptr<Scout> take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return std::make_unique<Scout>(instance_);
    std::unique_ptr<Scout> scout = std::move(idle_.back());
    idle_.pop_back();
    return scout;
  }

  void put_back(std::unique_ptr<Scout> scout) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(scout));
  }

  const Instance& instance_;
  SpaceTree tree_;
  std::optional<std::uint64_t> limit_;
  const ValuingRun& run_;
  Known known_;
  BestFound baseline_;
  BoundedOptimum answer_;
  std::vector<OpenPart> open_;  ///< a heap, the most hopeful in front
  std::uint64_t made_ = 0;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Scout>> idle_;
};

}  // namespace

BoundedOptimum bounded_optimum(const Instance& instance, std::optional<std::uint64_t> limit,
                               const ValuingRun& run) {
  return Search(instance, limit, run).result();
}

}  // namespace cubicbench::datasets
