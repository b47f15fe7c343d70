#include "results/simulation/step_words.h"

#include <set>
#include <string>
#include <utility>

#include "results/glossary/glossary.h"

namespace cubicbench::results {
namespace {

/// Words that mean something else here than anywhere else, or nothing elsewhere.
constexpr std::pair<std::string_view, std::string_view> words[] = {
    {"note", "the configuration is simulated, but no search would propose it."},
    {"engine",
     "the step was played event by event (docs/event-engine.md); identical ranks are played once."},
    {"result",
     "why there is no time. An invalid plan cannot be laid out; one that is out of memory needs "
     "more than the device leaves."},
    {"optimizer",
     "the update of the weights: bandwidth of device memory, or of the host's if it is offloaded; "
     "with Muon also its matrix products, and gathers of the matrices for them."},
    {"device", "reserved, context and communicators: what a tool that watches the device sees."},
};

class Collected {
 public:
  void add(std::string_view word) {
    const std::string_view meaning = meaning_of_word(word);
    if (meaning.empty() || !seen_.insert(meaning).second) return;
    bullets_.items.push_back(std::string(word) + ": " + std::string(meaning));
  }
  void look(const Facts& facts) {
    for (const auto& [name, text] : facts.items) add(name);
  }
  void look(const Bars& bars) {
    for (const BarRow& row : bars.rows) add(row.label);
  }
  void look(const Table& table) {
    for (const std::vector<Cell>& row : table.rows) {
      if (row.empty()) continue;
      if (const auto* const name = std::get_if<std::string>(&row.front().value())) add(*name);
    }
  }
  void look(const auto& /*other blocks have no words of ours*/) {}

  Bullets take() && { return std::move(bullets_); }

 private:
  std::set<std::string_view> seen_;  ///< meanings: several words may be forms of one
  Bullets bullets_;
};

}  // namespace

std::string_view meaning_of_word(std::string_view word) {
  for (const auto& [name, meaning] : words) {
    if (name == word) return meaning;
  }
  const GlossaryEntry* const entry = find_entry(word);
  return entry == nullptr ? "" : std::string_view(entry->text);
}

Document words_of(const Document& document) {
  Collected collected;
  for (const Block& block : document.blocks) {
    std::visit([&](const auto& content) { collected.look(content); }, block.content);
  }
  Document explained;
  explained.add(Heading{.text = "Words"});
  explained.add(std::move(collected).take());
  return explained;
}

}  // namespace cubicbench::results
