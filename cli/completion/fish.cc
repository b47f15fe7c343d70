#include <string>
#include <string_view>

#include "cli/completion/offered.h"
#include "cli/completion/scripts.h"
#include "support/joined.h"

namespace cubicbench::cli {
namespace {

constexpr const char* fish_beginning =
    R"sh(# Completion of cubicbench for fish, written by `cubicbench completion fish`.

function __cubicbench_words
    printf '%s\n' $argv
end

complete -c cubicbench -f
complete -c cubicbench -n __fish_use_subcommand -s h -l help -d 'Print this and exit'
complete -c cubicbench -n __fish_use_subcommand -l version -d 'Print the version and exit'
)sh";

std::string single_quoted(std::string_view text) {
  std::string all = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') all += '\\';
    all += c;
  }
  return all + "'";
}

/// What is offered, as options of `complete`.
std::string offers(const Option& option, const char* nothing) {
  const Offered offered = offered_for(option);
  std::string words = support::joined(offered.words, " ");
  if (option.takes_list && !words.empty()) {
    words = "(__fish_complete_list , \"__cubicbench_words " + words + "\")";
  }
  if (offered.folders) {
    if (!words.empty()) words += ' ';
    words += "(__fish_complete_directories)";
  }
  const std::string kind = offered.files ? " -F" : nothing;
  return kind + (words.empty() ? "" : " -a " + single_quoted(words));
}

std::string line_of(const Command& command, const Option& option) {
  using Form = Option::Form;
  const std::string start = "complete -c cubicbench -n '__fish_seen_subcommand_from " +
                            std::string(command.words.name) + "'";
  if (is_argument(option)) return start + offers(option, "") + "\n";
  const std::string name =
      option.form == Form::help ? " -s h -l help" : " -l " + option.name.substr(2);
  return start + name + (has_value(option) ? " -r" + offers(option, " -f") : "") + " -d " +
         single_quoted(help_line(option)) + "\n";
}

}  // namespace

std::string fish_completion(std::span<const Command> commands) {
  std::string text = fish_beginning;
  for (const Command& command : commands) {
    text += "complete -c cubicbench -n __fish_use_subcommand -a " +
            std::string(command.words.name) + " -d " + single_quoted(command.words.summary) + "\n";
  }
  for (const Command& command : commands) {
    for (const Option& option : command.options.all()) {
      if (!option.is_hidden) text += line_of(command, option);
    }
  }
  return text;
}

}  // namespace cubicbench::cli
