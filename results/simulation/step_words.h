#pragma once

#include <string_view>

#include "results/document/document.h"

namespace cubicbench::results {

/// What a word of simulate's output means, one or two sentences with where its formula stands; ""
/// for a word that it has not.
std::string_view meaning_of_word(std::string_view word);

/// Every word that the facts and bars of `document` use and that has a meaning, each once.
Document words_of(const Document& document);

}  // namespace cubicbench::results
