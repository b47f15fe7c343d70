#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "results/document/figure.h"
#include "results/studies/searcher_curves.h"

namespace cubicbench::results {

/// Does the searcher work in rounds: has any launch a round after the first?
bool has_rounds(const SearcherCurves& curves);

/// The round that each place on the x axis belongs to, place 1 first: the latest that the first
/// seed had begun by then, so that it never falls; of places with short launches alone that of the
/// next whole one. As many as places_of(); empty without rounds.
std::vector<std::int64_t> rounds_of(const SearcherCurves& curves, bool hide_failures);

/// `whole`, whose points stand at places 1, 2 .. of the x axis, as a series per round in the
/// round's colour. A piece of a line starts where the piece before it ended. `rounds` has a round
/// per place.
std::vector<Series> colored_by_round(const Series& whole, const std::vector<std::int64_t>& rounds);

/// What the legend says of the colours: "round 0", "round 1" and so on in the look of `key`; of
/// many rounds only some, the first and the last among them.
std::vector<Series> round_keys(const Series& key, const std::vector<std::int64_t>& rounds);

}  // namespace cubicbench::results
