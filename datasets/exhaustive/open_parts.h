#pragma once

#include <cstdint>
#include <vector>

#include "scenarios/problem/scenario.h"
#include "scenarios/space/configuration.h"
#include "scenarios/space/space_tree.h"

namespace cubicbench::datasets {

/// A part of the space that is still to be looked at.
struct OpenPart {
  double bound = 0.0;
  std::uint64_t made = 0;  ///< when, to tell equals apart; OpenParts sets it
  scenarios::SpaceTree::Place place;
  scenarios::Configuration configuration;  ///< what is decided at `place`
};

/// All that are still to be looked at, the one with the best bound first, of equals the newest: it
/// lies deepest.
class OpenParts {
 public:
  explicit OpenParts(scenarios::Direction direction) : direction_(direction) {}

  bool empty() const { return heap_.empty(); }
  /// These require that it is not empty.
  const OpenPart& front() const { return heap_.front(); }
  OpenPart pop();

  void push(OpenPart part);

 private:
  bool later(const OpenPart& a, const OpenPart& b) const;

  scenarios::Direction direction_;
  std::vector<OpenPart> heap_;
  std::uint64_t made_ = 0;
};

}  // namespace cubicbench::datasets
