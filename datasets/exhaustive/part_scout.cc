#include "datasets/exhaustive/part_scout.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace cubicbench::datasets {

bool OpenParts::later(const OpenPart& a, const OpenPart& b) const {
  if (a.bound != b.bound) return is_better(b.bound, a.bound, direction_);
  return a.made < b.made;
}

void OpenParts::push(OpenPart part) {
  part.made = made_++;
  heap_.push_back(std::move(part));
  std::push_heap(heap_.begin(), heap_.end(),
                 [this](const OpenPart& a, const OpenPart& b) { return later(a, b); });
}

OpenPart OpenParts::pop() {
  std::pop_heap(heap_.begin(), heap_.end(),
                [this](const OpenPart& a, const OpenPart& b) { return later(a, b); });
  OpenPart part = std::move(heap_.back());
  heap_.pop_back();
  return part;
}

using scenarios::SpaceTree;

PartScout::PartScout(const scenarios::Instance& instance, const SpaceTree& tree)
    : space_(instance.scenario().space),
      tree_(tree),
      values_(instance),
      bounds_(instance),
      known_(instance.scenario().objective.direction) {}

PartLook PartScout::look(OpenPart part, KnownValue known, std::uint64_t effort,
                         std::uint64_t valued_max) {
  known_ = known;
  look_ = {};
  look_.left.push_back(std::move(part));
  while (!look_.left.empty() && look_.valued + look_.bounded < effort) {
    if (known_.hopeful(look_.left.back().bound)) {
      const bool few = tree_.count(look_.left.back().place) <= configurations_valued_at_once;
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

PartLook PartScout::divide(const OpenPart& part, KnownValue known) {
  known_ = known;
  look_ = {};
  configuration_ = part.configuration;
  branch(part);
  return std::move(look_);
}

void PartScout::value_all(SpaceTree::Place place) {
  if (place.depth == tree_.depth()) {
    value();
    return;
  }
  std::vector<SpaceTree::Choice> choices;
  tree_.choices(place, choices);
  const std::size_t parameter = tree_.parameter(place.depth);
  for (const SpaceTree::Choice& choice : choices) {
    configuration_[parameter] = choice.index;
    value_all(choice.child);
  }
}

void PartScout::value() {
  ++look_.valued;
  const scenarios::TrueValue found = values_.at(configuration_);
  if (found.reason != scenarios::Reason::none ||
      is_better(known_.value, found.value, known_.direction)) {
    return;
  }
  known_.value = found.value;
  look_.best.add(found.value, space_.number_of(configuration_), known_.direction);
}

void PartScout::branch(const OpenPart& part) {
  tree_.choices(part.place, choices_);
  const std::size_t parameter = tree_.parameter(part.place.depth);
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

double PartScout::bound_at(SpaceTree::Place place, double above) {
  // A part is never better than what it is a part of.
  ++look_.bounded;
  const double bound =
      bounds_.upper_bound(configuration_, tree_.decided(place.depth), known_.value);
  return is_better(bound, above, known_.direction) ? above : bound;
}

}  // namespace cubicbench::datasets
