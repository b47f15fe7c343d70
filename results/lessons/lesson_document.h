#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "results/document/document.h"
#include "results/lessons/lesson.h"
#include "results/lessons/read_lesson.h"

namespace cubicbench::results {

/// "Lesson 1: Roofline and MFU".
std::string title_of(const Lesson& lesson);

/// What is said of the choice, beginning with `verdict`, "Right. ".
Document reply_document(const LessonChoice& choice, const std::string& verdict);

/// What follows the prediction: the command and what it prints, the picture, the answer, the
/// measured run, and the exercise without its solution.
Document answer_document(const Lesson& lesson);

/// All lessons, a line each.
Document lessons_document(const std::vector<LessonSource>& sources);

/// Number, name, title, choices, each section as Markdown, and the commands.
nlohmann::ordered_json lesson_json(const Lesson& lesson);
nlohmann::ordered_json lessons_json(const std::vector<LessonSource>& sources);

}  // namespace cubicbench::results
