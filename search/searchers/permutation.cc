#include "search/searchers/permutation.h"

#include <bit>

#include "search/searchers/random_stream.h"
#include "sim/base/check.h"

namespace cubicbench::search {

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
  for (std::uint32_t round = 0; round < rounds; round += 2) {
    high ^= sim::random_words(search_draw(key_, Stream::order, low, round)).first & high_mask_;
    low ^= sim::random_words(search_draw(key_, Stream::order, high, round + 1)).first & low_mask_;
  }
  return high << low_bits_ | low;
}

std::uint64_t Permutation::operator()(std::uint64_t number) const {
  SIM_ASSERT(number < count_, number, count_);
  std::uint64_t image = network(number);
  while (image >= count_) image = network(image);
  return image;
}

}  // namespace cubicbench::search
