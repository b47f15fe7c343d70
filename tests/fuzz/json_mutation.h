#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tests/fuzz/dice.h"

namespace cubicbench::fuzz {

/// `text`, one JSON document, with one change of what it says. `donors` are documents of the same
/// schema, from which names and values are taken. A text that is no JSON has a byte changed.
std::string json_changed(const std::string& text, const std::vector<std::string>& donors,
                         Dice& dice);

/// One byte lost, doubled, exchanged, or a piece repeated.
std::string bytes_changed(std::string text, Dice& dice);

/// A number or a text that is seldom thought of, as JSON.
nlohmann::ordered_json odd_value(Dice& dice);

}  // namespace cubicbench::fuzz
