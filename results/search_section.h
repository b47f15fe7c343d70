#pragma once

#include <string>

#include "results/searcher_curves.h"
#include "results/study_problem.h"

namespace cubicbench::results {

/// What a section shows beside its numbers.
struct SectionFiles {
  std::string id;        ///< of the section on its page
  std::string svg;       ///< the figure, as svg_of() gave it
  std::string svg_file;  ///< name of the file that holds it
  std::string csv_file;  ///< name of the file with its numbers
};

/// The part of a page on one scenario and instance, as HTML: the figure, how each searcher did,
/// what failures cost, and the best configuration of each.
std::string search_section(const StudyGroup& group, const StudyProblem& problem,
                           const CurveOptions& options, const SectionFiles& files);

}  // namespace cubicbench::results
