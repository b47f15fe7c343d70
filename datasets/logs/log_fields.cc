#include "datasets/logs/log_fields.h"

#include <algorithm>

#include "support/characters.h"

namespace cubicbench::datasets {
namespace {

constexpr std::string_view blanks = " \t";

LogField field_of(std::string_view piece, std::string_view assignment) {
  const std::size_t at = piece.find(assignment);
  if (at == std::string_view::npos) return {.name = piece, .value = {}};
  return {.name = trimmed(piece.substr(0, at)),
          .value = trimmed(piece.substr(at + assignment.size()))};
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

std::optional<std::string_view> after(std::string_view text, std::string_view marker) {
  const std::size_t at = text.find(marker);
  if (at == std::string_view::npos) return std::nullopt;
  return text.substr(at + marker.size());
}

std::string_view first_word(std::string_view text) {
  text = trimmed(text);
  return text.substr(0, text.find_first_of(blanks));
}

std::string_view leading_count(std::string_view text) {
  text = trimmed(text);
  const auto is_of_count = [](char c) { return support::is_digit(c) || c == ','; };
  const auto end = std::ranges::find_if_not(text, is_of_count);
  std::string_view count = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  while (count.ends_with(',')) count.remove_suffix(1);
  return count;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::vector<LogField> fields_of(std::string_view text, std::string_view separator,
                                std::string_view assignment) {
  std::vector<LogField> fields;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view piece = trimmed(text.substr(0, end));
    if (!piece.empty()) fields.push_back(field_of(piece, assignment));
    text.remove_prefix(std::min(end + separator.size(), text.size()));
  }
  return fields;
}

std::vector<LogField> spaced_fields(std::string_view text) {
  std::vector<LogField> fields;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) {
      fields.push_back({.name = text, .value = {}});
      break;
    }
    const std::string_view value = first_word(text.substr(colon + 1));
    fields.push_back({.name = trimmed(text.substr(0, colon)), .value = value});
    const std::size_t used =
        value.empty() ? text.size()
                      : static_cast<std::size_t>(value.data() - text.data()) + value.size();
    text.remove_prefix(used);
  }
  return fields;
}

std::optional<std::string_view> value_of(const std::vector<LogField>& fields,
                                         std::string_view name) {
  const auto found = std::ranges::find(fields, name, &LogField::name);
  if (found == fields.end()) return std::nullopt;
  return found->value;
}

}  // namespace cubicbench::datasets
