#pragma once

#include <span>
#include <string>

#include "results/comparison/comparison.h"

namespace cubicbench::results {

/// The comparison as a comment on a pull request: at most 15 lines of Markdown, with a sparkline
/// per problem of the difference of score while the budget is spent.
std::string comment_text(const Comparison& comparison);

inline constexpr int comment_lines_max = 15;

/// "▄▄▅▇█": a bar per value from -reach, the lowest, by 0, which is ▄, to +reach. Requires reach >
/// 0.
std::string sparkline(std::span<const double> values, double reach);

}  // namespace cubicbench::results
