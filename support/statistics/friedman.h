#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace cubicbench::support {

/// Friedman's test [Friedman37] of whether k treatments, such as searchers, rank alike over n
/// blocks, such as problems. With R_j the mean rank of treatment j (ties share mid-ranks, greater
/// values have higher ranks)
///
///   chi^2 = (12 n / (k (k + 1)) sum R_j^2 - 3 n (k + 1)) / (1 - sum (t^3 - t) / (n k (k^2 - 1)))
///
/// is about chi-squared with k - 1 degrees of freedom, and Iman and Davenport's less conservative
///
///   F = (n - 1) chi^2 / (n (k - 1) - chi^2)                                     [ImanDavenport80]
///
/// about F with k - 1 and (k - 1)(n - 1). All p are 1 where every block is one tie.
struct FriedmanTest {
  std::size_t blocks = 0;
  std::vector<double> mean_ranks;
  double chi_squared = 0.0;
  double p_chi_squared = 1.0;
  double f = 0.0;    ///< infinite where all blocks rank alike
  double p_f = 1.0;  ///< Iman and Davenport's
};

/// blocks[i][j] is the value of treatment j in block i. Requires two blocks, all with the same two
/// treatments or more, and no NaN.
FriedmanTest friedman(std::span<const std::vector<double>> blocks);

/// Nemenyi's comparison of all pairs after it [Nemenyi63; Demsar06, section 3.2.2]: p of treatments
/// i and j is that of |R_i - R_j| / sqrt(k (k + 1) / (6 n)) times sqrt(2), by the range of k normal
/// variables. It accounts for all pairs at once. result[i][j], 1 on the diagonal.
std::vector<std::vector<double>> nemenyi(const FriedmanTest& test);

/// The difference of mean ranks from which on nemenyi() is at most `alpha`, which diagrams of
/// critical differences draw.
double nemenyi_critical_difference(std::size_t treatments, std::size_t blocks, double alpha);

/// Comparisons of one treatment with each other one [Demsar06, section 3.2.2], two-sided by the
/// normal distribution of the same ratio and adjusted by Holm's procedure. Entry j is treatment
/// j's; that of `control` is 1.
std::vector<double> friedman_holm(const FriedmanTest& test, std::size_t control);

}  // namespace cubicbench::support
