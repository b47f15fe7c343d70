#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "scenarios/space/search_space.h"
#include "support/json/object_reader.h"

namespace cubicbench::scenarios {

/// Some settings that a rule tries together.
struct LadderStep {
  std::vector<Assignment> settings;
  /// It is tried only where settings of the loops around it have one of these values (codes).
  std::vector<std::pair<const Setting*, std::vector<std::int64_t>>> only;
};

/// How an expert finds the configuration that a search begins with: loops inside one another, the
/// outermost first, each over steps in the order in which they are tried. What inner loops set goes
/// before what outer ones set. The first configuration that runs is the baseline, once the settings
/// of `grow` have been raised, one after the other, as long as it still runs and gets better.
struct Ladder {
  std::vector<std::vector<LadderStep>> loops;
  std::vector<const Setting*> grow;
};

/// Reads the "baseline" of a family, in which references are resolved:
///   "source"  whose rule it is;
///   "ladder"  a list of loops. A loop is a list of objects of settings (with "only" beside them),
///             or an object with "layouts", lists of values by setting, of which every combination
///             is tried in the "order" of products of settings ("descending": the largest first),
///             and among equals in that of the lists;
///   "grow"    names of settings.
Ladder read_ladder(support::ObjectReader& in);

/// Calls `look` with the settings of every configuration that the ladder names, in order, until it
/// says that this is the one.
void climb(const Ladder& ladder, const std::function<bool(const std::vector<Assignment>&)>& look);

}  // namespace cubicbench::scenarios
