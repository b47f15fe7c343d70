#pragma once

#include <string>
#include <vector>

#include "results/layout/page_files.h"
#include "results/regret/group_regret.h"
#include "results/studies/searcher_curves.h"

namespace cubicbench::results {

/// The part of a page on regret, as HTML: the figure, where its optimum comes from, and a table
/// with a line a searcher; where the optimum is not known only why, and the command that makes it.
/// The figure and its numbers go to `files` as FILE_STEM.regret.svg and .csv. Throws OutputError
/// when gnuplot is missing.
std::string add_regret_section(const StudyGroup& group, const GroupRegret& regret,
                               const CurveOptions& options, const std::string& figure_id,
                               const std::string& file_stem, std::vector<PageFile>& files);

}  // namespace cubicbench::results
