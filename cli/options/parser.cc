#include "cli/options/parser.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <limits>

#include "results/document/paragraph.h"
#include "scenarios/space/setting.h"
#include "scenarios/space/setting_words.h"
#include "support/input_error.h"
#include "support/joined.h"
#include "support/suggestion.h"

namespace cubicbench::cli {
namespace {

using support::InputError;

/// Where descriptions start in a help text.
constexpr std::size_t help_columns = 24;
constexpr const char* help_flags = "-h,--help";
constexpr const char* help_text = "Print this and exit";

void declare(CLI::App& app, const Option& option) {
  using Form = Option::Form;
  if (option.form == Form::help) {
    app.set_help_flag(help_flags, help_text);
    return;
  }
  if (option.form == Form::flag) {
    app.add_flag(option.name, option.help)->disable_flag_override();
    return;
  }
  CLI::Option* const declared = app.add_option(option.name, option.help)
                                    ->type_name(option.placeholder)
                                    ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
                                    ->allow_extra_args(false);
  if (option.form == Form::arguments) {
    declared->expected(0, std::numeric_limits<int>::max() / 2)->allow_extra_args(true);
  }
  declared->required(option.is_required);
  if (option.is_hidden) declared->group("");
}

void declare(CLI::App& app, const Program& program, std::span<const Command> commands) {
  app.footer(program.footer);
  app.get_formatter()->column_width(help_columns);
  app.set_help_flag(help_flags, help_text);
  app.set_version_flag("--version", program.name + " " + program.version,
                       "Print the version and exit");
  app.require_subcommand(0, 1);
  app.allow_extras();
  for (const Command& command : commands) {
    const CommandWords& words = command.words;
    CLI::App& own =
        *app.add_subcommand(std::string(words.name), std::string(words.summary))->allow_extras();
    own.footer("Examples:\n" + results::indented(words.examples, 2));
    for (const Option& option : command.options.all()) declare(own, option);
  }
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// The setting of that name, as an option would spell it; "" where there is none.
std::string_view setting_called(std::string_view option) {
  std::string name(option.substr(std::min(option.find_first_not_of('-'), option.size())));
  std::ranges::replace(name, '-', '_');
  const scenarios::Setting* const setting = scenarios::find_setting(name);
  return setting == nullptr ? "" : setting->name;
}

/// Of an argument that an option should stand before: NAME=VALUE is a setting.
std::string instead_of(const std::string& argument) {
  const bool is_set = argument.find('=') != std::string::npos && argument.front() != '=';
  return is_set ? "; did you mean --set " + support::shortened(argument) + "?" : "";
}

/// Options that others call so.
std::string known_as(const CLI::App& command, const std::string& name) {
  constexpr std::pair<std::string_view, const char*> others[] = {
      {"-o --output --output-dir --save --outfile ", "--out"},
      {"--budget --iterations --n-trials --max-trials --evaluations -n ", "--trials"},
      {"--algorithm --sampler --method --optimizer --strategy ", "--searcher"},
      {"--runs --repetitions --random-seed ", "--seeds"},
      {"-q --silent ", "--quiet"},
      {"-j --jobs --workers --num-threads ", "--threads"},
      {"--format --output-format ", "--json"}};
  for (const auto& [names, option] : others) {
    if (names.find(name + " ") == std::string_view::npos) continue;
    if (command.get_option_no_throw(option) != nullptr) {
      return std::string("; did you mean \"") + option + "\"?";
    }
  }
  return "";
}

/// Subcommands with that option.
std::vector<std::string> having(const CLI::App& root, const std::string& option) {
  std::vector<std::string> names;
  for (const CLI::App* const other : root.get_subcommands({})) {
    if (other->get_option_no_throw(option) != nullptr) names.push_back(other->get_name());
  }
  return names;
}

std::string usage_of(const CLI::App& root, const CLI::App& command) {
  return root.get_name() + (&command == &root ? "" : " " + command.get_name());
}

/// What to type in place of an option that `command` does not have.
std::string meant_option(const CLI::App& root, const CLI::App& command, const std::string& name,
                         const std::string& value) {
  using scenarios::WorkloadKind;
  const std::string shown_value = value.empty() ? "VALUE" : support::shortened(value);
  std::string_view meant = scenarios::meant_by(name, WorkloadKind::transformer);
  if (meant.empty()) meant = scenarios::meant_by(name, WorkloadKind::recommendation);
  if (meant.empty()) meant = setting_called(name);
  if (command.get_option_no_throw("--set") != nullptr && !meant.empty()) {
    return "; did you mean --set " + std::string(meant) + "=" + shown_value + "?";
  }
  std::string guess = known_as(command, name);
  if (!guess.empty()) return guess;
  const std::vector<std::string> others = having(root, meant.empty() ? name : "--set");
  if (!others.empty() && &command != &root) {
    return (meant.empty() ? "; an option of " : "; a setting, which --set changes in ") +
           support::joined(others, ", ");
  }
  guess = support::did_you_mean(name, option_names(command));
  return guess.empty() ? "; see " + usage_of(root, command) + " --help" : guess;
}

std::vector<std::string> command_names(const CLI::App& root) {
  std::vector<std::string> names;
  for (const CLI::App* command : root.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

/// An argument at the start of a message.
std::string shown(const std::string& argument) {
  return argument.empty() ? "\"\"" : support::shortened(argument);
}

/// `value` is what follows it, where that may be its value.
[[noreturn]] void refuse_option(const CLI::App& app, const std::string& argument,
                                const std::string& following) {
  const std::size_t equals = argument.find('=');
  const std::string name = argument.substr(0, equals);
  const std::string value = equals == std::string::npos ? following : argument.substr(equals + 1);
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_option_no_throw(name) != nullptr) {
      throw InputError(name, "expected after the subcommand");
    }
  }
  const CLI::App& root = app.get_parent() == nullptr ? app : *app.get_parent();
  throw InputError(support::shortened(name),
                   "unknown option" + meant_option(root, app, name, value));
}

/// The subcommand that people mean by `word`: "; did you mean "search"?".
std::string meant_command(const CLI::App& root, std::span<const Command> commands,
                          const std::string& word) {
  for (const Command& command : commands) {
    if (!word.empty() && command.words.also.find(" " + word + " ") != std::string_view::npos) {
      return "; did you mean \"" + std::string(command.words.name) + "\"?";
    }
  }
  std::string guess = support::did_you_mean(word, command_names(root));
  return guess.empty() ? "; see " + root.get_name() + " --help" : guess;
}

/// Reports the first argument of `app` itself that nobody took.
void refuse_remaining(const CLI::App& app, std::span<const Command> commands) {
  const bool is_root = app.get_parent() == nullptr;
  const std::vector<std::string> remaining = app.remaining();
  for (std::size_t i = 0; i < remaining.size(); ++i) {
    const std::string& argument = remaining[i];
    if (argument == "--") continue;  // it only says that options end
    if (argument.size() > 1 && argument.front() == '-') {
      const bool has_value = i + 1 < remaining.size() && !remaining[i + 1].starts_with('-');
      refuse_option(app, argument, has_value ? remaining[i + 1] : "");
    }
    throw InputError(shown(argument),
                     is_root ? "unknown subcommand" + meant_command(app, commands, argument)
                             : "unexpected argument" + instead_of(argument));
  }
}

void refuse_unknown(const CLI::App& root, std::span<const Command> commands) {
  refuse_remaining(root, commands);
  for (const CLI::App* command : root.get_subcommands()) refuse_remaining(*command, commands);
}

/// The placeholder of the value option called `name`, in whichever subcommand has it.
std::string placeholder_of(const CLI::App& root, const std::string& name) {
  for (const CLI::App* command : root.get_subcommands({})) {
    if (const CLI::Option* option = command->get_option_no_throw(name); option != nullptr) {
      return option->get_type_name();
    }
  }
  return "a value";
}

/// Our words for what the parser refused: a missing positional, an option at the very end without
/// its value, or a flag with one.
InputError refused(const CLI::App& root, const std::vector<std::string>& args,
                   const CLI::ParseError& error) {
  const std::string message = error.what();
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    const std::string command = root.get_subcommands().back()->get_name();
    return {command, "expected a " + message.substr(0, message.find(' ')) + "; see " +
                         root.get_name() + " " + command + " --help"};
  }
  if (const std::size_t flag = message.find(" was given a disallowed flag override");
      flag != std::string::npos) {
    return {"--" + message.substr(0, flag), "takes no value"};
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && !args.empty()) {
    const std::string name = args.back().substr(0, args.back().find('='));  // `--out=`
    return {name, "expected " + placeholder_of(root, name) + ", got nothing"};
  }
  return {"command line", message};
}

/// Puts what was typed of `app` into the command's fields.
void fill(Command& command, const CLI::App& app) {
  std::vector<Values> typed;
  for (const Option& option : command.options.all()) {
    const bool is_help = option.form == Option::Form::help;
    typed.push_back(is_help ? Values() : app.get_option(option.name)->results());
  }
  command.options.fill(typed);
}

/// `help` is the word for --help, alone or before a subcommand.
std::vector<std::string> without_help_word(const std::vector<std::string>& args,
                                           std::span<const Command> commands) {
  if (args.front() != "help") return args;
  if (args.size() == 1) return {"--help"};
  const auto named = [&](const Command& command) { return command.words.name == args[1]; };
  if (std::ranges::none_of(commands, named)) return {args[1]};
  return {args[1], "--help"};
}

}  // namespace

Parsed parse(const Program& program, std::span<Command> commands,
             const std::vector<std::string>& args) {
  if (args.empty()) return {.text = program.welcome};
  CLI::App app(program.description, program.name);
  declare(app, program, commands);
  const std::vector<std::string> words = without_help_word(args, commands);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp&) {
    return {.text = app.help()};
  } catch (const CLI::CallForVersion& version) {
    return {.text = std::string(version.what()) + "\n"};
  } catch (const CLI::ParseError& error) {
    // An unknown option explains more than what went wrong after it.
    refuse_unknown(app, commands);
    throw refused(app, words, error);
  }
  refuse_unknown(app, commands);
  for (Command& command : commands) {
    const std::string name(command.words.name);
    if (!app.got_subcommand(name)) continue;
    fill(command, *app.get_subcommand(name));
    return {.command = &command};
  }
  throw InputError(program.name, "expected a subcommand, one of " +
                                     support::joined(command_names(app), ", ") + "; see " +
                                     program.name + " --help");
}

}  // namespace cubicbench::cli
