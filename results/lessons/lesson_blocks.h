#pragma once

#include <string>
#include <vector>

#include "results/document/document.h"
#include "results/lessons/lesson_values.h"

namespace cubicbench::results {

/// A line of a lesson's source, and where it stands.
struct SourceLine {
  std::string text;
  std::string where;  ///< "01-roofline-and-mfu.md:12"
};

/// The blocks that these lines of Markdown come to, places filled: paragraphs, notes (`> `),
/// bullets
/// (`- `), tables, lines to be copied (four spaces), and between lines of ``` what is called
/// `bars TITLE` (a line `LABEL = FORMULA as FORMAT` each), `prints NAME` (the beginnings of the
/// wanted lines), and `curves STEM` (lesson_figure.h). Throws InputError.
std::vector<Block> blocks_of(const std::vector<SourceLine>& lines, const LessonValues& values);

}  // namespace cubicbench::results
