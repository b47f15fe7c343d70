#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "results/document/document.h"
#include "results/glossary/glossary.h"

namespace cubicbench::results {

/// Each entry with its source and what to read next.
Document entries_document(std::span<const GlossaryEntry* const> entries);

/// Names and meanings of the whole glossary, for a terminal.
Document glossary_document();

/// The document of `glossary --json`.
nlohmann::ordered_json glossary_json(std::span<const GlossaryEntry* const> entries);

/// docs/glossary.md.
std::string glossary_markdown();

}  // namespace cubicbench::results
