#!/usr/bin/env python3
"""Prints sim/base/numeric_tables.h, to be formatted: scripts/numeric_tables.py | clang-format > TABLES

Everything is computed with 60 decimal digits, then rounded to doubles."""

from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 60
LN2 = Decimal(2).ln()


def grid(value, bits):
    """`value` rounded to a multiple of 2^-bits, exact as a double."""
    return Decimal(round(Fraction(value) * 2**bits)) / Decimal(2) ** bits


def literal(value):
    """The double nearest to `value`, as a C++ literal."""
    return float(Fraction(value)).hex()


def pair(value, bits):
    """`value` as a multiple of 2^-bits and the double nearest to the rest."""
    high = grid(value, bits)
    return literal(high), literal(value - high)


def nearest_pair(value):
    """`value` as the nearest double and the double nearest to the rest."""
    high = Decimal(float(Fraction(value)))
    return literal(high), literal(value - high)


def constant(name, values, comment):
    print(f"/// {comment}")
    for suffix, value in zip(("_high", "_low"), values):
        print(f"inline constexpr double {name}{suffix} = {value};")


print("""#pragma once

// Printed by scripts/numeric_tables.py, which says how. Do not edit.

#include <cstddef>

namespace cubicbench::sim::tables {

/// A number as the unevaluated sum of a double and a small correction.
struct Split {
  double high;
  double low;
};
""")
constant("ln2", pair(LN2, 42), "ln 2; the high part is a multiple of 2^-42.")
constant("per_ln2", pair(1 / LN2, 25), "1 / ln 2; the high part is a multiple of 2^-25: 26 bits.")
constant("ln2_64th", pair(LN2 / 64, 41), "ln(2) / 64; the high part is a multiple of 2^-41: 35 bits.")
print("""
/// 2^(i / 64); the high part is the nearest double.
inline constexpr Split root_of_two[64] = {""")
for i in range(64):
    print("    {%s, %s}," % nearest_pair((LN2 * i / 64).exp()))
print("""};

/// One interval of the significand's range [1/sqrt 2, sqrt 2): those nearest to i / 128.
/// `inverse` is 128 / i rounded to a multiple of 2^-12; the high parts are multiples of 2^-42.
struct LogInterval {
  double inverse;
  double ln_high, ln_low;      ///< -ln(inverse)
  double log2_high, log2_low;  ///< -log2(inverse)
};
inline constexpr std::size_t log_interval_first = 90;
inline constexpr LogInterval log_interval[] = {""")
for i in range(90, 183):
    inverse = grid(Decimal(128) / i, 12)
    logarithm = -inverse.ln() if inverse != 1 else Decimal(0)
    print("    {%s, %s, %s, %s, %s}," % (literal(inverse), *pair(logarithm, 42), *pair(logarithm / LN2, 42)))
print("""};

}  // namespace cubicbench::sim::tables""")
