#pragma once

#include "results/document/terminal.h"
#include "results/lessons/lesson.h"

namespace cubicbench::cli {

/// Plays the lesson on the standard streams. Lines that come from a file or a pipe are shown behind
/// the question that they answer, as a terminal shows what is typed.
void play_on_streams(const results::Lesson& lesson, const results::Screen& screen);

}  // namespace cubicbench::cli
