#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cubicbench::results {

/// A word of the field or of what this program prints, or a setting, in two sentences.
struct GlossaryEntry {
  std::string name;
  std::vector<std::string> also{};  ///< other spellings and forms
  std::string text;
  std::string source;              ///< keys of docs/bibliography.md, pages, names in other software
  std::vector<std::string> see{};  ///< names of other entries
};

/// Every entry of results/glossary/terms.md and every setting, by name; letter case does not count
/// in their order.
const std::vector<GlossaryEntry>& glossary();

std::vector<const GlossaryEntry*> all_entries();

/// Entries of a text like terms.md: `## NAME`, then perhaps a line `also: ...`, the meaning on one
/// line, `source: ...` and perhaps `see: ...`; names stand between commas. Throws InputError with
/// `file` and the line.
std::vector<GlossaryEntry> read_terms(std::string_view text, const std::string& file);

/// The entry of that name or form, letter case aside; null when there is none.
const GlossaryEntry* find_entry(std::string_view word);

/// That entry, or else all whose names or forms contain the word. Throws InputError, which names
/// the nearest, where there is none.
std::vector<const GlossaryEntry*> entries_of(const std::string& word);

}  // namespace cubicbench::results
