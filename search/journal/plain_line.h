#pragma once

#include <optional>
#include <string_view>

#include "search/journal/journal.h"
#include "search/journal/truth_line.h"

namespace cubicbench::search {

// Quick readers of the lines that this program writes: a journal has one for each launch, and there
// may be a million. They take a line, without its newline, that has the keys in the order of
// journal_text() and truth_text(), no space, and values of a simple form, and read what the readers
// of any JSON would. Of every other line, be it right or wrong, they say nothing: those readers
// decide.

std::optional<JournalLine> read_plain_launch(std::string_view text);
std::optional<TruthLine> read_plain_truth(std::string_view text);

}  // namespace cubicbench::search
