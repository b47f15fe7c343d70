#pragma once

#include <string>
#include <string_view>

#include "results/document/html.h"
#include "results/lessons/lesson.h"

namespace cubicbench::results {

/// The lesson as a page that hides what follows the question until a prediction is chosen, and the
/// solution until it is asked for: by its style sheet, without a script, so that it works from the
/// file system; on paper all of it is there. `way_on` stands at its end, as HTML. Draws figures, as
/// page_of() does.
Page lesson_page(const Lesson& lesson, std::string_view way_on);

}  // namespace cubicbench::results
