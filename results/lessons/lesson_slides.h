#pragma once

#include <filesystem>
#include <vector>

#include "results/document/html.h"
#include "results/lessons/lesson.h"

namespace cubicbench::results {

/// The lesson as slides, one below the other on a page that stops at each, and each on a sheet of
/// its own in print: the question, the choices, the command, the picture, the answer in short
/// parts, the measured run, the exercise and its solution.
Page lesson_slides(const Lesson& lesson);

/// Writes the slides of each lesson into the folder, which exists. Throws OutputError.
void write_lesson_slides(const std::vector<Lesson>& lessons, const std::filesystem::path& folder);

}  // namespace cubicbench::results
