#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cli/options/output.h"
#include "support/input_error.h"

namespace cubicbench::cli {

using Problems = std::vector<support::Problem>;
using support::gathered;

/// The values of an option as they were typed, one each time that it was given.
using Values = std::vector<std::string>;

/// The only value of the option called `name`, which has one. Throws InputError where it has
/// several.
const std::string& only(const Values& values, const std::string& name);

/// One option of a subcommand: how it is shown, and where what was typed goes.
struct Option {
  /// Flags have no value, others one or many; arguments are known by their place. One is the help.
  enum class Form { help, flag, value, values, argument, arguments };

  Form form = Form::value;
  std::string name{};         ///< "--out"; of arguments in capitals
  std::string placeholder{};  ///< of its value: "DIR"
  std::string help{};
  Values choices{};         ///< the words that its value may be, which shells offer; {}: any text
  bool takes_list = false;  ///< its value is a list of words between commas
  std::function<void(const Values&)> read{};  ///< sets the field; throws InputError

  bool is_required = false;           ///< an argument that the command cannot do without
  bool is_hidden = false;             ///< known, and not in the help text
  support::Problem wanted{};          ///< what is said where it is not given; "": nothing
  std::function<bool()> is_wanted{};  ///< whether that is said
  std::vector<std::function<void()>> checks{};
  std::function<Output()> output{};  ///< what its value names that is written; null: nothing
  /// Options of lower turns are read, and their problems said, first; those of one turn in the
  /// order of the help text.
  int turn = 0;
  bool given = false;

  Option& required();
  Option& hidden();
  Option& in_turn(int place);
  /// Shells offer `words` for its value. Those of a reader with `names` are offered without this.
  template <class Words>
  Option& offers(const Words& words) {
    choices.assign(words.begin(), words.end());
    return *this;
  }
  /// Its value is a list of words between commas.
  Option& listed();
  /// `problem` is said where it is not given and `when()`, always by default, at `where`, by
  /// default at its name.
  Option& required(std::string problem, std::function<bool()> when = {}, std::string where = "");
  /// Looks at its field, and at those of others, when all are read; where it was wrong already, not
  /// at all. Throws InputError.
  Option& check(std::function<void()> look);
  /// Its value names what the command writes, which is looked at once it is read and right.
  Option& writes(Output what);
  Option& writes(std::function<Output()> what);
};

/// Text as it was typed.
struct AsTyped {
  std::string operator()(const std::string& text, const std::string&) const { return text; }
};

/// The options of a subcommand, each bound to a field that must outlive them. A field holds what it
/// held before where its option is not given or wrong. `Read` makes (text, name of the option) a
/// value and throws InputError; references to options hold until the next one is added.
class Options {
 public:
  /// The option that prints the help text, which every subcommand has.
  void help() { add({.form = Option::Form::help}); }

  Option& flag(std::string name, std::string help, bool& field);

  /// Given once at most.
  template <class Field, class Read = AsTyped>
  Option& value(const std::string& name, const std::string& placeholder, const std::string& help,
                Field& field, Read read = {}) {
    return add({.form = Option::Form::value,
                .name = name,
                .placeholder = placeholder,
                .help = help,
                .choices = names_of(read),
                .read = once(name, field, std::move(read))});
  }

  /// Given as often as wanted.
  template <class Field, class Read = AsTyped>
  Option& values(const std::string& name, const std::string& placeholder, const std::string& help,
                 std::vector<Field>& field, Read read = {}) {
    return add({.form = Option::Form::values,
                .name = name,
                .placeholder = placeholder,
                .help = help,
                .choices = names_of(read),
                .read = each(name, field, std::move(read))});
  }

  /// The same, and each time words between commas: "a,b" twice is a, b, a, b.
  template <class Field, class Read = AsTyped>
  Option& words(const std::string& name, const std::string& placeholder, const std::string& help,
                std::vector<Field>& field, Read read = {}) {
    Option& option = values(name, placeholder, help, field, std::move(read));
    option.takes_list = true;
    option.read = [read_words = std::move(option.read)](const Values& values) {
      read_words(words_of(values));
    };
    return option;
  }

  /// What is known by its place; `name` is in capitals.
  template <class Field, class Read = AsTyped>
  Option& argument(const std::string& name, const std::string& help, Field& field, Read read = {}) {
    Option& option = value(name, "", help, field, std::move(read));
    option.form = Option::Form::argument;
    return option;
  }

  /// Any number of them.
  template <class Field, class Read = AsTyped>
  Option& arguments(const std::string& name, const std::string& help, std::vector<Field>& field,
                    Read read = {}) {
    Option& option = values(name, "", help, field, std::move(read));
    option.form = Option::Form::arguments;
    return option;
  }

  /// Looks at the whole, once fields are read: what it throws is said and nothing else is.
  void first(std::function<void(const Options&)> look) { first_ = std::move(look); }

  /// Looks at the fields of several options; what is wrong is said at the end of that turn.
  void check(int turn, std::function<void()> look) { checks_.emplace_back(turn, std::move(look)); }

  const std::vector<Option>& all() const { return options_; }
  bool given(const std::string& name) const;

  /// Sets the fields to what was typed of each option. Throws InputError with all that is wrong,
  /// and OutputError where nothing is but an output cannot be written.
  void fill(const std::vector<Values>& typed);

 private:
  Option& add(Option option);
  static Values words_of(const Values& values);

  template <class Read>
  static Values names_of(const Read& read) {
    if constexpr (requires { read.names; }) return Values(read.names.begin(), read.names.end());
    return {};
  }

  template <class Field, class Read>
  static std::function<void(const Values&)> once(const std::string& name, Field& field, Read read) {
    return [name, &field, read = std::move(read)](const Values& values) mutable {
      field = static_cast<Field>(read(only(values, name), name));
    };
  }

  template <class Field, class Read>
  static std::function<void(const Values&)> each(const std::string& name, std::vector<Field>& field,
                                                 Read read) {
    return [name, &field, read = std::move(read)](const Values& values) mutable {
      Problems problems;
      std::vector<Field> all;
      for (const std::string& text : values) {
        gathered(problems, [&] { all.push_back(static_cast<Field>(read(text, name))); });
      }
      support::throw_if_any(problems);
      field = std::move(all);
    };
  }

  std::vector<Option> options_;
  std::function<void(const Options&)> first_;
  std::vector<std::pair<int, std::function<void()>>> checks_;
};

}  // namespace cubicbench::cli
