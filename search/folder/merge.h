#pragma once

#include <filesystem>
#include <vector>

#include "search/folder/campaign.h"
#include "search/folder/plan_reader.h"

namespace cubicbench::search {

/// What the shards of a search came to together.
struct MergedSearch {
  AskedSearch asked;
  SearchResult result;  ///< as that of the whole search
};

/// Puts the folders that all shards of one search left together in `out`, which is then byte for
/// byte the folder of the whole search. Written beside it first, in a support::NewFolder.
///
/// Throws InputError, with everything that is wrong, for folders that are no shards of one search
/// of this version, one that is missing or there twice, a study that is missing, damaged or not
/// finished, and an `out` that holds something or is the working folder; OutputError when a shard
/// is being searched just now or `out` cannot be written. A study that made fewer launches than it
/// might have is finished if its searcher has no more to propose, which is found out by asking it
/// again; the scenario must be one of the library for that.
MergedSearch merge_searches(const std::vector<std::filesystem::path>& shards,
                            const std::filesystem::path& out);

}  // namespace cubicbench::search
