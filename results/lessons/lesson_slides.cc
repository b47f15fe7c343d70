#include "results/lessons/lesson_slides.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "results/lessons/lesson_document.h"
#include "support/files.h"

namespace cubicbench::results {
namespace {

using Blocks = std::vector<Block>;

/// What a class reads at a glance.
constexpr std::size_t words_max = 70;

constexpr std::string_view slide_style = R"css(
html { scroll-snap-type: y proximity; }
body, body > main { margin: 0; padding: 0; max-width: none; }
.slide { min-height: 100vh; padding: 5vh 7vw; display: flex; flex-direction: column; justify-content: center; scroll-snap-align: start; font-size: 1.45rem; border-bottom: 1px solid var(--edge); break-after: page; }
.slide > p, .slide > ul, .slide > ol { max-width: 60rem; }
.slide h1 { font-size: 2.4rem; }
.slide h2 { font-size: 1.9rem; border: 0; margin: 0 0 1rem; padding: 0; }
.slide ol { list-style: lower-alpha; }
.slide li { margin: .5rem 0; }
.slide pre { font-size: 1.15rem; }
.slide footer { color: var(--soft); font-size: 1rem; margin-top: 2rem; }
@media screen and (max-width: 700px) { .slide { font-size: 1.1rem; padding: 4vh 5vw; } .slide h1 { font-size: 1.7rem; } .slide h2 { font-size: 1.4rem; } .slide pre { font-size: .69rem; } }
@media print { @page { size: A4 landscape; margin: 12mm; } .slide { min-height: 0; border: 0; padding: 0; font-size: 1.15rem; } .slide pre { font-size: .85rem; } .slide footer { margin-top: .5rem; } .slide figure img, .slide figure svg { width: auto; min-width: 0; max-height: 50vh; } }
)css";

std::size_t words_of(const Block& block) {
  const bool is_figure = std::holds_alternative<Drawing>(block.content) ||
                         std::holds_alternative<Picture>(block.content);
  if (is_figure) return words_max;
  const auto* const paragraph = std::get_if<Paragraph>(&block.content);
  if (paragraph == nullptr) return words_max / 2;
  return static_cast<std::size_t>(std::ranges::count(paragraph->text, ' ')) + 1;
}

std::size_t words_of(const Blocks& blocks) {
  std::size_t words = 0;
  for (const Block& block : blocks) words += words_of(block);
  return words;
}

/// Does it only lead to what follows?
bool leads_on(const Block& block) {
  const auto* const paragraph = std::get_if<Paragraph>(&block.content);
  return paragraph != nullptr && paragraph->text.ends_with(':');
}

/// Blocks in their order, in parts of so many words; one that is longer stands alone, and none ends
/// with what leads to the next.
std::vector<Blocks> parts_of(const Blocks& blocks) {
  std::vector<Blocks> parts(1);
  for (const Block& block : blocks) {
    if (!includes(block.media, Media::html)) continue;
    Blocks& part = parts.back();
    if (!part.empty() && words_of(part) + words_of(block) > words_max) {
      if (!leads_on(part.back())) {
        parts.emplace_back();
      } else if (part.size() > 1) {
        Blocks next{part.back()};
        part.pop_back();
        parts.push_back(std::move(next));
      }
    }
    parts.back().push_back(block);
  }
  if (parts.back().empty()) parts.pop_back();
  return parts;
}

/// Slides under work: files of figures gather beside them.
class Slides {
 public:
  explicit Slides(const Lesson& lesson) : foot_(title_of(lesson)) {}

  void add(const std::string& heading, const Blocks& blocks) {
    for (const Blocks& part : parts_of(blocks)) {
      Page page = page_part({.title = "", .blocks = part});
      std::ranges::move(page.files, std::back_inserter(page_.files));
      add_html("<h2>" + escaped(heading) + "</h2>\n" + page.html);
    }
  }

  void add_html(const std::string& html) {
    ++slides_;
    page_.html += "<section class=\"slide\" id=\"slide-" + std::to_string(slides_) + "\">\n" +
                  html + (slides_ > 1 ? "<footer>" + escaped(foot_) + "</footer>\n" : "") +
                  "</section>\n";
  }

  Page page() && {
    page_.html = page_around(foot_, slide_style, "<main>\n" + page_.html + "</main>\n");
    return std::move(page_);
  }

 private:
  std::string foot_;
  std::size_t slides_ = 0;
  Page page_;
};

std::string choices_html(const Lesson& lesson) {
  std::string html = "<h2>Your prediction</h2>\n<ol>\n";
  for (const LessonChoice& choice : lesson.choices)
    html += "<li>" + escaped(choice.text) + "</li>\n";
  return html + "</ol>\n";
}

}  // namespace

Page lesson_slides(const Lesson& lesson) {
  Slides slides(lesson);
  slides.add_html("<h1>" + escaped(title_of(lesson)) + "</h1>\n");
  slides.add("The question", lesson.question);
  slides.add_html(choices_html(lesson));
  const std::size_t right = right_choice(lesson);
  slides.add(letter_of(right) + ") " + lesson.choices[right].text, lesson.choices[right].reply);
  slides.add("Run it", lesson.command);
  slides.add("Picture", lesson.picture);
  slides.add("Answer", lesson.answer);
  slides.add("A measured run", lesson.measured);
  slides.add("Exercise", lesson.exercise);
  slides.add("Solution", lesson.solution);
  return std::move(slides).page();
}

void write_lesson_slides(const std::vector<Lesson>& lessons, const std::filesystem::path& folder) {
  for (const Lesson& lesson : lessons) {
    const Page page = lesson_slides(lesson);
    for (const PageFile& file : page.files) write_file(folder / file.name, file);
    support::write_file_atomic(folder / (lesson.name + ".html"), page.html);
  }
}

}  // namespace cubicbench::results
