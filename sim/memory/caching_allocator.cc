#include "sim/memory/caching_allocator.h"

#include <algorithm>
#include <cmath>

#include "sim/base/check.h"

namespace cubicbench::sim {
namespace {

constexpr std::int64_t kib = 1024;
constexpr std::int64_t mib = 1024 * kib;
constexpr std::int64_t rounding = 512;       // of every request
constexpr std::int64_t small_max = 1 * mib;  // requests from small segments
constexpr std::int64_t small_segment = 2 * mib;
constexpr std::int64_t middle_end = 10 * mib;  // requests below share segments
constexpr std::int64_t middle_segment = 20 * mib;
constexpr std::int64_t segment_rounding = 2 * mib;

std::int64_t rounded_up(std::int64_t size, std::int64_t unit) {
  return (size + unit - 1) / unit * unit;
}

std::int64_t whole(Bytes bytes) { return static_cast<std::int64_t>(std::ceil(bytes.value)); }

std::int64_t segment_size(std::int64_t size) {
  if (size <= small_max) return small_segment;
  return size < middle_end ? middle_segment : rounded_up(size, segment_rounding);
}

}  // namespace

void CachingAllocator::reset(Bytes capacity) {
  blocks_.clear();
  spare_.clear();
  small_.clear();
  large_.clear();
  capacity_ = whole(capacity);
  next_address_ = 0;
  allocated_ = reserved_ = reserved_peak_ = retries_ = 0;
}

BlockHandle CachingAllocator::allocate(Bytes size) {
  const std::int64_t asked = std::max(rounding, rounded_up(whole(size), rounding));
  const bool small = asked <= small_max;
  Index index = take_best_fit(asked, small);
  if (index == no_block) index = take_segment(asked, small);
  if (index == no_block) return BlockHandle::none;
  split(index, asked);
  allocated_ += blocks_[index].size;
  return static_cast<BlockHandle>(index);
}

void CachingAllocator::free(BlockHandle handle) {
  auto index = static_cast<Index>(handle);
  SIM_ASSERT(index < blocks_.size() && !blocks_[index].is_free, index);
  allocated_ -= blocks_[index].size;
  index = merged(index, blocks_[index].before);
  index = merged(index, blocks_[index].after);
  blocks_[index].is_free = true;
  insert(index);
}

CachingAllocator::Index CachingAllocator::new_block(const Block& block) {
  if (spare_.empty()) {
    blocks_.push_back(block);
    return static_cast<Index>(blocks_.size() - 1);
  }
  const Index index = spare_.back();
  spare_.pop_back();
  blocks_[index] = block;
  return index;
}

void CachingAllocator::insert(Index index) {
  const Block& block = blocks_[index];
  pool_of(block).emplace(Order{block.size, block.address}, index);
}

void CachingAllocator::erase(Index index) {
  const Block& block = blocks_[index];
  pool_of(block).erase(Order{block.size, block.address});
}

CachingAllocator::Index CachingAllocator::take_best_fit(std::int64_t size, bool small) {
  Pool& pool = small ? small_ : large_;
  const auto best = pool.lower_bound(Order{size, 0});
  if (best == pool.end()) return no_block;
  const Index index = best->second;
  pool.erase(best);
  blocks_[index].is_free = false;
  return index;
}

CachingAllocator::Index CachingAllocator::take_segment(std::int64_t size, bool small) {
  const std::int64_t segment = segment_size(size);
  if (reserved_ + segment > capacity_) {
    ++retries_;
    give_back_segments(small_);
    give_back_segments(large_);
    if (reserved_ + segment > capacity_) return no_block;
  }
  const Index index = new_block({.address = next_address_, .size = segment, .small = small});
  next_address_ += segment;
  reserved_ += segment;
  reserved_peak_ = std::max(reserved_peak_, reserved_);
  return index;
}

void CachingAllocator::split(Index index, std::int64_t size) {
  const std::int64_t left = blocks_[index].size - size;
  const bool small = blocks_[index].small;
  if (small ? left < rounding : left <= small_max) return;
  const Index rest = new_block({.address = blocks_[index].address + size,
                                .size = left,
                                .before = index,
                                .after = blocks_[index].after,
                                .small = small,
                                .is_free = true});
  if (blocks_[rest].after != no_block) blocks_[blocks_[rest].after].before = rest;
  blocks_[index].after = rest;
  blocks_[index].size = size;
  insert(rest);
}

/// Joins two neighbours of one segment when the second is free; the lower row remains.
CachingAllocator::Index CachingAllocator::merged(Index index, Index neighbour) {
  if (neighbour == no_block || !blocks_[neighbour].is_free) return index;
  erase(neighbour);
  const bool is_before = blocks_[index].before == neighbour;
  const Index low = is_before ? neighbour : index;
  const Index high = is_before ? index : neighbour;
  blocks_[low].size += blocks_[high].size;
  blocks_[low].after = blocks_[high].after;
  if (blocks_[low].after != no_block) blocks_[blocks_[low].after].before = low;
  spare_.push_back(high);
  return low;
}

void CachingAllocator::give_back_segments(Pool& pool) {
  std::erase_if(pool, [&](const auto& entry) {
    const Block& block = blocks_[entry.second];
    const bool is_segment = block.before == no_block && block.after == no_block;
    if (!is_segment) return false;
    reserved_ -= block.size;
    spare_.push_back(entry.second);
    return true;
  });
}

}  // namespace cubicbench::sim
