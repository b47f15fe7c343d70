#include <string>
#include <string_view>

#include "cli/completion/offered.h"
#include "cli/completion/scripts.h"
#include "support/joined.h"
#include "support/shell_word.h"

namespace cubicbench::cli {
namespace {

using support::shell_word;

constexpr const char* zsh_beginning =
    R"sh(#compdef cubicbench
# Completion of cubicbench for zsh, written by `cubicbench completion zsh`.

# KIND WORD...: the words, and names of that kind: file or folder.
_cubicbench_or() {
  local kind=$1
  local -a only
  shift
  [[ $kind == folder ]] && only=(-/)
  _alternative "words:word:($*)" "$kind:$kind:_files $only"
}

_cubicbench() {
  local curcontext=$curcontext state line
  local -A opt_args
  local -a commands
  _arguments -C '(- *)'{-h,--help}'[Print this and exit]' '(- *)--version[Print the version and exit]' \
    '1:command:->command' '*::argument:->argument'
  case $state in
    command)
      commands=(
)sh";

/// `text` with a backslash before each of `signs`.
std::string escaped(std::string_view text, std::string_view signs) {
  std::string all;
  for (const char c : text) {
    if (signs.find(c) != std::string_view::npos) all += '\\';
    all += c;
  }
  return all;
}

/// What completes the value: the last part of a specification of _arguments.
std::string action_of(const Option& option) {
  const Offered offered = offered_for(option);
  const std::string words = support::joined(offered.words, " ");
  if (option.takes_list && !words.empty()) return " _values -s , word " + words;
  if (offered.words.empty()) return offered.folders ? "_files -/" : offered.files ? "_files" : " ";
  if (offered.files) return " _cubicbench_or file " + words;
  if (offered.folders) return " _cubicbench_or folder " + words;
  if (offered.words.front().ends_with('=')) return " compadd -S \"\" - " + words;
  return "(" + words + ")";
}

std::string specification(const Option& option) {
  using Form = Option::Form;
  const std::string help = "[" + escaped(help_line(option), "[]\\") + "]";
  if (option.form == Form::help) return "'(- *)'{-h,--help}" + shell_word(help);
  if (option.form == Form::flag) return shell_word(option.name + help);
  if (has_value(option)) {
    return shell_word((option.form == Form::values ? "*" : "") + option.name + "=" + help + ":" +
                      escaped(option.placeholder, ":\\") + ":" + action_of(option));
  }
  return shell_word((option.form == Form::arguments ? "*:" : "::") + escaped(option.name, ":\\") +
                    ":" + action_of(option));
}

}  // namespace

std::string zsh_completion(std::span<const Command> commands) {
  std::string names, arguments;
  for (const Command& command : commands) {
    const std::string name(command.words.name);
    names += "        " + shell_word(name + ":" + escaped(command.words.summary, ":\\")) + "\n";
    arguments += "        " + name + ")\n          _arguments";
    for (const Option& option : command.options.all()) {
      if (!option.is_hidden) arguments += " \\\n            " + specification(option);
    }
    arguments += "\n          ;;\n";
  }
  return zsh_beginning + names +
         "      )\n      _describe command commands\n      ;;\n    argument)\n"
         "      case $line[1] in\n" +
         arguments + "      esac\n      ;;\n  esac\n}\n\n_cubicbench \"$@\"\n";
}

}  // namespace cubicbench::cli
