#include "results/glossary/glossary.h"

#include <algorithm>
#include <optional>
#include <sstream>

#include "results/embedded.h"
#include "scenarios/space/setting_words.h"
#include "sim/base/check.h"
#include "support/characters.h"
#include "support/input_error.h"
#include "support/suggestion.h"

namespace cubicbench::results {
namespace {

using support::InputError;

constexpr std::string_view terms_file = "glossary/terms.md";

std::string lowered(std::string_view text) {
  std::string low(text);
  std::ranges::transform(low, low.begin(), support::lowered);
  return low;
}

std::vector<std::string> between_commas(std::string_view list) {
  std::vector<std::string> parts;
  std::istringstream in{std::string(list)};
  for (std::string part; std::getline(in, part, ',');) {
    parts.push_back(part.substr(std::min(part.find_first_not_of(' '), part.size())));
  }
  return parts;
}

/// What follows `key` on a line that begins with it.
std::optional<std::string> after(const std::string& line, std::string_view key) {
  if (!line.starts_with(key)) return std::nullopt;
  return line.substr(key.size());
}

void take_line(const std::string& line, const std::string& where, GlossaryEntry& entry) {
  if (const auto also = after(line, "also: ")) {
    entry.also = between_commas(*also);
  } else if (const auto source = after(line, "source: ")) {
    entry.source = *source;
  } else if (const auto see = after(line, "see: ")) {
    entry.see = between_commas(*see);
  } else if (entry.text.empty()) {
    entry.text = line;
  } else {
    throw InputError(where, "expected the meaning of \"" + entry.name + "\" on one line");
  }
}

void check_whole(const GlossaryEntry& entry, const std::string& file) {
  if (entry.text.empty()) throw InputError(file, "no meaning of \"" + entry.name + "\"");
  if (entry.source.empty()) throw InputError(file, "no source of \"" + entry.name + "\"");
}

std::string_view terms() {
  const auto files = embedded_files();
  const auto found = std::ranges::find(files, terms_file, &support::EmbeddedFile::path);
  SIM_ASSERT(found != files.end(), files.size());
  return found->text;
}

/// "splits norms" becomes "Splits norms.".
std::string as_sentence(std::string_view words) {
  constexpr std::string_view small = "abcdefghijklmnopqrstuvwxyz";
  constexpr std::string_view large = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string sentence(words);
  const std::size_t letter = small.find(sentence.front());
  if (letter != std::string_view::npos) sentence.front() = large[letter];
  return sentence + ".";
}

GlossaryEntry entry_of(const scenarios::SettingWords& words) {
  return {.name = std::string(words.name),
          .text = as_sentence(words.meaning) + " " + as_sentence(words.trade),
          .source = std::string(words.source)};
}

std::vector<GlossaryEntry> read_all() {
  std::vector<GlossaryEntry> entries = read_terms(terms(), std::string(terms_file));
  for (const scenarios::SettingWords& words : scenarios::setting_words()) {
    entries.push_back(entry_of(words));
  }
  std::ranges::stable_sort(entries, {}, [](const GlossaryEntry& e) { return lowered(e.name); });
  return entries;
}

bool is_form(const GlossaryEntry& entry, const std::string& low) {
  return lowered(entry.name) == low ||
         std::ranges::any_of(entry.also, [&](const std::string& a) { return lowered(a) == low; });
}

bool contains(const GlossaryEntry& entry, const std::string& low) {
  const auto holds = [&](const std::string& form) {
    return lowered(form).find(low) != std::string::npos;
  };
  return holds(entry.name) || std::ranges::any_of(entry.also, holds);
}

}  // namespace

std::vector<GlossaryEntry> read_terms(std::string_view text, const std::string& file) {
  std::vector<GlossaryEntry> entries;
  std::istringstream in{std::string(text)};
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    const std::string where = file + ":" + std::to_string(++number);
    if (const auto name = after(line, "## ")) {
      if (!entries.empty()) check_whole(entries.back(), file);
      entries.push_back({.name = *name, .text = {}, .source = {}});
    } else if (!entries.empty() && !line.empty()) {
      take_line(line, where, entries.back());
    }
  }
  if (!entries.empty()) check_whole(entries.back(), file);
  return entries;
}

const std::vector<GlossaryEntry>& glossary() {
  static const std::vector<GlossaryEntry> entries = read_all();
  return entries;
}

std::vector<const GlossaryEntry*> all_entries() {
  std::vector<const GlossaryEntry*> entries;
  for (const GlossaryEntry& entry : glossary()) entries.push_back(&entry);
  return entries;
}

const GlossaryEntry* find_entry(std::string_view word) {
  const std::string low = lowered(word);
  const auto found =
      std::ranges::find_if(glossary(), [&](const GlossaryEntry& e) { return is_form(e, low); });
  return found == glossary().end() ? nullptr : &*found;
}

std::vector<const GlossaryEntry*> entries_of(const std::string& word) {
  if (const GlossaryEntry* const entry = find_entry(word)) return {entry};
  std::vector<const GlossaryEntry*> found;
  std::vector<std::string> names;
  for (const GlossaryEntry& entry : glossary()) {
    if (contains(entry, lowered(word))) found.push_back(&entry);
    names.push_back(entry.name);
  }
  if (found.empty()) {
    throw InputError(word, "expected a word of the glossary" + support::did_you_mean(word, names));
  }
  return found;
}

}  // namespace cubicbench::results
