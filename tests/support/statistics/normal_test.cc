#include "support/statistics/normal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace cubicbench::support {
namespace {

// The series of [AbramowitzStegun64, 26.2.11], added up with 900 decimal digits.
TEST(Normal, TailsEqualThoseOfAHundredDigits) {
  struct Case {
    double x;
    double tail;  ///< P(X > x)
    double cdf;   ///< P(X <= x)
  };
  for (const Case& c : {Case{0.25, 4.01293674317076275759e-1, 0.59870632568292372424},
                        Case{0.5, 3.08537538725986896362e-1, 0.69146246127401310364},
                        Case{1.0, 1.58655253931457051415e-1, 0.84134474606854294859},
                        Case{1.5, 6.68072012688580660045e-2, 0.93319279873114193400},
                        Case{1.96, 2.49978951482204362128e-2, 0.97500210485177956379},
                        Case{1.9990234375, 2.28029090163584169964e-2, 0.97719709098364158300},
                        Case{2.0, 2.27501319481792072003e-2, 0.97724986805182079280},
                        Case{2.0625, 1.95800787783774553037e-2, 0.98041992122162254470},
                        Case{3.0, 1.34989803163009452665e-3, 0.99865010196836990547},
                        Case{5.0, 2.86651571879193911674e-7, 0.99999971334842812081},
                        Case{8.0, 6.22096057427178412352e-16, 0.99999999999999937790},
                        Case{20.0, 2.75362411860623369508e-89, 1.0},
                        Case{37.0, 5.72557122252457682268e-300, 1.0}}) {
    SCOPED_TRACE(c.x);
    EXPECT_NEAR(normal_tail(c.x) / c.tail, 1.0, 1e-13);
    EXPECT_NEAR(normal_cdf(c.x) / c.cdf, 1.0, 1e-15);
    EXPECT_EQ(normal_cdf(-c.x), normal_tail(c.x));
    EXPECT_EQ(normal_tail(-c.x), normal_cdf(c.x));
  }
  EXPECT_EQ(normal_cdf(0.0), 0.5);
  EXPECT_EQ(normal_tail(-0.0), 0.5);
}

TEST(Normal, EndsAtZeroAndOne) {
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(normal_tail(infinite), 0.0);
  EXPECT_EQ(normal_tail(-infinite), 1.0);
  EXPECT_EQ(normal_tail(1e200), 0.0);
}

// The C library's erfc, which the library itself may not use, at steps of 1/64.
TEST(Normal, FollowsTheComplementaryErrorFunction) {
  for (double x = -8.0; x < 26.0; x += 0x1p-6) {
    SCOPED_TRACE(x);
    const auto tail = static_cast<double>(
        0.5L * std::erfc(static_cast<long double>(x) / std::sqrt(static_cast<long double>(2))));
    EXPECT_NEAR(normal_tail(x) / tail, 1.0, 1e-13);
  }
}

// By bisection of the same series.
TEST(Normal, QuantilesEqualThoseOfAHundredDigits) {
  struct Case {
    double p;
    double x;
  };
  for (const Case& c :
       {Case{0.025, -1.95996398454005421178}, Case{0.975, 1.95996398454005385560},
        Case{0.05, -1.64485362695147268795}, Case{0.25, -0.67448975019608174320},
        Case{0.001, -3.09023230616781353536}, Case{0.9, 1.28155156554460059349},
        Case{0.4999, -0.00025066283008800749}, Case{1e-10, -6.36134090240405619910},
        Case{1e-100, -21.27345356096532429418}, Case{1e-300, -37.04709629936119923655}}) {
    SCOPED_TRACE(c.p);
    EXPECT_NEAR(normal_quantile(c.p), c.x, 1e-14 * (1.0 + std::abs(c.x)));
  }
  EXPECT_EQ(normal_quantile(0.5), 0.0);
}

}  // namespace
}  // namespace cubicbench::support
