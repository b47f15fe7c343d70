#pragma once

#include <filesystem>
#include <string>

#include "results/validation/ablation.h"
#include "results/validation/summary.h"
#include "results/validation/validated_row.h"

namespace cubicbench::results {

/// Writes `folder`/index.html with its figures and their numbers beside it: predicted against
/// measured of every source, error distributions, ranking a group, the verdicts on memory, the
/// worst rows with where their time goes. `command` is how it was made, without --out DIR; "" for
/// unknown. `ablation` is left out where it is null. Throws OutputError.
void write_validation_report(const Validation& validation, const Summaries& summaries,
                             const std::filesystem::path& folder, const std::string& command,
                             const Ablation* ablation = nullptr);

/// How a Markdown file comes about.
struct MarkdownOrigin {
  std::string command;   ///< the whole of it
  bool shipped = false;  ///< of every table that ships: docs/validation.md, which says more
};

/// docs/validation.md: a line a source, and what other simulators reach on the same rows. Sections
/// that have nothing to say are left out, those of `ablation` where it is null.
std::string validation_markdown(const Validation& validation, const Summaries& summaries,
                                const MarkdownOrigin& origin, const Ablation* ablation = nullptr);

}  // namespace cubicbench::results
