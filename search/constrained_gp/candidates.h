#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "scenarios/space/search_space.h"
#include "search/constrained_gp/acquisition.h"
#include "search/constrained_gp/level_rows.h"
#include "search/constrained_gp/space_axes.h"
#include "search/searchers/unproposed.h"

namespace cubicbench::search {

/// What may be launched next, with what it is worth at most, each configuration once and none that
/// was proposed.
class CandidateList {
 public:
  CandidateList(const scenarios::SearchSpace& space, const SpaceAxes& axes,
                const Unproposed& unproposed, const Acquisition& acquisition)
      : space_(space),
        axes_(axes),
        unproposed_(unproposed),
        acquisition_(acquisition),
        rows_(space.size()) {}

  /// The configuration of that number.
  void add(std::uint64_t number);

  /// All that differ from `centre` in one knob, after these, which differ in a few.
  void add_neighbours(const scenarios::Configuration& centre, const LevelRows& others);

  /// The one that is worth most, of equals the first.
  std::optional<scenarios::Configuration> best();
  double best_worth() const { return best_worth_; }

  /// best(), and from there at most so many steps to the neighbour by one knob that is worth most.
  std::optional<scenarios::Configuration> climbed(std::int64_t steps);

  std::size_t size() const { return rows_.size(); }

 private:
  /// What is known of a row.
  struct Found {
    double bound = 0.0;
    std::optional<std::size_t> centre{};  ///< a few knobs away
  };

  bool is_new(std::uint64_t number);
  void append(std::uint64_t number, std::span<const std::uint8_t> levels,
              std::optional<std::size_t> centre);
  void add_near(std::size_t centre, const LevelRows& near);
  void correlate(std::size_t row, Correlations& at);
  void judge(std::span<const std::size_t> rows);

  static constexpr std::size_t judged_at_once = 4;

  const scenarios::SearchSpace& space_;
  const SpaceAxes& axes_;
  const Unproposed& unproposed_;
  const Acquisition& acquisition_;
  std::unordered_set<std::uint64_t> numbers_;
  std::vector<NearCorrelations> centres_;  ///< whose neighbours were added
  LevelRows rows_;
  std::vector<Found> found_;  ///< by row
  std::optional<std::size_t> best_;
  double best_worth_ = -1.0;
  std::size_t begun_ = 0;           ///< those before were judged or are below the best
  scenarios::Configuration drawn_;  ///< scratch, as is what follows
  predictor::Levels levels_;
  std::array<Correlations, judged_at_once> scratch_;
};

}  // namespace cubicbench::search
