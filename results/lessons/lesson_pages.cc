#include "results/lessons/lesson_pages.h"

#include <algorithm>
#include <cstddef>
#include <variant>

#include "results/document/html.h"
#include "results/document/markdown.h"
#include "results/lessons/lesson_document.h"
#include "results/lessons/lesson_page.h"
#include "support/files.h"

namespace cubicbench::results {
namespace {

constexpr const char* lead =
    "Ten minutes each. A lesson asks a question and waits for your prediction; then come the "
    "command, its output, a picture, the answer, and a measured run beside the simulated number. "
    "Every number is what the program says today.";

std::string page_name(const Lesson& lesson) { return lesson.name + ".html"; }

std::string link_to(const std::string& file, const std::string& words) {
  return "<a href=\"" + escaped(file) + "\">" + escaped(words) + "</a>";
}

/// The links at the end of a page.
std::string way_on(const std::vector<Lesson>& lessons, std::size_t place) {
  std::string html = "<p>";
  if (place > 0) {
    html += link_to(page_name(lessons[place - 1]), "Before: " + lessons[place - 1].title) + " · ";
  }
  html += link_to("index.html", "All lessons");
  if (place + 1 < lessons.size()) {
    html += " · " + link_to(page_name(lessons[place + 1]), "Next: " + lessons[place + 1].title);
  }
  return html + "</p>\n";
}

std::string index_html(const std::vector<Lesson>& lessons) {
  std::string html = "<main>\n<h1>Lessons</h1>\n<p>" + escaped(lead) +
                     " The same in a terminal:</p>\n<pre>cubicbench lesson 1</pre>\n<ol>\n";
  for (const Lesson& lesson : lessons) {
    html += "<li value=\"" + std::to_string(lesson.number) + "\">" +
            link_to(page_name(lesson), lesson.title) + "</li>\n";
  }
  return page_around("Lessons", "", html + "</ol>\n</main>\n");
}

/// What GitHub folds under its summary.
std::string folded(const std::string& summary, const std::string& text) {
  return "<details>\n<summary>" + escaped(summary) + "</summary>\n\n" + text + "\n</details>\n\n";
}

std::string page_text(const Document& document) { return markdown_text(document); }

std::string page_text(const std::vector<Block>& blocks) {
  return markdown_text({.title = "", .blocks = blocks});
}

bool has_figure(const Lesson& lesson) {
  return std::ranges::any_of(lesson.picture, [](const Block& block) {
    return std::holds_alternative<Drawing>(block.content) ||
           std::holds_alternative<Picture>(block.content);
  });
}

/// Figures go into a folder beside the text.
std::string answer_markdown(const Lesson& lesson, const std::filesystem::path& folder) {
  const Document document = answer_document(lesson);
  return has_figure(lesson) ? markdown_page(document, folder / "figures") : page_text(document);
}

std::string lesson_markdown(const Lesson& lesson, const std::filesystem::path& folder) {
  std::string text = "# " + markdown_escaped(title_of(lesson)) + "\n\n" +
                     page_text(lesson.question) + "\n## Your prediction first\n\n";
  for (std::size_t i = 0; i < lesson.choices.size(); ++i) {
    const LessonChoice& choice = lesson.choices[i];
    text += folded(letter_of(i) + ") " + choice.text,
                   page_text(reply_document(choice, choice.is_right ? "Right. " : "No. ")));
  }
  const std::string solution = folded("Show the solution", page_text(lesson.solution));
  return text + folded("The answer, when you have chosen",
                       answer_markdown(lesson, folder) + "\n" + solution);
}

}  // namespace

void write_lesson_pages(const std::vector<Lesson>& lessons, const std::filesystem::path& folder) {
  for (std::size_t i = 0; i < lessons.size(); ++i) {
    const Page page = lesson_page(lessons[i], way_on(lessons, i));
    for (const PageFile& file : page.files) {
      write_file(folder / file.name, file);
    }
    support::write_file_atomic(folder / page_name(lessons[i]), page.html);
  }
  support::write_file_atomic(folder / "index.html", index_html(lessons));
}

void write_lesson_markdown(const std::vector<Lesson>& lessons,
                           const std::filesystem::path& folder) {
  std::string contents =
      "# Lessons\n\n" + std::string(lead) +
      "\n\nIn a terminal, waiting for your prediction: `cubicbench lesson 1`. As pages that hide "
      "the answers: `cubicbench lesson --out lessons`. Here they are folded.\n\n";
  for (const Lesson& lesson : lessons) {
    support::write_file_atomic(folder / (lesson.name + ".md"), lesson_markdown(lesson, folder));
    contents +=
        std::to_string(lesson.number) + ". [" + lesson.title + "](" + lesson.name + ".md)\n";
  }
  contents +=
      "\nThis command makes these files; edits by hand are lost. Their source is "
      "results/lessons/texts/.\n\n    cubicbench lesson --markdown docs/lessons\n";
  support::write_file_atomic(folder / "README.md", contents);
}

}  // namespace cubicbench::results
