#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace cubicbench::results {

/// What the dotted `path` leads to in `answers`: from key to key; elements of an array are known by
/// their "name", "id", "searcher" or "predictor", or by their place from 0. Throws InputError at
/// `where` with what is there in its place.
const nlohmann::ordered_json& value_at(const nlohmann::ordered_json& answers, std::string_view path,
                                       const std::string& where);

/// The number that `formula` comes to: numbers, paths, `+ - * / ^` with spaces around them,
/// brackets. Throws InputError at `where`, also for a path that leads to no number and a division
/// by zero.
double formula_value(const nlohmann::ordered_json& answers, std::string_view formula,
                     const std::string& where);

}  // namespace cubicbench::results
