#pragma once

#include <string>
#include <string_view>

#include "support/json/object_reader.h"

namespace cubicbench::datasets {

/// Text of a file of datasets/measured/, which must ship: measured_json("models.json"), a table
/// too.
std::string_view measured_json(std::string_view name);

/// How messages name that file: "datasets/measured/models.json".
std::string measured_json_path(std::string_view name);

/// The string at `key`, which must be there; "" is a problem too.
std::string non_empty(support::ObjectReader& in, std::string_view key);

/// The value at `key` as a cell of a table has it: files of defaults may say 1, true or "none".
std::string cell_value(support::ObjectReader& in, std::string_view key);

}  // namespace cubicbench::datasets
