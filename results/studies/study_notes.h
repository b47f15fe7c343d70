#pragma once

#include <string>
#include <vector>

#include "results/studies/study_set.h"
#include "search/folder/asked_search.h"

namespace cubicbench::results {

/// What is missing of a search, `studies` being those of its studies that have begun: for each
/// scenario a sentence on studies that have not begun and one on those that have fewer launches
/// than asked for. Empty when the search is whole.
std::vector<std::string> unfinished_notes(const search::AskedSearch& asked, const Studies& studies);

}  // namespace cubicbench::results
