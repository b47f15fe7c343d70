#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace cubicbench::datasets {

// How lines of logs are taken apart. All answers point into the text.

/// Without white space at both ends.
std::string_view trimmed(std::string_view text);

/// What follows the first `marker`; nothing where it is missing.
std::optional<std::string_view> after(std::string_view text, std::string_view marker);

/// Up to the first blank; blanks at the start are passed over.
std::string_view first_word(std::string_view text);

/// The digits at the start of `text`, with commas between them; blanks before are passed over.
std::string_view leading_count(std::string_view text);

bool contains(std::string_view text, std::string_view part);

/// One `name: value` of a record.
struct LogField {
  std::string_view name;
  std::string_view value;
};

/// The fields of `a: 1 | b: 2` with separator "|" and assignment ": ", without blanks around
/// them. A piece without assignment is a name without value; empty pieces are left out.
std::vector<LogField> fields_of(std::string_view text, std::string_view separator,
                                std::string_view assignment);

/// The fields of `a: 1  b: 2`, whose values have no blanks in them.
std::vector<LogField> spaced_fields(std::string_view text);

/// The value of the field of that name; nothing where there is none.
std::optional<std::string_view> value_of(const std::vector<LogField>& fields,
                                         std::string_view name);

}  // namespace cubicbench::datasets
