#include "search/searchers/registry.h"

#include <algorithm>
#include <array>
#include <optional>

#include "sim/base/check.h"
#include "support/absolute_path.h"
#include "support/characters.h"
#include "support/input_error.h"
#include "support/joined.h"
#include "support/json/canonical.h"
#include "support/parsed.h"
#include "support/sha256.h"
#include "support/suggestion.h"

namespace cubicbench::search {

namespace {

using support::Problem;

/// What a searcher or an option is called, of each of `entries`.
template <typename Entry>
std::vector<std::string_view> names_of(std::span<const Entry> entries) {
  std::vector<std::string_view> names;
  for (const Entry& entry : entries) names.push_back(entry.name);
  return names;
}

const SearcherEntry* find_searcher(std::string_view name) {
  const auto found = std::ranges::find(searchers(), name, &SearcherEntry::name);
  return found == searchers().end() ? nullptr : &*found;
}

/// The parts of `text` between colons; at least one.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t colon = text.find(':');
    parts.push_back(text.substr(0, colon));
    if (colon == std::string_view::npos) return parts;
    text.remove_prefix(colon + 1);
  }
}

std::optional<double> parse_value(const SearcherOption& option, std::string_view text) {
  std::optional<double> value = support::parsed<double>(text);
  if (option.integer) value = support::parsed<std::int64_t>(text);
  if (!value || !(*value >= option.min && *value <= option.max)) return std::nullopt;
  return value;
}

/// Reads the OPTION=VALUE parts of one searcher and collects what is wrong with them.
class OptionReader {
 public:
  OptionReader(const SearcherEntry& entry, const std::string& where)
      : entry_(entry), where_(where), values_(entry.options.size()) {}

  void read(std::string_view part) {
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) {
      return report("expected OPTION=VALUE after " + std::string(entry_.name) + ", got " +
                    support::in_quotes(support::shortened(part)));
    }
    const std::string_view name = part.substr(0, equals);
    const auto option = std::ranges::find(entry_.options, name, &SearcherOption::name);
    if (option == entry_.options.end()) return report_unknown(name);
    assign(static_cast<std::size_t>(option - entry_.options.begin()), part.substr(equals + 1));
  }

  /// Values given or default, in the order of the registry. Throws InputError.
  std::vector<std::pair<std::string, double>> finish() const {
    support::throw_if_any(problems_);
    std::vector<std::pair<std::string, double>> read;
    const bool paper = as_in_paper();
    for (std::size_t i = 0; i < entry_.options.size(); ++i) {
      const SearcherOption& option = entry_.options[i];
      read.emplace_back(option.name,
                        values_[i].value_or(paper ? option.in_paper.value_or(option.otherwise)
                                                  : option.otherwise));
    }
    return read;
  }

 private:
  bool as_in_paper() const {
    const auto paper = std::ranges::find(entry_.options, "paper", &SearcherOption::name);
    return paper != entry_.options.end() &&
           values_[static_cast<std::size_t>(paper - entry_.options.begin())].value_or(0.0) == 1.0;
  }

  void report(std::string text) { problems_.push_back({.where = where_, .text = std::move(text)}); }

  void report_unknown(std::string_view name) {
    const std::vector<std::string_view> names = names_of(entry_.options);
    if (names.empty()) {
      return report("expected no option, " + std::string(entry_.name) + " has none; got " +
                    support::in_quotes(support::shortened(name)));
    }
    report("expected an option of " + std::string(entry_.name) + " (" +
           support::joined(names, ", ") + "), got " + support::in_quotes(support::shortened(name)) +
           support::did_you_mean(name, names));
  }

  void assign(std::size_t index, std::string_view text) {
    const SearcherOption& option = entry_.options[index];
    if (std::ranges::find(given_, index) != given_.end()) {
      return report("expected " + std::string(option.name) + " once, got it again as " +
                    support::in_quotes(support::shortened(text)));
    }
    given_.push_back(index);
    values_[index] = parse_value(option, text);
    if (values_[index]) return;
    report("expected " + std::string(option.name) + " to be " +
           (option.integer ? "an integer" : "a number") + " in [" + bound_text(option, option.min) +
           ", " + bound_text(option, option.max) + "], got " +
           support::in_quotes(support::shortened(text)));
  }

  const SearcherEntry& entry_;
  const std::string& where_;
  std::vector<std::optional<double>> values_;
  std::vector<std::size_t> given_;
  std::vector<Problem> problems_;
};

constexpr std::string_view external_name = "external";
constexpr std::string_view external_prefix = "external:";
constexpr std::string_view hashed_prefix = "external-sha256:";
constexpr std::string_view outside_name = "outside";

/// The command in names of files and in files, where it does not tell whose machine it is from.
std::string recorded_command(std::string_view text) {
  if (!support::has_absolute_path(text.substr(external_prefix.size()))) return std::string(text);
  return std::string(hashed_prefix) + support::sha256_hex(text).substr(0, 16);
}

