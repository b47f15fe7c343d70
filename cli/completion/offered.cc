#include "cli/completion/offered.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string_view>

#include "results/tables/shelf.h"
#include "scenarios/space/setting.h"

namespace cubicbench::cli {
namespace {

using Words = std::vector<std::string>;

Words parts_of(const std::string& text, char separator) {
  Words parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

/// "--searcher" and "SEARCHER" are "searcher".
std::string lower_name(std::string_view name) {
  std::string lower;
  for (const char c : name.substr(std::min(name.find_first_not_of('-'), name.size()))) {
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return lower;
}

/// The list that an option of that name takes a word of: "searchers" of "--searcher".
std::optional<std::string_view> shelf_of(const std::string& name) {
  const std::string one = lower_name(name);
  const std::string many = one.ends_with('y') ? one.substr(0, one.size() - 1) + "ies" : one + "s";
  const auto* const found = std::ranges::find(results::shelves, many);
  if (found == results::shelves.end()) return std::nullopt;
  return *found;
}

void add_shelf(std::string_view shelf, Words& words) {
  const nlohmann::ordered_json all = results::shelf_json(shelf);
  for (const auto& entry : all.at(std::string(shelf))) {
    words.push_back(entry.at("name").get<std::string>());
  }
}

bool is_lower_word(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::islower(c) != 0 || c == '-' || c == '_';
  });
}

/// What the value may be by the words of its placeholder: FILE.json, DIR, on|off.
Offered offered_by_placeholder(const Option& option) {
  Offered offered;
  for (const std::string& part : parts_of(option.placeholder, '|')) {
    if (part.starts_with("FILE") || part == "PATH") offered.files = true;
    if (part == "DIR" || part == "FOLDER" || part == "OUT") offered.folders = true;
    if (is_lower_word(part)) offered.words.push_back(part);
    if (part.starts_with("NAME=VALUE")) {
      for (const scenarios::Setting& setting : scenarios::settings()) {
        offered.words.push_back(std::string(setting.name) + "=");
      }
    }
  }
  return offered;
}

}  // namespace

Offered offered_for(const Option& option) {
  if (!option.choices.empty()) return {.words = option.choices};
  Offered offered = offered_by_placeholder(option);
  if (offered.files || offered.folders) return offered;
  offered.files = is_argument(option);
  for (const std::string& name : parts_of(option.name, '|')) {
    if (const auto shelf = shelf_of(name)) add_shelf(*shelf, offered.words);
  }
  return offered;
}

bool is_argument(const Option& option) {
  return option.form == Option::Form::argument || option.form == Option::Form::arguments;
}

bool has_value(const Option& option) {
  return option.form == Option::Form::value || option.form == Option::Form::values;
}

std::string help_line(const Option& option) {
  if (option.form == Option::Form::help) return "Print this and exit";
  std::string line = option.help;
  std::ranges::replace(line, '\n', ' ');
  return line;
}

}  // namespace cubicbench::cli
