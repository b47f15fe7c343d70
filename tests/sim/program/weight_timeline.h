#pragma once

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "sim/program/weight_schedule.h"

namespace cubicbench::sim {

using Timeline = std::vector<std::string>;

/// Of events between commas.
inline Timeline events(const std::string& list) {
  Timeline timeline;
  std::istringstream in(list);
  for (std::string event; std::getline(in >> std::ws, event, ',');) timeline.push_back(event);
  return timeline;
}

inline std::string verb_of(WeightAction action) {
  switch (action) {
    case WeightAction::nothing:
      return "";
    case WeightAction::gather:
      return "gather ";
    case WeightAction::await:
      return "await ";
    case WeightAction::free:
      return "free ";
    case WeightAction::reduce:
    case WeightAction::reduce_ends:
      return "reduce ";
  }
  return "";
}

/// A pass over three units, which are numbered as a forward pass computes them: what is issued, and
/// what is computed meanwhile.
inline Timeline pass_over_three(const UnitOrder& order, bool back) {
  constexpr std::int64_t units = 3;
  Timeline timeline;
  const auto unit_at = [=](std::int64_t place) {
    return place == units ? "ends" : std::to_string(back ? units - 1 - place : place);
  };
  const auto add = [&](const WeightEvents& events, std::int64_t place) {
    for (const WeightEvent& event : events) {
      const std::int64_t of =
          event.action == WeightAction::reduce_ends ? units : place + event.ahead;
      const bool is_behind = event.action == WeightAction::gather && of == units && back;
      const bool is_any = event.action != WeightAction::nothing && !is_behind;
      if (!is_any || !happens(event, place, units)) continue;
      timeline.push_back(verb_of(event.action) + unit_at(of));
      if (event.waits) timeline.emplace_back("wait");
    }
  };
  for (std::int64_t place = -1; place < units; ++place) {
    add(order.before, place);
    timeline.push_back(place < 0 ? "compute before" : "compute " + unit_at(place));
    add(order.behind, place);
  }
  return timeline;
}

inline std::ptrdiff_t place_of(const std::string& event, const Timeline& timeline) {
  return std::ranges::find(timeline, event) - timeline.begin();
}

}  // namespace cubicbench::sim
