#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "results/document/table.h"

namespace cubicbench::results {

/// A number as it is, null for what is not known or not finite.
nlohmann::ordered_json json_of(const Cell& cell);

/// One row as an object: a key a column, in their order, dots leading into objects; absent cells
/// have no key.
nlohmann::ordered_json json_of(std::span<const Column> columns, std::span<const Cell> row);

/// Every row of the table, as an array of objects.
nlohmann::ordered_json json_of(const Table& table);

/// `item` as an object by its fields.
template <typename T>
auto json_of(const T& item, std::span<const Field<T>> fields) {
  return json_of(columns_of(fields), cells_of(item, fields));
}

}  // namespace cubicbench::results
