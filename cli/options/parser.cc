#include "cli/options/parser.h"

#include <CLI/CLI.hpp>
#include <cstddef>
#include <limits>

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
    CLI::App& own = *app.add_subcommand(std::string(command.name), std::string(command.summary))
                         ->allow_extras();
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

std::vector<std::string> command_names(const CLI::App& root) {
  std::vector<std::string> names;
  for (const CLI::App* command : root.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

/// An argument at the start of a message.
std::string shown(const std::string& argument) {
  return argument.empty() ? "\"\"" : support::shortened(argument);
}

[[noreturn]] void refuse_option(const CLI::App& app, const std::string& argument) {
  const std::string name = argument.substr(0, argument.find('='));
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_option_no_throw(name) != nullptr) {
      throw InputError(name, "expected after the subcommand");
    }
  }
  throw InputError(support::shortened(name),
                   "unknown option" + support::did_you_mean(name, option_names(app)));
}

/// Reports the first argument of `app` itself that nobody took.
void refuse_remaining(const CLI::App& app) {
  const bool is_root = app.get_parent() == nullptr;
  for (const std::string& argument : app.remaining()) {
    if (argument == "--") continue;  // it only says that options end
    if (argument.size() > 1 && argument.front() == '-') refuse_option(app, argument);
    throw InputError(shown(argument), is_root
                                          ? "unknown subcommand" +
                                                support::did_you_mean(argument, command_names(app))
                                          : "unexpected argument");
  }
}

void refuse_unknown(const CLI::App& root) {
  refuse_remaining(root);
  for (const CLI::App* command : root.get_subcommands()) refuse_remaining(*command);
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

}  // namespace

Parsed parse(const Program& program, std::span<Command> commands,
             const std::vector<std::string>& args) {
  CLI::App app(program.description, program.name);
  declare(app, program, commands);
  try {
    app.parse(std::vector<std::string>(args.rbegin(), args.rend()));
  } catch (const CLI::CallForHelp&) {
    return {.text = app.help()};
  } catch (const CLI::CallForVersion& version) {
    return {.text = std::string(version.what()) + "\n"};
  } catch (const CLI::ParseError& error) {
    // An unknown option explains more than what went wrong after it.
    refuse_unknown(app);
    throw refused(app, args, error);
  }
  refuse_unknown(app);
  for (Command& command : commands) {
    const std::string name(command.name);
    if (!app.got_subcommand(name)) continue;
    fill(command, *app.get_subcommand(name));
    return {.command = &command};
  }
  throw InputError(program.name, "expected a subcommand, one of " +
                                     support::joined(command_names(app), ", ") + "; see " +
                                     program.name + " --help");
}

}  // namespace cubicbench::cli
