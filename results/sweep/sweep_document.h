#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "results/document/document.h"
#include "results/studies/study_commands.h"
#include "results/sweep/sweep.h"

namespace cubicbench::results {

/// Axes with more than one value, in order: the others say what stays the same.
std::vector<std::size_t> varying_axes(const Sweep& sweep);

/// "tensor_parallel=4 micro_batch=2": what point `number` has on these axes.
std::string settings_text(const Sweep& sweep, const std::vector<std::size_t>& axes,
                          std::size_t number);

/// "2.655 M", "41.2 %": the objective without its unit.
std::string objective_number(const Sweep& sweep, double value);

/// Every point with all that is known of it: what `sweep --table` writes.
Table point_table(const Sweep& sweep);

/// What `sweep` says: of two axes a grid of the objective, else a row per point; the best point and
/// its command; why points do not run. A page has figures too, and `command`, which makes it again
/// ("": left out). `problem` names the scenario as it was asked for.
Document sweep_document(const Sweep& sweep, const AskedProblem& problem,
                        const std::string& command = "");

/// The document of `sweep --json`: schema cubicbench.sweep/1 [docs/reference/json-documents.md].
nlohmann::ordered_json sweep_json(const Sweep& sweep);

}  // namespace cubicbench::results
