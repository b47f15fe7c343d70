#include "cli/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>

#include "cli/problems.h"
#include "support/input_error.h"
#include "support/suggestion.h"

namespace cubicbench::cli {
namespace {

using support::InputError;

constexpr std::int64_t threads_max = 4096;

std::string quoted(const std::string& text) { return '"' + support::shortened(text) + '"'; }

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App& root) {
  std::vector<std::string> names;
  for (const CLI::App* command : root.get_subcommands({})) {
    names.push_back(command->get_name());
  }
  return names;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : ", ") + word;
  }
  return text;
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
    if (argument == "--") {
      continue;  // it only says that options end
    }
    if (argument.size() > 1 && argument.front() == '-') {
      refuse_option(app, argument);
    }
    throw InputError(shown(argument), is_root
                                          ? "unknown subcommand" +
                                                support::did_you_mean(argument, command_names(app))
                                          : "unexpected argument");
  }
}

void refuse_unknown(const CLI::App& root) {
  refuse_remaining(root);
  for (const CLI::App* command : root.get_subcommands()) {
    refuse_remaining(*command);
  }
}

void check_parsed(const CLI::App& root) {
  refuse_unknown(root);
  if (root.get_subcommands().empty()) {
    throw InputError("cubicbench", "expected a subcommand, one of " + joined(command_names(root)) +
                                       "; see cubicbench --help");
  }
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
    return {command, "expected a " + message.substr(0, message.find(' ')) + "; see cubicbench " +
                         command + " --help"};
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

std::int64_t integer(const std::string& text, const std::string& name, std::int64_t min,
                     std::int64_t max) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end || number < min || number > max) {
    throw InputError(name, "expected an integer in [" + std::to_string(min) + ", " +
                               std::to_string(max) + "], got " + quoted(text));
  }
  return number;
}

}  // namespace

void declare_flag(CLI::App& app, const std::string& name, const std::string& description) {
  app.add_flag(name, description)->disable_flag_override();
}

void declare_global_options(CLI::App& app) {
  app.set_help_flag("-h,--help", "Print this and exit");
  declare_flag(app, "--json", "Print one JSON document instead of text");
  declare_flag(app, "--quiet", "No progress and no notes on standard error");
  declare_value(app, "--threads", "N", "Worker threads (default: all); never changes a result");
}

GlobalOptions global_options(const CLI::App& app) {
  return {.json = app.count("--json") > 0,
          .quiet = app.count("--quiet") > 0,
          .threads = integer_of(app, "--threads", 1, threads_max).value_or(0)};
}

CLI::Option* declare_positional(CLI::App& app, const std::string& name,
                                const std::string& description) {
  return declare_value(app, name, "", description);
}

CLI::Option* declare_positionals(CLI::App& app, const std::string& name,
                                 const std::string& description) {
  return declare_positional(app, name, description)
      ->expected(0, std::numeric_limits<int>::max() / 2)
      ->allow_extra_args(true);
}

CLI::Option* declare_value(CLI::App& app, const std::string& name, const std::string& placeholder,
                           const std::string& description) {
  return app.add_option(name, description)
      ->type_name(placeholder)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
}

std::vector<std::string> values_of(const CLI::App& app, const std::string& name) {
  return app.get_option(name)->results();
}

std::optional<std::string> value_of(const CLI::App& app, const std::string& name) {
  const std::vector<std::string> values = values_of(app, name);
  if (values.size() > 1) {
    throw InputError(name, "given " + std::to_string(values.size()) + " times");
  }
  return values.empty() ? std::nullopt : std::optional(values.front());
}

std::vector<std::string> words_of(const CLI::App& app, const std::string& name) {
  std::vector<std::string> words;
  for (const std::string& value : values_of(app, name)) {
    for (std::size_t begin = 0; begin <= value.size();) {
      const std::size_t end = std::min(value.find(',', begin), value.size());
      words.push_back(value.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  return words;
}

std::optional<std::int64_t> integer_of(const CLI::App& app, const std::string& name,
                                       std::int64_t min, std::int64_t max) {
  const std::optional<std::string> text = value_of(app, name);
  return text ? std::optional(integer(*text, name, min, max)) : std::nullopt;
}

std::vector<std::int64_t> integers_of(const CLI::App& app, const std::string& name,
                                      std::int64_t min, std::int64_t max) {
  std::vector<support::Problem> problems;
  std::vector<std::int64_t> numbers;
  for (const std::string& word : words_of(app, name)) {
    numbers.push_back(gathered(problems, [&] { return integer(word, name, min, max); }));
  }
  support::throw_if_any(problems);
  return numbers;
}

std::string parse(CLI::App& app, const std::vector<std::string>& args) {
  try {
    app.parse(std::vector<std::string>(args.rbegin(), args.rend()));
  } catch (const CLI::CallForHelp&) {
    return app.help();
  } catch (const CLI::CallForVersion& version) {
    return std::string(version.what()) + "\n";
  } catch (const CLI::ParseError& error) {
    // An unknown option explains more than what went wrong after it.
    refuse_unknown(app);
    throw refused(app, args, error);
  }
  check_parsed(app);
  return "";
}

}  // namespace cubicbench::cli
