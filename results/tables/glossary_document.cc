#include "results/tables/glossary_document.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "results/document/markdown.h"
#include "support/joined.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* lead =
    "Words of the field, of what the program prints, and every setting of a plan. A terminal has "
    "them too:";

/// "Also: dp, replicas. Source: [Key]. See: x, y."
std::string around(const GlossaryEntry& entry) {
  std::string text;
  if (!entry.also.empty()) text += "Also: " + support::joined(entry.also, ", ") + ". ";
  text += "Source: " + entry.source + ".";
  if (!entry.see.empty()) text += " See: " + support::joined(entry.see, ", ") + ".";
  return text;
}

}  // namespace

Document entries_document(std::span<const GlossaryEntry* const> entries) {
  Document document{.title = ""};
  for (const GlossaryEntry* const entry : entries) {
    document.add(Heading{.text = entry->name});
    document.add(Paragraph{.text = entry->text});
    document.add(Paragraph{.text = around(*entry), .note = true});
  }
  return document;
}

Document glossary_document() {
  Document document{.title = "Glossary"};
  Table table{
      .columns = {{.key = "name", .heading = "WORD"}, {.key = "text", .heading = "MEANING"}}};
  for (const GlossaryEntry& entry : glossary()) table.rows.push_back({entry.name, entry.text});
  document.add(std::move(table));
  return document;
}

Json glossary_json(std::span<const GlossaryEntry* const> entries) {
  Json document = support::new_document("glossary");
  document["entries"] = Json::array();
  for (const GlossaryEntry* const entry : entries) {
    document["entries"].push_back({{"name", entry->name},
                                   {"also", entry->also},
                                   {"text", entry->text},
                                   {"source", entry->source},
                                   {"see", entry->see}});
  }
  return document;
}

std::string glossary_markdown() {
  Document document{.title = "Glossary"};
  document.add(Paragraph{.text = lead});
  document.add(Command{.text = "cubicbench glossary bubble"});
  document.add(entries_document(all_entries()));
  return markdown_text(document);
}

}  // namespace cubicbench::results
