#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "datasets/families/member.h"

namespace cubicbench::datasets {

/// What the best configuration of one member is worth in the others.
struct Transfer {
  std::int64_t pairs = 0;      ///< ordered pairs of different members
  std::int64_t runs = 0;       ///< pairs in which it is in the other's space and runs there
  std::int64_t in_best_1 = 0;  ///< pairs in which it is among the best 1 % of what runs there
  std::int64_t in_best_5 = 0;  ///< likewise
  double gap_closed = 0.0;     ///< mean over pairs: what it closes of the gap between baseline and
                               ///< best known, in 0 .. 1; 0 where it does not run
  double best_of_5 = 0.0;      ///< mean over members: the best of five others' optima, the five in
                               ///< whichever way they are chosen
};

/// Every member's best known configuration tried in every other member, on up to `threads` threads
/// (0: all cores). A configuration is brought over setting by setting: where the other space has no
/// such setting or no such value, it is outside.
Transfer transfer_of(std::span<const MadeMember> members, int threads);

}  // namespace cubicbench::datasets
