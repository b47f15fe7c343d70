#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace cubicbench::search {

/// Normals of one width over the places 0, ..., levels - 1 of an ordered knob, cut off half a step
/// beyond both ends; a place has what lies within half a step of it.
class CutNormal {
 public:
  /// Requires a width above 0 and a level.
  CutNormal(double width, std::size_t levels);

  /// P(place) of the normal whose centre is half of `centre_twice`. Requires a centre between the
  /// first place and the last.
  double mass(std::size_t centre_twice, std::size_t place) const {
    const auto centre = static_cast<std::ptrdiff_t>(centre_twice);
    const auto twice = 2 * static_cast<std::ptrdiff_t>(place) - centre;
    return between(twice - 1, twice + 1) / between(-1 - centre, ends_ - centre);
  }

 private:
  /// P(low / 2 < X - centre < high / 2), without cancellation far from the centre.
  double between(std::ptrdiff_t low, std::ptrdiff_t high) const {
    if (low >= 0) return tail(low) - tail(high);
    if (high <= 0) return tail(-high) - tail(-low);
    return 1.0 - tail(high) - tail(-low);
  }
  double tail(std::ptrdiff_t halves) const { return tails_[static_cast<std::size_t>(halves)]; }

  std::ptrdiff_t ends_;        ///< twice the place of the upper end
  std::vector<double> tails_;  ///< P(X - centre > i / 2)
};

/// Those that were asked for, so that each is made once: widths are few, but for those of a joint
/// estimator.
class CutNormals {
 public:
  const CutNormal& of(double width, std::size_t levels) {
    return normals_.try_emplace({width, levels}, width, levels).first->second;
  }

 private:
  std::map<std::pair<double, std::size_t>, CutNormal> normals_;
};

}  // namespace cubicbench::search
