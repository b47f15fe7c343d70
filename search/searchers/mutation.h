#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "scenarios/space/search_space.h"
#include "search/searchers/random_stream.h"
#include "search/searchers/unproposed.h"

namespace cubicbench::search {

/// Gives one active parameter another value: each parameter that has one is as likely as another,
/// and so is each of its other values, whatever the parameter's type. Parameters that this makes
/// active get a uniform value, those that it makes inactive are marked. Returns whether the result
/// is a configuration of the space; if not (a constraint rejects it, or no active parameter has two
/// values) it is to be thrown away. Requires a configuration of the space.
bool mutate(const scenarios::SearchSpace& space, std::span<std::int64_t> configuration,
            RandomStream& random);

/// `changes` mutations of `from` in a row, and more until the result was never proposed; nothing
/// when a hundred find none. Requires a configuration of the space.
std::optional<scenarios::Configuration> fresh_mutation(const scenarios::SearchSpace& space,
                                                       const scenarios::Configuration& from,
                                                       std::int64_t changes, Unproposed& unproposed,
                                                       RandomStream& random);

}  // namespace cubicbench::search
