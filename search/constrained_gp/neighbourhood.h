#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "scenarios/space/search_space.h"
#include "search/constrained_gp/level_rows.h"
#include "search/constrained_gp/space_axes.h"
#include "search/searchers/random_stream.h"

namespace cubicbench::search {

/// All configurations that differ from `centre` in one knob.
LevelRows neighbours(const scenarios::SearchSpace& space, const SpaceAxes& axes,
                     const scenarios::Configuration& centre);

/// The configurations that differ from one in two knobs. They are found once for all launches
/// during which it stays the best.
class SecondNeighbours {
 public:
  /// Both must outlive this.
  SecondNeighbours(const scenarios::SearchSpace& space, const SpaceAxes& axes)
      : space_(space), axes_(axes), found_(space.size()) {}

  /// A uniform choice of up to `count` of those of `centre`.
  LevelRows some(const scenarios::Configuration& centre, std::size_t count, RandomStream& random);

 private:
  void find(const scenarios::Configuration& centre);

  const scenarios::SearchSpace& space_;
  const SpaceAxes& axes_;
  std::optional<scenarios::Configuration> centre_;
  LevelRows found_;
};

}  // namespace cubicbench::search
