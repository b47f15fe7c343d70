#pragma once

#include <string_view>

#include "results/document/document.h"

namespace cubicbench::results {

/// What a word of simulate's output means, in a sentence or two, most of them the glossary's; ""
/// for a word that it has not.
std::string_view meaning_of_word(std::string_view word);

/// Every word that facts, bars and first columns of tables use and that has a meaning, each once.
Document words_of(const Document& document);

}  // namespace cubicbench::results
