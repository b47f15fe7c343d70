#pragma once

#include <string>
#include <vector>

#include "results/document/document.h"
#include "results/lessons/lesson_values.h"

namespace cubicbench::results {

struct SourceLine;

/// The figure that these lines describe: `title: TEXT`, `caption: TEXT`, `x: LABEL` and `y: LABEL`
/// (`x log: LABEL` for decades), then `line NAME: X, Y; X, Y; ...` or `dots NAME: ...` a series,
/// where X and Y are formulas. `stem` names its files. Throws InputError.
Drawing drawing_of(const std::string& stem, const std::vector<SourceLine>& lines,
                   const LessonValues& values);

/// Its points, a row each, for who sees no figures.
Table points_table(const Drawing& drawing);

}  // namespace cubicbench::results
