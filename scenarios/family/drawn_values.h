#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "support/input_error.h"

namespace cubicbench::scenarios {

/// Whose member is drawn: of two lists, members that everybody may know take values from the first,
/// sealed ones from the second.
enum class Audience { everybody, sealed };

/// Draws the values that the family's "draw" lists, one after another, so that later ones may
/// depend on earlier ones: an object with a member a value. Value i is a function of (`seed`, i),
/// so one more at the end leaves the others as they are.
///
/// An entry has a "name" and one of
///   "one_of": values (or {"public": values, "sealed": values}, or a reference to a list), with
///             "weights" of the same number if they are not equally likely;
///   "uniform": [min, max] with a "step": a multiple of the step within the limits;
///   "product": numbers, divided by those of "over", as a multiple of "step" (the nearest, at least
///             one step).
/// Wherever a value stands, {"$": "model.layers"} stands for a value that is drawn already, or a
/// member of it. What is wrong is added to `problems`, at `file`#/draw.
nlohmann::ordered_json drawn_values(const nlohmann::ordered_json& draw, const std::string& file,
                                    Audience audience, std::uint64_t seed,
                                    std::vector<support::Problem>& problems);

/// `pattern` with drawn values in place of references: {"$": "model.layers"} is the value itself,
/// {"$text": [...]} the texts and numbers (billions as "1.5 B") of the list one after another,
/// {"$merge": [...]} one object with the members of all. What is null is left out of lists and
/// objects. Problems are those of `file` at `pointer` and below.
nlohmann::ordered_json expanded(const nlohmann::ordered_json& pattern,
                                const nlohmann::ordered_json& values, const std::string& file,
                                const std::string& pointer,
                                std::vector<support::Problem>& problems);

}  // namespace cubicbench::scenarios
