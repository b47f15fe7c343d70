#include "support/permutation.h"

#include <bit>

#include "sim/base/check.h"
#include "sim/base/philox.h"

namespace cubicbench::support {

Permutation::Permutation(std::uint64_t count, std::uint64_t key) : count_(count), key_(key) {
  SIM_ASSERT(count >= 1, count);
  const int bits = static_cast<int>(std::bit_width(count - 1));
  const int high_bits = bits / 2;
  low_bits_ = bits - high_bits;
  low_mask_ = (std::uint64_t{1} << low_bits_) - 1;
  high_mask_ = (std::uint64_t{1} << high_bits) - 1;
}

std::uint64_t Permutation::network(std::uint64_t number) const {
  constexpr std::uint32_t rounds = 10;
  std::uint64_t low = number & low_mask_;
  std::uint64_t high = number >> low_bits_;
  const auto keyed = [&](std::uint64_t half, std::uint32_t round) {
    return sim::random_words(
               {.seed = key_, .purpose = sim::Purpose::search, .entity = half, .draw = round})
        .first;
  };
  for (std::uint32_t round = 0; round < rounds; round += 2) {
    high ^= keyed(low, round) & high_mask_;
    low ^= keyed(high, round + 1) & low_mask_;
  }
  return high << low_bits_ | low;
}

std::uint64_t Permutation::operator()(std::uint64_t number) const {
  SIM_ASSERT(number < count_, number, count_);
  std::uint64_t image = network(number);
  while (image >= count_) image = network(image);
  return image;
}

}  // namespace cubicbench::support
