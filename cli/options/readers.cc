#include "cli/options/readers.h"

#include <algorithm>

#include "support/input_error.h"
#include "support/joined.h"
#include "support/parsed.h"
#include "support/suggestion.h"

namespace cubicbench::cli {

using support::InputError;

std::string in_quotes(std::string_view text) { return '"' + support::shortened(text) + '"'; }

std::int64_t Integer::operator()(const std::string& text, const std::string& where) const {
  const std::optional<std::int64_t> number = support::parsed<std::int64_t>(text);
  if (number && *number >= min && *number <= max) return *number;
  throw InputError(where, "expected an integer in [" + std::to_string(min) + ", " +
                              std::to_string(max) + "], got " + in_quotes(text) +
                              support::as_integer(text));
}

double Between::operator()(const std::string& text, const std::string& where) const {
  const std::optional<double> number = support::parsed<double>(text);
  if (number && *number > min && *number < max) return *number;
  throw InputError(where, "expected a number " + std::string(range) + ", got " + in_quotes(text));
}

std::string one_of(std::span<const std::string_view> names) {
  return "one of " + support::joined(names, ", ");
}

std::size_t choice(const std::string& text, std::span<const std::string_view> names,
                   const std::string& where) {
  const auto found = std::ranges::find(names, text);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  throw InputError(where, "expected " + one_of(names) + ", got " + in_quotes(text) +
                              support::did_you_mean(text, names));
}

std::string Filled::operator()(const std::string& text, const std::string& where) const {
  if (text.empty()) throw InputError(where, "expected " + std::string(what) + ", got \"\"");
  return text;
}

std::string FileEnding::operator()(const std::string& text, const std::string& where) const {
  if (!text.ends_with(ending)) refuse(text, where);
  return text;
}

void FileEnding::refuse(const std::string& text, const std::string& where) const {
  if (text.empty()) throw InputError(where, missing());
  throw InputError(where, "expected a file name that ends in " + std::string(ending) + ", got " +
                              in_quotes(text));
}

std::string FileEnding::missing() const {
  return "expected a file name that ends in " + std::string(ending) + ", got nothing";
}

}  // namespace cubicbench::cli
