#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "sim/base/units.h"

namespace cubicbench::sim {

/// Blocks handed out by a CachingAllocator.
enum class BlockHandle : std::uint32_t { none = 0xffffffff };

/// PyTorch's allocator of device memory, without a device: the same requests in the same order
/// take the same bytes from it. Source: c10/cuda/CUDACachingAllocator.cpp, default settings
/// (github.com/pytorch/pytorch, 2024):
///
///   sizes are rounded up to 512 B;
///   requests up to 1 MiB are cut from segments of 2 MiB, below 10 MiB from segments of 20 MiB,
///   larger ones have a segment of their own, rounded up to 2 MiB;
///   the smallest free block that is large enough is taken, of equals the lowest address, and split
///   when 512 B (requests up to 1 MiB) or more than 1 MiB (others) are left;
///   free neighbours in a segment merge;
///   segments that are wholly free go back to the device only when it has no room for a new one.
///
/// Left out: streams other than the compute stream, expandable segments, tuning by environment
/// variables, and the driver's own granularity. All sizes are whole bytes. Not safe for threads.
class CachingAllocator {
 public:
  /// Of a device that has `capacity` bytes to give.
  explicit CachingAllocator(Bytes capacity) { reset(capacity); }

  /// As new; keeps its buffers.
  void reset(Bytes capacity);

  /// A block of at least `size` bytes; `none` when the device has no room even after all cached
  /// segments went back. Empty requests take a block of the smallest size.
  BlockHandle allocate(Bytes size);

  /// Requires a block that is in use.
  void free(BlockHandle handle);

  /// What is asked for and not yet freed, rounded.
  Bytes allocated() const { return bytes(allocated_); }
  /// What the device gave and did not get back.
  Bytes reserved() const { return bytes(reserved_); }
  /// Its largest value so far.
  Bytes reserved_peak() const { return bytes(reserved_peak_); }
  /// Requests that gave cached segments back and asked the device again.
  std::int64_t retries() const { return retries_; }

 private:
  using Index = std::uint32_t;
  static constexpr Index no_block = 0xffffffff;

  struct Block {
    std::int64_t address = 0;
    std::int64_t size = 0;
    Index before = no_block;  ///< neighbours in the segment
    Index after = no_block;
    bool small = false;
    bool is_free = false;
  };

  /// How free blocks are looked for.
  struct Order {
    std::int64_t size = 0;
    std::int64_t address = 0;
    auto operator<=>(const Order&) const = default;
  };
  using Pool = std::map<Order, Index>;

  static Bytes bytes(std::int64_t count) { return Bytes{static_cast<double>(count)}; }
  Pool& pool_of(const Block& block) { return block.small ? small_ : large_; }
  Index new_block(const Block& block);
  void insert(Index index);
  void erase(Index index);
  Index take_best_fit(std::int64_t size, bool small);
  Index take_segment(std::int64_t size, bool small);
  void split(Index index, std::int64_t size);
  Index merged(Index index, Index neighbour);
  void give_back_segments(Pool& pool);

  std::vector<Block> blocks_;
  std::vector<Index> spare_;  ///< rows of blocks_ that are not in use
  Pool small_;
  Pool large_;
  std::int64_t capacity_ = 0;
  std::int64_t next_address_ = 0;
  std::int64_t allocated_ = 0;
  std::int64_t reserved_ = 0;
  std::int64_t reserved_peak_ = 0;
  std::int64_t retries_ = 0;
};

}  // namespace cubicbench::sim
