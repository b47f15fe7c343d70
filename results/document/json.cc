#include "results/document/json.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "sim/base/check.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;

struct JsonValue {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(Cell::Absent) const { return nullptr; }
  Json operator()(double value) const { return std::isfinite(value) ? Json(value) : Json(); }
  Json operator()(const ShareBar& bar) const { return bar.words; }
  Json operator()(const Record& record) const {
    Json object = Json::object();
    for (const auto& [key, cell] : record.members) object[key] = json_of(cell);
    return object;
  }
  template <typename Value>
  Json operator()(const Value& value) const {
    return value;
  }
};

/// Where the key leads from `object` on.
Json& place_of(Json& object, std::string_view key) {
  const std::size_t dot = key.find('.');
  Json& member = object[std::string(key.substr(0, dot))];
  return dot == std::string_view::npos ? member : place_of(member, key.substr(dot + 1));
}

}  // namespace

Json json_of(const Cell& cell) { return std::visit(JsonValue(), cell.value()); }

Json json_of(std::span<const Column> columns, std::span<const Cell> row) {
  SIM_ASSERT(row.size() == columns.size(), row.size(), columns.size());
  Json object = Json::object();
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (columns[i].in_json && !row[i].absent()) place_of(object, columns[i].key) = json_of(row[i]);
  }
  return object;
}

Json json_of(const Table& table) {
  Json rows = Json::array();
  for (const std::vector<Cell>& row : table.rows) rows.push_back(json_of(table.columns, row));
  return rows;
}

}  // namespace cubicbench::results
