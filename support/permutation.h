#pragma once

#include <cstdint>

namespace cubicbench::support {

/// A pseudo-random permutation of 0, ..., count - 1, chosen by the key, in constant memory.
///
/// A Feistel network permutes the 2^b numbers of b bits, b the fewest that hold count - 1: the high
/// floor(b / 2) and the low ceil(b / 2) bits are in turn xored with a keyed function of the others.
/// Every such round can be undone, so the network is a permutation whatever the function is. An
/// image outside the range is mapped again until it falls inside ("cycle walking"), which leaves a
/// permutation of the range and takes less than two turns on average, since 2^b < 2 count.
/// Source: [BlackRogaway02] for the cycle walking. The keyed function is Philox4x32-10, so that
/// each
///         of the ten rounds is as good as a random one; the tests hold that every order of a few
///         numbers comes equally often.
///
/// A value; threads may share it.
class Permutation {
 public:
  /// Requires count >= 1.
  Permutation(std::uint64_t count, std::uint64_t key);

  std::uint64_t count() const { return count_; }

  /// The image of `number`. Requires number < count().
  std::uint64_t operator()(std::uint64_t number) const;

 private:
  std::uint64_t network(std::uint64_t number) const;

  std::uint64_t count_ = 1;
  std::uint64_t key_ = 0;
  int low_bits_ = 0;
  std::uint64_t low_mask_ = 0;
  std::uint64_t high_mask_ = 0;
};

}  // namespace cubicbench::support
