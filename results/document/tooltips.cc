#include "results/document/tooltips.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "results/document/html.h"
#include "results/glossary/glossary.h"
#include "support/characters.h"

namespace cubicbench::results {
namespace {

/// Elements whose text is for something else than to be read as prose.
constexpr std::array<std::string_view, 18> apart{
    "a",  "abbr", "code", "figcaption", "footer", "h1",    "h2",      "h3",  "h4",
    "h5", "h6",   "nav",  "label",      "pre",    "style", "summary", "svg", "th"};

bool is_part_of_word(char c) {
  return support::is_letter(c) || support::is_digit(c) || c == '_' || c == '-' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// A form in lower case may begin with a capital, nothing else may differ: "Ring" is "ring", "RING"
/// is not.
bool is_same(std::string_view text, std::string_view form) {
  if (text.substr(1) != form.substr(1)) return false;
  return text.front() == form.front() || support::lowered(text.front()) == form.front();
}

/// Is it a part of a name with dots or of a path, as in `cluster.device` and `docs/models.md`?
bool is_in_a_name(std::string_view text, std::size_t begin, std::size_t end) {
  const auto joins = [](char c) { return c == '.' || c == '/'; };
  if (begin > 0 && joins(text[begin - 1])) return true;
  return end + 1 < text.size() && joins(text[end]) && is_part_of_word(text[end + 1]);
}

struct Form {
  std::string text;  ///< as HTML has it
  const GlossaryEntry* entry = nullptr;
};

/// By the first character in lower case, the longest first.
std::map<char, std::vector<Form>> all_forms() {
  std::map<char, std::vector<Form>> forms;
  const auto add = [&](const std::string& form, const GlossaryEntry& entry) {
    forms[support::lowered(form.front())].push_back({escaped(form), &entry});
  };
  for (const GlossaryEntry& entry : glossary()) {
    add(entry.name, entry);
    for (const std::string& form : entry.also) add(form, entry);
  }
  for (auto& [first, of_it] : forms) {
    std::ranges::stable_sort(of_it, std::ranges::greater{},
                             [](const Form& form) { return form.text.size(); });
  }
  return forms;
}

/// The page under work.
class Marker {
 public:
  std::string marked(std::string_view html) && {
    for (std::size_t at = 0; at < html.size();) {
      const std::size_t open = std::min(html.find('<', at), html.size());
      add_text(html.substr(at, open - at));
      const std::size_t close = std::min(html.find('>', open), html.size() - 1);
      if (open < html.size()) add_tag(html.substr(open, close + 1 - open));
      at = std::max(close + 1, open);
    }
    return std::move(page_);
  }

 private:
  void add_tag(std::string_view tag) {
    page_ += tag;
    if (tag.ends_with("/>")) return;
    const bool closes = tag.starts_with("</");
    std::string_view name = tag.substr(closes ? 2 : 1);
    name = name.substr(0, name.find_first_of(" >\n"));
    if (std::ranges::find(apart, name) != apart.end()) apart_ += closes ? -1 : 1;
  }

  void add_text(std::string_view text) {
    if (apart_ > 0) {
      page_ += text;
      return;
    }
    for (std::size_t at = 0; at < text.size();) {
      const bool begins = at == 0 || !is_part_of_word(text[at - 1]);
      const Form* const form = begins ? form_at(text, at) : nullptr;
      if (form == nullptr) {
        page_ += text[at++];
        continue;
      }
      page_ += "<abbr title=\"" + escaped(form->entry->text) + "\">" +
               std::string(text.substr(at, form->text.size())) + "</abbr>";
      used_.insert(form->entry);
      at += form->text.size();
    }
  }

  /// The longest form that stands here, unless its entry was used before.
  const Form* form_at(std::string_view text, std::size_t at) const {
    static const std::map<char, std::vector<Form>> forms = all_forms();
    const auto found = forms.find(support::lowered(text[at]));
    if (found == forms.end()) return nullptr;
    for (const Form& form : found->second) {
      const std::size_t end = at + form.text.size();
      if (end > text.size() || !is_same(text.substr(at, form.text.size()), form.text)) continue;
      if (end < text.size() && is_part_of_word(text[end])) continue;
      if (is_in_a_name(text, at, end)) continue;
      return used_.contains(form.entry) ? nullptr : &form;
    }
    return nullptr;
  }

  std::string page_;
  int apart_ = 0;  ///< elements around this that stand apart
  std::set<const GlossaryEntry*> used_;
};

}  // namespace

std::string with_tooltips(std::string_view html) { return Marker().marked(html); }

}  // namespace cubicbench::results
