#pragma once

#include <string>

#include "results/document/document.h"
#include "results/regret/searched_problem.h"

namespace cubicbench::results {

/// Where a section on searches is.
struct SearchSection {
  std::string id;         ///< of the section on its page, and prefix of the ids in its figures
  std::string heading;    ///< before the problem's name; "" for the name alone
  std::string file_stem;  ///< of its files: STEM.svg, STEM.csv, STEM.regret.svg and so on
};

/// The studies of one scenario and instance: the figure, how each searcher did, regret by what is
/// known of the space, what failures cost, and the best configuration of each.
void add_search_section(const SearchedProblem& problem, const SearchSection& section,
                        Document& document);

}  // namespace cubicbench::results
