#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace cubicbench::sim {

/// Results of a pure function for keys that were asked for lately. Each key has two places, of
/// which it takes the one that was not used last; what it finds there is forgotten. So a result is
/// what the function says of its own key and of nothing else, whatever was asked before.
///
/// `Key` has ==, `std::uint64_t hash() const`, and a default value that nobody asks for.
template <typename Key, typename Value>
class Remembered {
 public:
  /// Room for 2^(bits + 1) results; bits >= 1.
  explicit Remembered(unsigned bits) : shift_(64 - bits), pairs_(std::size_t{1} << bits) {}

  /// The result for `key`, good until the next call. Where it is not remembered, `compute(value)`
  /// writes it over a value of another key; it must not ask this object.
  template <typename Compute>
  const Value& of(const Key& key, Compute compute) {
    Pair& pair = pairs_[key.hash() >> shift_];
    if (!(pair.keys[pair.latest] == key)) {
      pair.latest = 1 - pair.latest;
      if (!(pair.keys[pair.latest] == key)) {
        pair.keys[pair.latest] = Key{};
        compute(pair.values[pair.latest]);
        pair.keys[pair.latest] = key;
      }
    }
    return pair.values[pair.latest];
  }

 private:
  struct Pair {
    std::array<Key, 2> keys{};
    std::size_t latest = 0;
    std::array<Value, 2> values{};
  };

  unsigned shift_;
  std::vector<Pair> pairs_;
};

}  // namespace cubicbench::sim
