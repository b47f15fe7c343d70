#pragma once

namespace cubicbench::support {

/// Upper tails of the distributions that several tests need, to an absolute error of 1e-10 (tested
/// against SciPy).

/// P(X > x), X chi-squared with `df` degrees of freedom [AbramowitzStegun64, 26.4.19]. Requires
/// df > 0; 1 for x <= 0.
double chi_squared_tail(double x, double df);

/// P(X > x), X distributed as F with `df1` and `df2` degrees of freedom [AbramowitzStegun64,
/// 26.6.2]. Requires df1, df2 > 0; 1 for x <= 0.
double f_tail(double x, double df1, double df2);

/// P(R > q), R the range of `count` independent standard normal variables, which is the studentised
/// range with infinitely many degrees of freedom [Nemenyi63]:
///
///   P(R <= q) = k integral phi(x) (Phi(x) - Phi(x - q))^(k - 1) dx
///
/// Requires count >= 2; 1 for q <= 0.
double normal_range_tail(double q, int count);

/// The q with normal_range_tail(q, count) = p. Requires p in (0, 1).
double normal_range_quantile(double p, int count);

}  // namespace cubicbench::support
