#pragma once

namespace cubicbench::support {

/// The special functions behind the F and chi-squared distributions, the same bits on every
/// machine, as they use only + - * / and sim::exp, sim::log. Absolute errors are below 1e-12
/// (tested against SciPy).

/// log Gamma(x) by Stirling's series [AbramowitzStegun64, 6.1.41] of an argument moved above 10.
/// Requires x > 0.
double log_gamma(double x);

/// The regularised incomplete beta function I_x(a, b) by its continued fraction
/// [AbramowitzStegun64, 26.5.8]. Requires a, b > 0 and x in [0, 1].
double incomplete_beta(double a, double b, double x);

/// The regularised upper incomplete gamma function Q(a, x) by its series [AbramowitzStegun64,
/// 6.5.29] or its continued fraction [6.5.31]. Requires a > 0 and x >= 0.
double incomplete_gamma_tail(double a, double x);

}  // namespace cubicbench::support
