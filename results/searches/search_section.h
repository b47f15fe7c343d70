#pragma once

#include <string>
#include <vector>

#include "results/layout/page_files.h"
#include "results/regret/known_spaces.h"
#include "results/studies/searcher_curves.h"
#include "results/studies/study_parts.h"

namespace cubicbench::results {

/// Where a section on searches stands.
struct SearchSection {
  std::string id;         ///< of the section on its page
  std::string figure_id;  ///< prefix of the ids in its drawing
  std::string heading;    ///< before the scenario's name; "" for the name alone
  std::string file_stem;  ///< of its files: STEM.svg and STEM.csv
};

/// The part of a page on the studies of one scenario and instance, as HTML: the figure, how each
/// searcher did, regret by what `spaces` know, what failures cost, and the best configuration of
/// each. Adds the figures and their numbers to `files`. Throws OutputError when gnuplot is missing.
std::string add_search_section(const Studies& studies, const CurveOptions& options,
                               const KnownSpaces& spaces, const SearchSection& section,
                               std::vector<PageFile>& files);

}  // namespace cubicbench::results
