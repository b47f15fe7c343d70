#pragma once

#include <cstdint>
#include <memory>

#include "search/registry.h"
#include "search/searcher.h"

namespace cubicbench::search {

/// A searcher that sees the space permuted by `key` [search/permuted_space.h] and is asked and told
/// in the space as it is, so that studies, backends and journals need not know. What it is told is
/// the same but for the order of things. Throws InputError as PermutedSpace does.
std::unique_ptr<Searcher> make_permuted_searcher(const SearcherSpec& spec,
                                                 const SearchContext& context, std::uint64_t key);

}  // namespace cubicbench::search
