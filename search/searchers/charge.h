#pragma once

#include <cmath>

namespace cubicbench::search {

/// The fidelity of a launch is the share of its job's steps that it runs, in (0, 1]. One below 1 is
/// a short launch.
inline constexpr double whole_launch = 1.0;

/// Of a launch's charge, what does not shrink with its steps: the start-up. A job of the library
/// starts in 300 s and runs 200 steps, which take ten seconds where they take long. Without this
/// share a single step, which is enough to see whether a configuration fits into memory, would cost
/// next to nothing.
inline constexpr double start_up_share = 0.125;

/// What a launch is charged, in whole launches: 1/8 + 7/8 fidelity, up to the next multiple of
/// 2^-20, so that sums are exact in any order. Shares that are powers of two down to 2^-17 are
/// charged exactly. Requires 0 < fidelity <= 1.
inline double charge_of(double fidelity) {
  constexpr double parts = 0x1p20;
  return std::ceil((start_up_share + (1.0 - start_up_share) * fidelity) * parts) / parts;
}

}  // namespace cubicbench::search
