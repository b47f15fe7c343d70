#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace cubicbench::sim {

/// Results of a pure function for keys that were asked for lately. Each key has two places, of
/// which it takes the one that was not used last; what it finds there is forgotten. So a result is
/// what the function says of its own key and of nothing else, whatever was asked before. A place
/// takes memory for its result when it is used first.
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
        compute(written(pair.values[pair.latest]));
        pair.keys[pair.latest] = key;
      }
    }
    return values_[pair.values[pair.latest]];
  }

 private:
  static constexpr std::uint32_t none = 0xffff'ffff;

  struct Pair {
    std::array<Key, 2> keys{};
    std::array<std::uint32_t, 2> values{none, none};  ///< their rows
    std::uint32_t latest = 0;
  };

  Value& written(std::uint32_t& row) {
    if (row == none) {
      row = static_cast<std::uint32_t>(values_.size());
      values_.emplace_back();
    }
    return values_[row];
  }

  unsigned shift_;
  std::vector<Pair> pairs_;
  std::deque<Value> values_;
};

/// Halves of steps by key, an array of words. Holds a bounded number of them and forgets all at
/// once when that is reached: who walks through a space comes back to few.
template <typename Key, typename Half>
class RememberedHalves {
 public:
  explicit RememberedHalves(std::size_t most) : most_(most), slots_(16, none) {}

  /// The half of that key, which `make` makes where there is none. The reference holds until the
  /// next call.
  template <typename Make>
  Half& get(const Key& key, Make make) {
    // Whoever walks in order finds each behind the one before.
    if (last_ < size_ && is_same(entry(last_).key, key)) return entry(last_).half;
    if (last_ + 1 < size_ && is_same(entry(last_ + 1).key, key)) return entry(++last_).half;
    std::size_t slot = find(key);
    if (slots_[slot] == none) {
      Half made = make();
      if (size_ == most_) forget();
      if (2 * (size_ + 1) > slots_.size()) grow();
      slot = find(key);
      slots_[slot] = static_cast<std::uint32_t>(size_);
      add({key, std::move(made)});
    }
    last_ = slots_[slot];
    return entry(last_).half;
  }

 private:
  static constexpr std::uint32_t none = 0xffff'ffff;
  static constexpr std::size_t chunk_size = 256;

  struct Entry {
    Key key;
    Half half;
  };

  Entry& entry(std::size_t row) { return chunks_[row / chunk_size][row % chunk_size]; }

  void add(Entry made) {
    const std::size_t chunk = size_++ / chunk_size;
    if (chunk == chunks_.size()) chunks_.emplace_back().reserve(chunk_size);
    chunks_[chunk].push_back(std::move(made));
  }

  static std::uint64_t hash_of(const Key& key) {
    std::uint64_t hash = 0;
    for (const std::uint64_t word : key) {
      hash = (hash ^ word) * 0x9e37'79b9'7f4a'7c15;
      hash ^= hash >> 29;
    }
    return hash;
  }

  /// Without a call, which == of arrays is.
  static bool is_same(const Key& a, const Key& b) {
    std::uint64_t differ = 0;
    for (std::size_t i = 0; i < a.size(); ++i) differ |= a[i] ^ b[i];
    return differ == 0;
  }

  /// The slot of a key, or the empty one that it belongs into.
  std::size_t find(const Key& key) {
    std::size_t slot = hash_of(key) & (slots_.size() - 1);
    while (slots_[slot] != none && !is_same(entry(slots_[slot]).key, key)) {
      slot = (slot + 1) & (slots_.size() - 1);
    }
    return slot;
  }

  void forget() {
    for (std::vector<Entry>& chunk : chunks_) chunk.clear();
    size_ = 0;
    slots_.assign(slots_.size(), none);
  }

  void grow() {
    slots_.assign(2 * slots_.size(), none);
    for (std::size_t i = 0; i < size_; ++i) {
      slots_[find(entry(i).key)] = static_cast<std::uint32_t>(i);
    }
  }

  std::size_t most_;
  std::size_t size_ = 0;
  std::size_t last_ = 0;
  std::vector<std::vector<Entry>> chunks_;  ///< which stay where they are as others are added
  std::vector<std::uint32_t> slots_;        ///< a power of two of them, at most half full
};

}  // namespace cubicbench::sim
