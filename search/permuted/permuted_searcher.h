#pragma once

#include <cstdint>
#include <memory>

#include "search/permuted/permuted_space.h"
#include "search/searchers/registry.h"
#include "search/searchers/searcher.h"
#include "search/study/study.h"

namespace cubicbench::search {

/// A searcher that sees the space permuted by `key` [search/permuted/permuted_space.h] and is asked
/// and told in the space as it is, so that studies, backends and journals need not know. What it is
/// told is the same but for the order of things. Throws InputError as PermutedSpace does.
std::unique_ptr<Searcher> make_permuted_searcher(const SearcherSpec& spec,
                                                 const SearchContext& context, std::uint64_t key,
                                                 Shuffled which = Shuffled::categories);

/// The searcher of a study, which sees the scenario's space as it is or permuted, as the study
/// says. `scenario` must outlive it.
std::unique_ptr<Searcher> searcher_of(const StudySpec& spec, const scenarios::Scenario& scenario);

}  // namespace cubicbench::search
