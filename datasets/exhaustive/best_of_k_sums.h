#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "datasets/exhaustive/enumeration.h"
#include "scenarios/problem/scenario.h"

namespace cubicbench::datasets {

/// Two values of a space with none between them, from the worse to the better.
struct ValueGap {
  double width = 0.0;       ///< how far they are apart
  std::uint64_t worse = 0;  ///< configurations that are no better than the worse one, failures too
};

/// The exact expectation of the best of k draws, k = 1 .. K, from the gaps between the values of a
/// space. With N configurations, y_1 <= ... <= y_n its values, i_j the configurations at or below
/// y_j, and F_k(i) the probability that none of k draws lies above them,
///
///   F_k(i) = (i / N)^k  with,  C(i, k) / C(N, k)  without replacement,
///
/// summing by parts turns  E(k) = sum over j of y_j (F_k(i_j) - F_k(i_(j-1)))  into sums in which
/// nothing cancels: where more is better
///
///   E(k) = y_1 + sum over m < k of D(m),   D(m) = sum over j of (y_(j+1) - y_j) (F_m -
///   F_(m+1))(i_j)
///
/// and where less is better, with i_j the configurations at or above y_(j+1), E(k) = y_1 + sum over
/// j of (y_(j+1) - y_j) F_k(i_j). From k to k + 1 a term of either changes by one factor, i / N or
/// (i - m) / (N - m - 1), so that all K take one multiplication each [Conover, "Practical
/// Nonparametric Statistics", for the distribution of the maximum; the rearrangement is ours].
///
/// Terms below 2^-90 of their first are left out. Sums are taken in blocks of a fixed size and
/// compensated between them: the same bits however gaps are handed over and on however many
/// threads.
class BestOfKSums {
 public:
  /// Requires configurations >= 1, k_max >= 1.
  BestOfKSums(scenarios::Direction direction, std::uint64_t configurations, std::int64_t k_max);

  /// Adds gaps, on up to `threads` threads. All calls but the last hand over a multiple of
  /// `block` gaps.
  void add(std::span<const ValueGap> gaps, int threads);
  static constexpr std::size_t block = 4096;

  /// `lowest`: y_1 above, the value or what a failure counts as; `best`: the best value.
  std::vector<BestOfK> result(double lowest, double best) const;

 private:
  using Sums = std::vector<double>;
  struct Partial {
    Sums with;
    Sums without;
  };

  Partial partial_of(std::span<const ValueGap> gaps) const;
  void add_with(std::span<const ValueGap> gaps, Sums& sums) const;
  void add_without(std::span<const ValueGap> gaps, Sums& sums) const;
  double first_term(const ValueGap& gap) const;

  scenarios::Direction direction_;
  double configurations_;
  std::size_t k_max_;
  std::size_t k_distinct_;  ///< beyond the number of configurations nothing changes
  Sums inverse_;            ///< 1 / (N - m - 1)
  Partial sums_;
  Partial lost_;  ///< to rounding, of `sums_`
};

}  // namespace cubicbench::datasets
