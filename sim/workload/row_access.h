#pragma once

namespace cubicbench::sim {

/// How often the rows of a table are asked for: the k-th most popular of N in proportion to k^-a
/// [docs/models.md, Eq. ]. Sums over rows are taken as integrals from 1/2 to N + 1/2.
struct RowAccess {
  double rows = 1.0;  ///< N
  double skew = 0.0;  ///< a >= 0

  bool operator==(const RowAccess&) const = default;
};

/// Share of the accesses that go to the `cached` most popular rows.
double hit_share(const RowAccess& access, double cached);

/// Rows that `draws` independent accesses touch, each counted once: sum of 1 - exp(-n p_k), with
/// 1 - exp(-u) as u - 0.37 u^2 up to u = 1 and 1 - 0.37 u^-2 beyond: at most
/// 8 % from it, and 5 % in sums over a power law; exactly where all rows are alike. At most N and
/// at most `draws`.
double distinct_rows(const RowAccess& access, double draws);

}  // namespace cubicbench::sim
