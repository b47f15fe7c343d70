#include "sim/memory/caching_allocator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cubicbench::sim {
namespace {

constexpr double kib = 1024.0;
constexpr double mebibyte = 1024.0 * kib;

CachingAllocator roomy() { return CachingAllocator(80_GiB); }

TEST(CachingAllocator, TakesSegmentsBySize) {
  struct Case {
    const char* name;
    double asked;
    double allocated;
    double reserved;
  };
  for (const Case& c :
       {Case{"a byte is 512 of a small segment", 1.0, 512.0, 2 * mebibyte},
        Case{"513 bytes are two units", 513.0, 1024.0, 2 * mebibyte},
        Case{"1 MiB is small", mebibyte, mebibyte, 2 * mebibyte},
        Case{"more is not", mebibyte + 1, mebibyte + 512, 20 * mebibyte},
        Case{"the last that shares", 10 * mebibyte - 512, 10 * mebibyte - 512, 20 * mebibyte},
        Case{"10 MiB have a segment of their own", 10 * mebibyte, 10 * mebibyte, 10 * mebibyte},
        // 12 MiB, of which less than 1 MiB is never cut off.
        Case{"in steps of 2 MiB", 11.5 * mebibyte, 12 * mebibyte, 12 * mebibyte}}) {
    SCOPED_TRACE(c.name);
    CachingAllocator allocator = roomy();
    EXPECT_NE(allocator.allocate(Bytes{c.asked}), BlockHandle::none);
    EXPECT_EQ(allocator.allocated().value, c.allocated);
    EXPECT_EQ(allocator.reserved().value, c.reserved);
  }
}

TEST(CachingAllocator, TakesTheSmallestBlockThatFits) {
  CachingAllocator allocator = roomy();
  const BlockHandle thirty = allocator.allocate(30_MiB);
  const BlockHandle twenty_four = allocator.allocate(24_MiB);
  allocator.free(thirty);
  allocator.free(twenty_four);
  // 24 MiB: 1 MiB would be left, which is not cut off, so that it counts as allocated.
  EXPECT_EQ(allocator.allocate(23_MiB), twenty_four);
  EXPECT_EQ(allocator.allocated(), 24_MiB);
  // 30 MiB: 8 MiB are left, and the next request is cut from them.
  EXPECT_EQ(allocator.allocate(22_MiB), thirty);
  EXPECT_EQ(allocator.allocated(), 46_MiB);
  allocator.allocate(8_MiB);
  EXPECT_EQ(allocator.reserved(), 54_MiB);
}

TEST(CachingAllocator, MergesNeighboursOfASegment) {
  CachingAllocator allocator = roomy();
  allocator.free(allocator.allocate(60_MiB));
  const BlockHandle first = allocator.allocate(20_MiB);
  const BlockHandle second = allocator.allocate(20_MiB);
  const BlockHandle third = allocator.allocate(20_MiB);
  allocator.free(first);
  allocator.free(third);
  allocator.free(second);  // with both neighbours
  allocator.allocate(60_MiB);
  EXPECT_EQ(allocator.reserved(), 60_MiB);
}

TEST(CachingAllocator, DoesNotMergeSegments) {
  CachingAllocator allocator = roomy();
  const BlockHandle first = allocator.allocate(20_MiB);
  const BlockHandle second = allocator.allocate(20_MiB);
  allocator.free(first);
  allocator.free(second);
  allocator.allocate(40_MiB);
  EXPECT_EQ(allocator.reserved(), 80_MiB);
}

TEST(CachingAllocator, GivesWholeSegmentsBackBeforeItFails) {
  CachingAllocator allocator(100_MiB);
  allocator.free(allocator.allocate(60_MiB));
  EXPECT_NE(allocator.allocate(80_MiB), BlockHandle::none);
  EXPECT_EQ(allocator.retries(), 1);
  EXPECT_EQ(allocator.reserved(), 80_MiB);
  EXPECT_EQ(allocator.reserved_peak(), 80_MiB);
  EXPECT_EQ(allocator.allocate(22_MiB), BlockHandle::none);
}

TEST(CachingAllocator, KeepsSegmentsThatAreInUse) {
  CachingAllocator allocator(100_MiB);
  allocator.free(allocator.allocate(60_MiB));
  allocator.allocate(10_MiB);  // of those 60
  EXPECT_EQ(allocator.allocate(80_MiB), BlockHandle::none);
  EXPECT_EQ(allocator.reserved(), 60_MiB);
  EXPECT_NE(allocator.allocate(50_MiB), BlockHandle::none);
}

TEST(CachingAllocator, StartsAnew) {
  CachingAllocator allocator(100_MiB);
  allocator.allocate(60_MiB);
  allocator.reset(50_MiB);
  EXPECT_EQ(allocator.reserved(), Bytes{});
  EXPECT_EQ(allocator.allocate(60_MiB), BlockHandle::none);
}

/// The same rules, looked up one after another in a list.
class SlowAllocator {
 public:
  std::size_t allocate(std::int64_t size) {
    const std::int64_t asked = std::max<std::int64_t>(512, (size + 511) / 512 * 512);
    const bool small = asked <= 1'048'576;
    std::size_t best = blocks_.size();
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const Block& block = blocks_[i];
      if (block.used || block.small != small || block.size < asked) continue;
      if (best == blocks_.size() || block.size < blocks_[best].size ||
          (block.size == blocks_[best].size && block.address < blocks_[best].address)) {
        best = i;
      }
    }
    if (best == blocks_.size()) {
      const std::int64_t segment = small ? 2'097'152
                                   : asked < 10'485'760
                                       ? 20'971'520
                                       : (asked + 2'097'151) / 2'097'152 * 2'097'152;
      blocks_.push_back({next_, segment, next_, small, false});
      next_ += segment;
      reserved += segment;
    }
    const std::int64_t left = blocks_[best].size - asked;
    if (small ? left >= 512 : left > 1'048'576) {
      blocks_.push_back({blocks_[best].address + asked, left, blocks_[best].segment, small, false});
      blocks_[best].size = asked;
    }
    blocks_[best].used = true;
    return static_cast<std::size_t>(blocks_[best].address);
  }

