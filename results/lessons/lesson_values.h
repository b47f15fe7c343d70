#pragma once

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace cubicbench::results {

/// What the program prints when it is asked that: the words of a command line without the program's
/// name. Throws InputError.
using AskProgram = std::function<std::string(const std::vector<std::string>& words)>;

/// The answers of the commands that a lesson names, and texts with places for their numbers.
///
/// A place is `{FORMULA as FORMAT}`, `{FORMULA}` for a text, or `{NAME}` for a command as one types
/// it. A formula has numbers, paths, `+ - * / ^` between spaces, and brackets. A path such as
/// `base.memory.parts.gradients.bytes` leads from the name of a command through the document that
/// it prints with --json; elements of an array are known by their "name", "id", "searcher" or
/// "predictor", or by their place from 0. All functions throw InputError at `where`.
class LessonValues {
 public:
  explicit LessonValues(AskProgram ask);
  LessonValues(LessonValues&&) noexcept;
  ~LessonValues();

  /// `line`: a command line without the program's name, run with --json.
  void add(const std::string& name, const std::string& line, const std::string& where);

  /// `text` with every place filled.
  std::string filled(std::string_view text, const std::string& where) const;

  double number(std::string_view formula, const std::string& where) const;

  /// `number` in the format of that name, as in `filled`.
  static std::string shown(double number, std::string_view format, const std::string& where);

  /// Two formulas with `<`, `>`, `<=` or `>=` between them.
  bool holds(std::string_view claim, const std::string& where) const;

  /// Those lines of what the command prints for people that begin with these words, behind the
  /// command as one types it; bars are left out.
  std::string printed(const std::string& name, const std::vector<std::string>& beginnings,
                      const std::string& where) const;

  /// The SVG that a command draws, given without its `--out FILE.svg`.
  std::string drawn(const std::string& line) const;

  /// Every command as one types it, in the order of their names' first use.
  const std::vector<std::string>& commands() const { return commands_; }

 private:
  const std::string& line_of(const std::string& name, const std::string& where) const;
  std::string place(std::string_view text, const std::string& where) const;

  AskProgram ask_;
  std::map<std::string, std::string> lines_;
  std::unique_ptr<nlohmann::ordered_json> answers_;  ///< by name
  std::vector<std::string> commands_;
};

}  // namespace cubicbench::results
