#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/asked_program.h"
#include "cli/commands.h"
#include "cli/options/command_words.h"
#include "cli/options/readers.h"
#include "cli/terminal/lesson_streams.h"
#include "results/document/terminal.h"
#include "results/lessons/lesson_document.h"
#include "results/lessons/lesson_pages.h"
#include "results/lessons/lesson_slides.h"
#include "results/lessons/read_lesson.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/json/json_document.h"
#include "support/new_folder.h"

namespace cubicbench::cli {
namespace {

using results::LessonSource;

struct LessonAsked {
  std::int64_t number = 0;  ///< 0: none, all of them are listed or written
  std::optional<std::filesystem::path> out;
  std::optional<std::filesystem::path> slides;
  std::optional<std::filesystem::path> markdown;
  GlobalOptions global;
};

void declare_lesson(Options& options, LessonAsked& asked) {
  const auto known = static_cast<std::int64_t>(results::lesson_sources().size());
  options.argument("N", "Number of a lesson (default: they are listed)", asked.number,
                   Integer{1, known});
  options
      .value("--out", "DIR", "Write the lesson, or all of them, as pages: a new folder", asked.out,
             Filled{"a folder"})
      .writes(Output::new_folder);
  options
      .value("--slides", "DIR", "Write them as slides for a class: a new folder", asked.slides,
             Filled{"a folder"})
      .check([&asked] {
        if (!asked.slides || asked.slides != asked.out) return;
        throw support::InputError("--slides", "expected another folder than that of --out");
      })
      .writes(Output::new_folder);
  options
      .value("--markdown", "DIR", "Write all of them as Markdown into that folder", asked.markdown,
             Filled{"a folder"})
      .check([&asked] {
        if (!asked.markdown || asked.number == 0) return;
        throw support::InputError("--markdown", "expected no N beside it: it writes all lessons");
      })
      .writes(Output::folder);
}

std::vector<LessonSource> wanted(const LessonAsked& asked) {
  std::vector<LessonSource> sources = results::lesson_sources();
  if (asked.number == 0) return sources;
  return {sources[static_cast<std::size_t>(asked.number - 1)]};
}

std::vector<results::Lesson> read_all(const std::vector<LessonSource>& sources) {
  std::vector<results::Lesson> lessons;
  for (const LessonSource& source : sources) {
    lessons.push_back(results::read_lesson(source, asked_program));
  }
  return lessons;
}

/// Says what to open.
std::string written(const LessonAsked& asked, const std::vector<results::Lesson>& lessons) {
  std::optional<support::NewFolder> pages;
  std::optional<support::NewFolder> slides;
  std::string text;
  if (asked.out) {
    pages.emplace(*asked.out, asked.out->string());
    results::write_lesson_pages(lessons, pages->make());
    text += "Open " + (*asked.out / "index.html").string() + " in a browser.\n";
  }
  if (asked.slides) {
    slides.emplace(*asked.slides, asked.slides->string());
    results::write_lesson_slides(lessons, slides->make());
    text += "The slides are in " + asked.slides->string() + "; a browser prints them.\n";
  }
  if (asked.markdown) {
    support::make_folders(*asked.markdown);
    results::write_lesson_markdown(lessons, *asked.markdown);
    text += "The lessons are in " + asked.markdown->string() + "\n";
  }
  if (pages) pages->keep();
  if (slides) slides->keep();
  return text;
}

Reply answer(const LessonAsked& asked, const results::Screen& screen) {
  const std::vector<LessonSource> sources = wanted(asked);
  std::string text;
  if (asked.out || asked.slides || asked.markdown) text = written(asked, read_all(sources));
  if (asked.global.json) {
    return support::document_text(asked.number == 0 ? results::lessons_json(sources)
                                                    : results::lesson_json(read_all(sources)[0]));
  }
  if (!text.empty()) return text;
  if (asked.number == 0) {
    return results::terminal_text(results::lessons_document(sources), screen);
  }
  play_on_streams(read_all(sources).front(), screen);
  return Reply("");
}

}  // namespace

Command lesson_command() { return command(words::lesson, declare_lesson, answer); }

}  // namespace cubicbench::cli
