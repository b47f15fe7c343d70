#include "results/lessons/lesson_document.h"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>

#include "results/document/markdown.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;
using Blocks = std::vector<Block>;

constexpr int part_level =
    3;  ///< of headings behind the prediction, which is a part of the question's

void add_part(Document& document, const char* heading, const Blocks& blocks) {
  document.add(Heading{.text = heading, .level = part_level});
  document.blocks.insert(document.blocks.end(), blocks.begin(), blocks.end());
}

Json lesson_entry(const LessonSource& source) {
  return Json{{"number", source.number}, {"name", source.name}, {"title", source.title}};
}

std::string markdown_of(const Blocks& blocks) {
  return markdown_text({.title = "", .blocks = blocks});
}

}  // namespace

std::string title_of(const Lesson& lesson) {
  return "Lesson " + std::to_string(lesson.number) + ": " + lesson.title;
}

Document reply_document(const LessonChoice& choice, const std::string& verdict) {
  Document document{.title = "", .blocks = choice.reply};
  if (!document.blocks.empty()) {
    if (auto* const first = std::get_if<Paragraph>(&document.blocks.front().content)) {
      first->text = verdict + first->text;
      return document;
    }
  }
  document.blocks.insert(document.blocks.begin(), {Paragraph{.text = verdict}});
  return document;
}

Document answer_document(const Lesson& lesson) {
  Document document{.title = ""};
  add_part(document, "Run it", lesson.command);
  add_part(document, "Picture", lesson.picture);
  add_part(document, "Answer", lesson.answer);
  add_part(document, "A measured run", lesson.measured);
  add_part(document, "Exercise", lesson.exercise);
  return document;
}

Document lessons_document(const std::vector<LessonSource>& sources) {
  Document document{.title = "Lessons"};
  document.add(Paragraph{.text =
                             "Ten minutes each: a question, your prediction, what the simulator "
                             "says, and what somebody measured."});
  Table table{.columns = {{.key = "number", .heading = "LESSON", .show = Show::count},
                          {.key = "title", .heading = "TITLE"}}};
  for (const LessonSource& source : sources) {
    table.rows.push_back({source.number, source.title});
  }
  document.add(std::move(table));
  return document;
}

Json lesson_json(const Lesson& lesson) {
  Json document = support::new_document("lesson");
  document["number"] = lesson.number;
  document["name"] = lesson.name;
  document["title"] = lesson.title;
  document["question"] = markdown_of(lesson.question);
  document["choices"] = Json::array();
  for (const LessonChoice& choice : lesson.choices) {
    document["choices"].push_back(Json{
        {"text", choice.text}, {"right", choice.is_right}, {"reply", markdown_of(choice.reply)}});
  }
  for (const auto& [key, blocks] : {std::pair{"command", &lesson.command},
                                    {"picture", &lesson.picture},
                                    {"answer", &lesson.answer},
                                    {"measured", &lesson.measured},
                                    {"exercise", &lesson.exercise},
                                    {"solution", &lesson.solution}}) {
    document[key] = markdown_of(*blocks);
  }
  document["commands"] = lesson.commands;
  return document;
}

Json lessons_json(const std::vector<LessonSource>& sources) {
  Json document = support::new_document("lessons");
  document["lessons"] = Json::array();
  for (const LessonSource& source : sources) document["lessons"].push_back(lesson_entry(source));
  return document;
}

}  // namespace cubicbench::results
