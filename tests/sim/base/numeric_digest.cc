// Prints, for each function of sim/base/numeric.h, a 64-bit FNV-1a digest of its results over a
// fixed set of arguments. Two builds that print the same lines give the same bits.

#include <bit>
#include <cinttypes>
#include <cstdint>
#include <cstdio>

#include "sim/base/numeric.h"
#include "sim/base/philox.h"

namespace cubicbench::sim {
namespace {

constexpr std::uint64_t arguments = 2'000'000;

class Digest {
 public:
  void add(double result) {
    const auto bits = std::bit_cast<std::uint64_t>(result);
    for (int shift = 0; shift < 64; shift += 8) {
      value_ = (value_ ^ (bits >> shift & 0xff)) * 0x100000001b3;
    }
  }
  void print(const char* function) const {
    std::printf("%-15s %016" PRIx64 "\n", function, value_);
  }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

Draw argument_draw(std::uint64_t argument, std::uint32_t draw) {
  return {.seed = 0, .purpose = Purpose::test, .entity = argument, .draw = draw};
}

/// In turn any bit pattern at all, a number in [-1100, 1100), and one in [1/2, 2).
double argument(std::uint64_t i, std::uint32_t draw) {
  const Draw name = argument_draw(i, draw);
  switch (i % 3) {
    case 0:
      return std::bit_cast<double>(random_words(name).first);
    case 1:
      return (uniform(name) - 0.5) * 2200.0;
    default:
      return 0.5 + 1.5 * uniform(name);
  }
}

template <class Function>
void digest(const char* name, Function function) {
  Digest digest;
  for (std::uint64_t i = 0; i < arguments; ++i) {
    digest.add(function(i));
  }
  digest.print(name);
}

/// A power of y to reach results of all sizes from a base near one.
double stretched(std::uint64_t i) {
  return (uniform(argument_draw(i, 1)) - 0.5) * exp2(uniform(argument_draw(i, 2)) * 40.0);
}

}  // namespace
}  // namespace cubicbench::sim

int main() {
  using namespace cubicbench::sim;
  digest("exp2", [](std::uint64_t i) { return cubicbench::sim::exp2(argument(i, 0)); });
  digest("exp", [](std::uint64_t i) { return cubicbench::sim::exp(argument(i, 0)); });
  digest("log2", [](std::uint64_t i) { return cubicbench::sim::log2(argument(i, 0)); });
  digest("log", [](std::uint64_t i) { return cubicbench::sim::log(argument(i, 0)); });
  digest("pow",
         [](std::uint64_t i) { return cubicbench::sim::pow(argument(i, 0), argument(i, 1)); });
  digest("pow stretched",
         [](std::uint64_t i) { return cubicbench::sim::pow(argument(i | 1, 0), stretched(i)); });
  digest("standard_normal", [](std::uint64_t i) { return standard_normal(argument_draw(i, 0)); });
}
