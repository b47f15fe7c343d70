#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "results/lessons/lesson.h"

namespace cubicbench::results {

/// Writes a page for each of the lessons into the folder, which exists, and index.html, which leads
/// to them. Throws OutputError.
void write_lesson_pages(const std::vector<Lesson>& lessons, const std::filesystem::path& folder);

/// The same as Markdown that GitHub shows, with README.md in the place of index.html.
void write_lesson_markdown(const std::vector<Lesson>& lessons, const std::filesystem::path& folder);

}  // namespace cubicbench::results
