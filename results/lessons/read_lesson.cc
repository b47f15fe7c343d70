#include "results/lessons/read_lesson.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <sstream>

#include "results/embedded.h"
#include "results/lessons/lesson_blocks.h"
#include "support/input_error.h"
#include "support/joined.h"
#include "support/parsed.h"

namespace cubicbench::results {
namespace {

using support::InputError;
using Lines = std::vector<SourceLine>;

constexpr std::array<std::string_view, 8> sections{"Question", "Choices",  "Command",  "Picture",
                                                   "Answer",   "Measured", "Exercise", "Solution"};
constexpr std::string_view title_sign = "# ";
constexpr std::string_view section_sign = "## ";

Lines lines_of(const LessonSource& source) {
  Lines lines;
  std::istringstream in{std::string(source.text)};
  for (std::string line; std::getline(in, line);) {
    lines.push_back(
        {.text = line, .where = source.name + ".md:" + std::to_string(lines.size() + 1)});
  }
  return lines;
}

/// The lines of each section by its name; those before the first are called "".
std::map<std::string, Lines> parts_of(const LessonSource& source) {
  std::map<std::string, Lines> parts;
  std::string name;
  std::size_t next = 0;
  for (const SourceLine& line : lines_of(source)) {
    if (!line.text.starts_with(section_sign)) {
      parts[name].push_back(line);
      continue;
    }
    name = line.text.substr(section_sign.size());
    if (next == sections.size() || name != sections[next]) {
      throw InputError(line.where, next == sections.size()
                                       ? "expected no section behind the last"
                                       : "expected ## " + std::string(sections[next]));
    }
    ++next;
  }
  if (next < sections.size()) {
    throw InputError(source.name + ".md", "no section ## " + std::string(sections[next]));
  }
  return parts;
}

/// Runs the commands that are named before the first section, and checks what is claimed there.
LessonValues values_of(const Lines& head, const AskProgram& ask) {
  constexpr std::string_view run = "run ";
  constexpr std::string_view claim = "claim: ";
  LessonValues values(ask);
  for (const SourceLine& line : head) {
    if (line.text.empty() || line.text.starts_with(title_sign)) continue;
    const std::size_t colon = line.text.find(": ");
    if (line.text.starts_with(run) && colon != std::string::npos) {
      values.add(line.text.substr(run.size(), colon - run.size()), line.text.substr(colon + 2),
                 line.where);
    } else if (!line.text.starts_with(claim)) {
      throw InputError(line.where, "expected run NAME: COMMAND or claim: FORMULA < FORMULA");
    } else if (!values.holds(line.text.substr(claim.size()), line.where)) {
      throw InputError(line.where, "no longer true: " + line.text.substr(claim.size()));
    }
  }
  return values;
}

std::vector<LessonChoice> choices_of(const Lines& lines, const LessonValues& values) {
  constexpr std::string_view inset = "  ";
  std::vector<LessonChoice> choices;
  std::vector<Lines> replies;
  for (const SourceLine& line : lines) {
    const bool is_right = line.text.starts_with("+ ");
    if (is_right || line.text.starts_with("- ")) {
      choices.push_back({.text = values.filled(line.text.substr(2), line.where),
                         .reply = {},
                         .is_right = is_right});
      replies.emplace_back();
    } else if (!replies.empty() && (line.text.empty() || line.text.starts_with(inset))) {
      const std::string text = line.text.empty() ? "" : line.text.substr(inset.size());
      replies.back().push_back({.text = text, .where = line.where});
    } else if (!line.text.empty()) {
      throw InputError(line.where, "expected a choice: - TEXT, or + TEXT for the right one");
    }
  }
  for (std::size_t i = 0; i < choices.size(); ++i) {
    choices[i].reply = blocks_of(replies[i], values);
  }
  return choices;
}

void require_choices(const Lesson& lesson) {
  constexpr std::size_t most = 6;
  const std::string where = lesson.name + ".md#Choices";
  const auto right = std::ranges::count(lesson.choices, true, &LessonChoice::is_right);
  if (lesson.choices.size() < 2 || lesson.choices.size() > most) {
    throw InputError(where, "expected two to six choices");
  }
  if (right != 1)
    throw InputError(where, "expected one right choice, got " + std::to_string(right));
  for (const LessonChoice& choice : lesson.choices) {
    if (choice.reply.empty()) throw InputError(where, "nothing is said of: " + choice.text);
  }
}

}  // namespace

std::vector<LessonSource> lesson_sources() {
  constexpr std::string_view folder = "lessons/texts/";
  constexpr std::string_view ending = ".md";
  std::vector<LessonSource> sources;
  for (const support::EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with(folder)) continue;
    const std::string_view name = file.path.substr(folder.size());
    sources.push_back(
        lesson_source(std::string(name.substr(0, name.size() - ending.size())), file.text));
  }
  return sources;
}

LessonSource lesson_source(const std::string& name, std::string_view text) {
  const auto number = support::parsed<int>(std::string_view(name).substr(0, name.find('-')));
  if (!number || !text.starts_with(title_sign)) {
    throw InputError(name + ".md", "expected NUMBER-NAME.md with a title in its first line");
  }
  const std::string_view title =
      text.substr(title_sign.size(), text.find('\n') - title_sign.size());
  return {.number = *number, .name = name, .title = std::string(title), .text = text};
}

Lesson read_lesson(const LessonSource& source, const AskProgram& ask) {
  const std::map<std::string, Lines> parts = parts_of(source);
  const LessonValues values = values_of(parts.at(""), ask);
  const auto blocks = [&](const char* section) { return blocks_of(parts.at(section), values); };
  Lesson lesson{.number = source.number,
                .name = source.name,
                .title = source.title,
                .question = blocks("Question"),
                .choices = choices_of(parts.at("Choices"), values),
                .command = blocks("Command"),
                .picture = blocks("Picture"),
                .answer = blocks("Answer"),
                .measured = blocks("Measured"),
                .exercise = blocks("Exercise"),
                .solution = blocks("Solution"),
                .commands = values.commands()};
  require_choices(lesson);
  return lesson;
}

}  // namespace cubicbench::results
