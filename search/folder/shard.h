#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cubicbench::search {

/// A part of a search: of its studies, in the order of the plan and numbered from 0, those whose
/// number modulo `of` is `index` - 1, so that every shard has its share of all searchers and seeds.
struct Shard {
  std::int64_t index = 1;  ///< 1 .. of
  std::int64_t of = 1;     ///< at most studies_max

  bool operator==(const Shard&) const = default;
};

inline bool is_whole(const Shard& shard) { return shard.of == 1; }

/// Does the shard have the study of that number?
inline bool has_study(const Shard& shard, std::int64_t number) {
  return number % shard.of == shard.index - 1;
}

/// Of `studies`, does the shard have none, as some do where there are more shards?
inline bool has_no_study(const Shard& shard, std::int64_t studies) { return shard.index > studies; }

/// Reads "2/3". Throws InputError at `where`.
Shard parse_shard(std::string_view text, const std::string& where);

/// Inverse of parse_shard().
std::string text_of(const Shard& shard);

}  // namespace cubicbench::search
