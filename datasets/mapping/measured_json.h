#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "support/input_error.h"
#include "support/json/object_reader.h"

namespace cubicbench::datasets {

/// Text of a file of datasets/measured/, which must ship: measured_json("models.json"), a table
/// too.
std::string_view measured_json(std::string_view name);

/// What `read`, such as read_model_catalog(), makes of that file; it is read once.
template <auto read>
const auto& shipped(std::string_view name) {
  static const auto value = read(measured_json(name), "datasets/measured/" + std::string(name));
  return value;
}

/// Reads the top of a JSON document of `schema`. Throws InputError with every problem.
void read_measured_object(std::string_view text, const std::string& file, std::string_view schema,
                          const std::function<void(support::ObjectReader&)>& read);

/// What `read` makes of it.
template <class Read>
auto read_measured_json(std::string_view text, const std::string& file, std::string_view schema,
                        const Read& read) {
  std::invoke_result_t<Read, support::ObjectReader&> value;
  read_measured_object(text, file, schema, [&](support::ObjectReader& in) { value = read(in); });
  return value;
}

/// What `read` makes of each object.
template <class Read>
auto read_each(const std::vector<support::ValueReader>& entries, const Read& read) {
  std::vector<std::invoke_result_t<Read, support::ObjectReader&>> all;
  for (const support::ValueReader& entry : entries) {
    support::ObjectReader in = entry.object();
    all.push_back(read(in));
    in.finish();
  }
  return all;
}

/// The string at `key`, which must be there; "" is a problem too.
std::string non_empty(support::ObjectReader& in, std::string_view key);

/// What `read` makes of each of these rules. Each gives its reason at "why", for people: no program
/// reads it.
template <class Read>
auto read_rules(const std::vector<support::ValueReader>& entries, const Read& read) {
  return read_each(entries, [&](support::ObjectReader& in) {
    auto rule = read(in);
    non_empty(in, "why");
    return rule;
  });
}

/// The value at `key` as a cell of a table has it: files of defaults may say 1, true or "none".
std::string cell_value(support::ObjectReader& in, std::string_view key);

}  // namespace cubicbench::datasets
