#pragma once

#include <string>
#include <string_view>

#include "sim/engine/itemised/itemised_step.h"
#include "sim/plan/plan.h"

namespace cubicbench::results {

/// The names that files use: those of the parts of a step, and "weight_gathers", "row_update" where
/// a part is divided.
std::string_view name_of(sim::StepItem term);

/// The same for people, at most 23 characters.
std::string_view label_of(sim::StepItem term);

/// What the step does in this term, as the end of a sentence: "is matrix products", "waits for
/// gathers of weights".
std::string_view phrase_of(sim::StepItem term);

/// How the term is computed, as short as it can be said, and where that is from: a section of
/// docs/models.md and keys of docs/bibliography.md.
std::string equation_of(sim::StepItem term, const sim::Plan& plan, bool weights_in_units);

/// The same of a part of memory.
std::string equation_of(sim::MemoryPart part, const sim::Plan& plan);

/// "attention projections", "FFN": what kernels do.
std::string_view label_of(sim::KernelRole role);
std::string_view name_of(sim::KernelRole role);

/// "all_gather", and for people "all-gathers", "all-gathers and reduce-scatters".
std::string_view name_of(sim::Pattern pattern);
std::string_view label_of(sim::Pattern pattern);

}  // namespace cubicbench::results
