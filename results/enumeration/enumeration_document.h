#pragma once

#include <optional>
#include <string>

#include "datasets/exhaustive/enumeration.h"
#include "results/document/document.h"
#include "results/studies/study_commands.h"

namespace cubicbench::results {

/// What `enumerate` and `merge` say to people: how many configurations fail and why, what
/// constraints reject, the optimum, the baseline, the distribution and what random search finds.
/// `asked`, where it is known, lets the optimum be simulated again, unless runs were `measured`.
/// A page begins with the result in two sentences and the table of values, and has the figures of
/// enumeration_figures.h where everything was valued; `command` makes it again ("": left out).
Document enumeration_document(const datasets::Enumeration& enumeration,
                              const std::optional<AskedProblem>& asked, bool measured,
                              const std::string& command = "");

}  // namespace cubicbench::results
