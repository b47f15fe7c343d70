#include "sim/base/remembered.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "sim/base/philox.h"

namespace cubicbench::sim {
namespace {

/// A key whose place the test chooses: `place` is what the highest bits of its hash say.
struct NumberKey {
  std::uint64_t number = 0;
  std::uint64_t place = 0;

  bool operator==(const NumberKey&) const = default;
  std::uint64_t hash() const { return place << 62; }
};

class Squares {
 public:
  explicit Squares(unsigned bits) : squares_(bits) {}

  std::uint64_t of(const NumberKey& key) {
    return squares_.of(key, [&](std::uint64_t& square) {
      ++computed;
      square = key.number * key.number;
    });
  }

  int computed = 0;

 private:
  Remembered<NumberKey, std::uint64_t> squares_;
};

TEST(Remembered, AsksOnceForWhatItKeeps) {
  Squares squares(2);
  for (int round = 0; round < 3; ++round) {
    for (std::uint64_t place = 0; place < 4; ++place) {
      for (std::uint64_t i = 1; i <= 2; ++i) {
        EXPECT_EQ(squares.of({10 * place + i, place}), (10 * place + i) * (10 * place + i));
      }
    }
  }
  EXPECT_EQ(squares.computed, 8);
}

TEST(Remembered, ForgetsTheOneOfTwoThatWasNotUsedLast) {
  Squares squares(2);
  const NumberKey a{1, 3};
  const NumberKey b{2, 3};
  const NumberKey c{3, 3};
  for (const NumberKey& key : {a, b, a, c}) squares.of(key);
  EXPECT_EQ(squares.computed, 3);
  EXPECT_EQ(squares.of(a), 1u);  // was used after b
  EXPECT_EQ(squares.computed, 3);
  EXPECT_EQ(squares.of(b), 4u);
  EXPECT_EQ(squares.computed, 4);
  EXPECT_EQ(squares.of(c), 9u);  // gave way to b
  EXPECT_EQ(squares.computed, 5);
}

TEST(Remembered, AnswersAreThoseOfTheFunctionInWhateverOrder) {
  Squares squares(1);
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    const Draw name{.seed = 5, .purpose = Purpose::test, .entity = i, .draw = 0};
    const std::uint64_t number = 1 + uniform_below(name, 9);
    ASSERT_EQ(squares.of({number, number % 4}), number * number) << "question " << i;
  }
  EXPECT_LT(squares.computed, 10'000);
}

}  // namespace
}  // namespace cubicbench::sim
