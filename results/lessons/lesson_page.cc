#include "results/lessons/lesson_page.h"

#include <cstddef>

#include "results/lessons/lesson_document.h"

namespace cubicbench::results {
namespace {

/// A reply is shown for the choice in the same place; there are six choices at most.
constexpr std::string_view lesson_style = R"css(
.predict { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .5rem .7rem; margin: 1rem 0; }
.predict > input { margin: 0; width: 1.1rem; height: 1.1rem; align-self: center; accent-color: var(--link); }
.predict > label { max-width: 43rem; padding: .45rem .7rem; border: 1px solid var(--edge); border-radius: 6px; cursor: pointer; }
.predict > label:hover, .predict > input:checked + label { background: var(--tint); }
.predict > input:checked + label { border-color: var(--link); }
.predict > input:focus-visible + label { outline: 2px solid var(--link); outline-offset: 1px; }
.reply, .then { grid-column: 1 / -1; display: none; min-width: 0; }
.reply { border-left: 3px solid var(--link); padding-left: .75rem; margin-top: .5rem; max-width: 45rem; }
.reply > h4 { display: none; }
.then > p, .then > ul { max-width: 45rem; }
.predict > input:checked ~ .then, .predict > input:nth-of-type(1):checked ~ .reply:nth-of-type(1), .predict > input:nth-of-type(2):checked ~ .reply:nth-of-type(2),
.predict > input:nth-of-type(3):checked ~ .reply:nth-of-type(3), .predict > input:nth-of-type(4):checked ~ .reply:nth-of-type(4),
.predict > input:nth-of-type(5):checked ~ .reply:nth-of-type(5), .predict > input:nth-of-type(6):checked ~ .reply:nth-of-type(6) { display: block; }
/* Bars of one colour need no legend; charts of one page are level. */
.note:has(.swatch) { display: none; }
.wide > table:has(.shares) { width: 100%; max-width: 45rem; }
.shares { width: 60%; }
/* What a command prints is 45 columns wide. */
@media screen and (max-width: 480px) { pre { font-size: .69rem; padding: .6rem .5rem; } .shares { min-width: 9rem; } }
@media print { .reply, .reply > h4, .then { display: block; } .predict > input { display: none; } .predict > label { grid-column: 1 / -1; } }
)css";

/// The page under work: files of figures gather beside its text.
class LessonWriter {
 public:
  void text(std::string_view html) { page_.html += html; }
  void part(const Document& document) {
    Page part = page_part(document);
    page_.html += part.html;
    page_.files.insert(page_.files.end(), part.files.begin(), part.files.end());
  }
  void part(const std::vector<Block>& blocks) { part(Document{.title = "", .blocks = blocks}); }
  /// An input and its label. Inputs of one name are choices, of which one is taken.
  void input(std::string_view type, const std::string& name, const std::string& id,
             const std::string& label) {
    text("<input type=\"" + std::string(type) + "\" name=\"" + name + "\" id=\"" + id +
         "\"/><label for=\"" + id + "\">" + escaped(label) + "</label>\n");
  }
  Page page() && { return std::move(page_); }

 private:
  Page page_;
};

std::string choice_text(const Lesson& lesson, std::size_t choice) {
  return letter_of(choice) + ") " + lesson.choices[choice].text;
}

void add_replies(LessonWriter& writer, const Lesson& lesson) {
  for (std::size_t i = 0; i < lesson.choices.size(); ++i) {
    writer.text("<section class=\"reply\">\n<h4>" + escaped(choice_text(lesson, i)) + "</h4>\n");
    writer.part(reply_document(lesson.choices[i], lesson.choices[i].is_right ? "Right. " : "No. "));
    writer.text("</section>\n");
  }
}

void add_solution(LessonWriter& writer, const Lesson& lesson) {
  writer.text("<div class=\"predict\">\n");
  writer.input("checkbox", "solution", "solution", "Show the solution");
  writer.text("<div class=\"then\">\n");
  writer.part(lesson.solution);
  writer.text("</div>\n</div>\n");
}

}  // namespace

Page lesson_page(const Lesson& lesson, std::string_view way_on) {
  LessonWriter writer;
  writer.text("<main>\n<h1>" + escaped(title_of(lesson)) + "</h1>\n");
  writer.part(lesson.question);
  writer.text(
      "<h2 id=\"predict\">Your prediction first</h2>\n"
      "<div class=\"predict\" role=\"group\" aria-labelledby=\"predict\">\n");
  for (std::size_t i = 0; i < lesson.choices.size(); ++i) {
    writer.input("radio", "choice", "choice-" + letter_of(i), choice_text(lesson, i));
  }
  add_replies(writer, lesson);
  writer.text("<div class=\"then\">\n");
  writer.part(answer_document(lesson));
  add_solution(writer, lesson);
  writer.text("</div>\n</div>\n" + std::string(way_on) + "</main>\n");
  Page page = std::move(writer).page();
  page.html = page_around(title_of(lesson), lesson_style, page.html);
  return page;
}

}  // namespace cubicbench::results
