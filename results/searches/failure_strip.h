#pragma once

#include "results/document/figure.h"
#include "results/studies/searcher_curves.h"

namespace cubicbench::results {

/// Adds what failed below the axis: a row a searcher, a mark a failed launch of its first seed, and
/// a word in the legend on each kind of failure that occurs. Nothing when nothing failed.
void add_failure_strip(const StudyGroup& group, Figure& figure);

}  // namespace cubicbench::results
