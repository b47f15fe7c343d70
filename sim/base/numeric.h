#pragma once

namespace cubicbench::sim {

/// Exponentials and logarithms that give the same bits with every compiler, processor and library:
/// they use only + - * /, comparisons and bit patterns. Builds must not contract a * b + c into one
/// rounding (-ffp-contract=off) and must round to nearest, the default.
///
/// Errors against the exact value are below 0.6 ulp for normal results (tests allow 2) and below
/// 1 ulp for subnormal ones. Special cases are those of C, Annex F: NaN in, NaN out, except
/// pow(1, y) = pow(x, 0) = 1; exp(-inf) = 0, log(0) = -inf, log(negative) = NaN; overflow gives
/// infinity, underflow zero of the right sign. Neither errno nor an exception is promised. Exact
/// results are returned exactly (exp2(3) = 8, log2(8) = 3, pow(3, 4) = 81).
///
/// Inside the namespace the unqualified name means these, not those of <cmath>.

double exp2(double x);
double exp(double x);
double log2(double x);
double log(double x);
double pow(double x, double y);

}  // namespace cubicbench::sim