bool begins_searcher(std::string_view word) {
  return word.starts_with(external_prefix) ||
         find_searcher(word.substr(0, word.find(':'))) != nullptr;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = support::utf8_character(text);
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

/// The command is written down in plan.json.
SearcherSpec external_searcher(std::string_view text, const std::string& where) {
  if (!is_utf8(text)) {
    throw support::InputError(
        where, "expected a command in UTF-8, got " + support::in_quotes(support::shortened(text)));
  }
  return {.text = recorded_command(text),
          .name = std::string(external_name),
          .options = {},
          .command = std::string(text.substr(external_prefix.size()))};
}

bool plain(char c) {
  return (support::is_letter(c) && c == support::lowered(c)) || support::is_digit(c) || c == '-';
}

}  // namespace

std::string bound_text(const SearcherOption& option, double bound) {
  return option.integer ? std::to_string(static_cast<std::int64_t>(bound))
                        : support::shortest(bound);
}

double option_of(const SearcherSpec& spec, std::string_view option) {
  const auto found =
      std::ranges::find(spec.options, option, [](const auto& of) { return of.first; });
  SIM_ASSERT(found != spec.options.end(), option);
  return found->second;
}

SearcherSpec parse_searcher(std::string_view text, const std::string& where) {
  if (text.starts_with(external_prefix) && text.size() > external_prefix.size()) {
    return external_searcher(text, where);
  }
  if (text.starts_with(hashed_prefix)) {
    throw support::InputError(where, "expected external:CMD with the command, of which \"" +
                                         support::shortened(text) + "\" is the hash");
  }
  const std::vector<std::string_view> parts = split(text);
  const SearcherEntry* const entry = find_searcher(parts.front());
  if (entry == nullptr) {
    const std::vector<std::string_view> names = names_of(searchers());
    const std::string meant = support::did_you_mean(parts.front(), names);
    throw support::InputError(
        where, "expected one of " + support::joined(names, ", ") + ", got " +
                   support::in_quotes(support::shortened(parts.front())) +
                   (meant.empty() ? "; a program of your own runs as external:CMD" : meant));
  }
  OptionReader reader(*entry, where);
  for (std::size_t i = 1; i < parts.size(); ++i) reader.read(parts[i]);
  return {.text = std::string(text), .name = std::string(entry->name), .options = reader.finish()};
}

bool launches_short(const SearcherSpec& spec) {
  const SearcherEntry* const entry = find_searcher(spec.name);
  return entry != nullptr && entry->launches_short;
}

bool needs_known(const SearcherSpec& spec) {
  const SearcherEntry* const entry = find_searcher(spec.name);
  return entry != nullptr && entry->needs_known;
}

bool is_external(const SearcherSpec& spec) { return spec.name == external_name; }

bool is_outside(const SearcherSpec& spec) { return spec.name == outside_name; }

bool is_outside_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, plain) && !begins_searcher(text) &&
         text != external_name;
}

SearcherSpec outside_searcher(std::string_view name, const std::string& where) {
  if (name.empty() || !std::ranges::all_of(name, plain)) {
    throw support::InputError(where, "expected a name of lower-case letters, digits and '-', got " +
                                         support::in_quotes(support::shortened(name)));
  }
  if (find_searcher(name) != nullptr || name == external_name) {
    throw support::InputError(
        where, "expected a name that no shipped searcher has, got " + support::in_quotes(name));
  }
  return {.text = std::string(name), .name = std::string(outside_name), .options = {}};
}

SearcherSpec recorded_searcher(std::string_view text, const std::string& where) {
  if (text.starts_with(hashed_prefix)) {
    return {.text = std::string(text), .name = std::string(external_name), .options = {}};
  }
  if (begins_searcher(text)) return parse_searcher(text, where);
  return outside_searcher(text, where);
}

std::vector<std::string> searcher_words(std::string_view list) {
  std::vector<std::string> words;
  while (true) {
    const std::size_t comma = list.find(',');
    const std::string_view word = list.substr(0, comma);
    const bool goes_on =
        !words.empty() && words.back().starts_with(external_prefix) && !begins_searcher(word);
    if (goes_on) {
      words.back().append(",").append(word);
    } else {
      words.emplace_back(word);
    }
    if (comma == std::string_view::npos) return words;
    list.remove_prefix(comma + 1);
  }
}

std::unique_ptr<Searcher> make_searcher(const SearcherSpec& spec, const SearchContext& context) {
  const SearcherEntry* const entry = find_searcher(spec.name);
  SIM_ASSERT(entry != nullptr, spec.name);
  SIM_ASSERT(context.space.count() > 0, context.space.count());
  return entry->make(spec, context);
}

std::string searcher_slug(std::string_view text) {
  constexpr std::size_t slug_max = 40;
  constexpr std::size_t hash_digits = 8;
  if (std::ranges::all_of(text, plain)) return std::string(text);
  std::string slug;
  for (const char c : text) {
    const char next = plain(support::lowered(c)) ? support::lowered(c) : '-';
    if (slug.size() < slug_max && (next != '-' || !slug.ends_with('-'))) slug += next;
  }
  while (slug.ends_with('-')) slug.pop_back();
  return slug + "-" + support::sha256_hex(text).substr(0, hash_digits);
}

}  // namespace cubicbench::search