  void free(std::size_t address) {
    for (Block& block : blocks_) {
      if (block.used && block.address == static_cast<std::int64_t>(address)) block.used = false;
    }
    for (bool again = true; again;) {
      again = false;
      for (std::size_t i = 0; i < blocks_.size() && !again; ++i) {
        for (std::size_t j = 0; j < blocks_.size() && !again; ++j) {
          if (blocks_[i].used || blocks_[j].used || blocks_[i].segment != blocks_[j].segment ||
              blocks_[i].address + blocks_[i].size != blocks_[j].address) {
            continue;
          }
          blocks_[i].size += blocks_[j].size;
          blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(j));
          again = true;
        }
      }
    }
  }

  std::int64_t reserved = 0;

 private:
  struct Block {
    std::int64_t address;
    std::int64_t size;
    std::int64_t segment;
    bool small;
    bool used;
  };
  std::vector<Block> blocks_;
  std::int64_t next_ = 0;
};

TEST(CachingAllocator, AgreesWithASlowOne) {
  std::uint64_t state = 1;
  const auto draw = [&](std::uint64_t below) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (state >> 33) % below;
  };
  CachingAllocator fast = roomy();
  SlowAllocator slow;
  std::vector<BlockHandle> in_fast;
  std::vector<std::size_t> in_slow;
  for (int i = 0; i < 1500; ++i) {
    if (in_fast.size() > 40 || (!in_fast.empty() && draw(3) == 0)) {
      const std::size_t which = draw(in_fast.size());
      fast.free(in_fast[which]);
      slow.free(in_slow[which]);
      in_fast.erase(in_fast.begin() + static_cast<std::ptrdiff_t>(which));
      in_slow.erase(in_slow.begin() + static_cast<std::ptrdiff_t>(which));
      continue;
    }
    const auto size = static_cast<std::int64_t>(1 + draw(1ULL << (8 + draw(19))));
    in_fast.push_back(fast.allocate(Bytes{static_cast<double>(size)}));
    in_slow.push_back(slow.allocate(size));
    ASSERT_EQ(fast.reserved().value, static_cast<double>(slow.reserved)) << "request " << i;
  }
}

}  // namespace
}  // namespace cubicbench::sim
