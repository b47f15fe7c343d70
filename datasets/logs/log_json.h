#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "datasets/logs/log_recorder.h"

namespace cubicbench::datasets {

/// The JSON object of one line of a log; what is none is named and not used.
std::optional<nlohmann::ordered_json> parsed_record(std::string_view text, std::size_t line,
                                                    LogRecorder& out);

/// The whole log as one document; what is none is a problem.
std::optional<nlohmann::ordered_json> parsed_document(std::string_view bytes, LogRecorder& out);

/// The member of an object, or null.
const nlohmann::ordered_json* member(const nlohmann::ordered_json& object, std::string_view name);

/// A number or a text as it would stand in a line; "" for anything else.
std::string json_word(const nlohmann::ordered_json& value);

/// The member of an object as a number; nothing where it is missing or none.
std::optional<double> number_member(const nlohmann::ordered_json& object, std::string_view name);

}  // namespace cubicbench::datasets
