#include <cstddef>
#include <string>

#include "cli/completion/offered.h"
#include "cli/completion/scripts.h"
#include "support/joined.h"

namespace cubicbench::cli {
namespace {

constexpr const char* beginning =
    R"sh(# Completion of cubicbench for bash, written by `cubicbench completion bash`.

)sh";

// COMP_WORDS has the sign "=" as a word of its own.
constexpr const char* ending =
    R"sh(
_cubicbench() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command="" i
  local commands="" names="" valued="" words="" files="" folders="" list="" head=""
  local -i place=0
  if [[ $word == "=" ]]; then
    word=""
  elif [[ $before == "=" ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
    [[ $before == --* ]] || return
  fi
  _cubicbench_options ""
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if [[ -z $command && ${COMP_WORDS[i]} != -* ]]; then
      command=${COMP_WORDS[i]}
      _cubicbench_options "$command"
    elif [[ ${COMP_WORDS[i]} != [-=]* && ${COMP_WORDS[i - 1]} != "=" && $valued != *" ${COMP_WORDS[i - 1]} "* ]]; then
      place+=1
    fi
  done
  if [[ $valued == *" $before "* ]]; then
    _cubicbench_values "$command $before"
  elif [[ $word == -* ]]; then
    words=$names
  elif [[ -z $command ]]; then
    words=$commands
  else
    _cubicbench_values "$command $((place + 1))"
  fi
  [[ -z $list || $word != *,* ]] || head=${word%,*},
  mapfile -t COMPREPLY < <(
    compgen -P "$head" -W "$words" -- "${word#"$head"}"
    [[ -z $files ]] || compgen -f -- "$word"
    [[ -z $folders ]] || compgen -d -- "$word"
  )
  [[ -z $files$folders ]] || compopt -o filenames
  [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace
}

complete -F _cubicbench cubicbench
)sh";

std::string long_name(const Option& option) {
  return option.form == Option::Form::help ? "--help" : option.name;
}

/// A line of `case`: the names of the options of a command, and of those with a value.
std::string options_line(const Command& command) {
  std::string names, valued;
  for (const Option& option : command.options.all()) {
    if (option.is_hidden || is_argument(option)) continue;
    names += (names.empty() ? "" : " ") + long_name(option);
    if (has_value(option)) valued += " " + option.name;
  }
  return "    " + std::string(command.words.name) + ") names=\"" + names + "\" valued=\"" + valued +
         " \" ;;\n";
}

/// A line of `case`: what is offered for `subject`; "" where that is nothing.
std::string values_line(const std::string& subject, const Option& option) {
  const Offered offered = offered_for(option);
  std::string sets;
  if (!offered.words.empty()) sets += " words=\"" + support::joined(offered.words, " ") + "\"";
  if (offered.files) sets += " files=1";
  if (offered.folders) sets += " folders=1";
  if (option.takes_list) sets += " list=1";
  return sets.empty() ? "" : "    " + subject + ")" + sets + " ;;\n";
}

std::string values_lines(const Command& command) {
  const std::string name(command.words.name);
  std::string lines;
  std::size_t place = 0;
  for (const Option& option : command.options.all()) {
    if (has_value(option) && !option.is_hidden) {
      lines += values_line("\"" + name + " " + option.name + "\"", option);
    }
    if (!is_argument(option)) continue;
    const bool repeats = option.form == Option::Form::arguments;
    const std::string own = "\"" + name + " " + std::to_string(++place) + "\"";
    lines += values_line(repeats ? "\"" + name + " \"[0-9]*" : own, option);
  }
  return lines;
}

}  // namespace

std::string bash_completion(std::span<const Command> commands) {
  std::string options, values, names;
  for (const Command& command : commands) {
    names += (names.empty() ? "" : " ") + std::string(command.words.name);
    options += options_line(command);
    values += values_lines(command);
  }
  return beginning +
         ("_cubicbench_options() {\n  commands=\"" + names +
          "\"\n  case $1 in\n    \"\") names=\"--help --version\" ;;\n" + options +
          "  esac\n}\n\n_cubicbench_values() {\n  case $1 in\n" + values + "  esac\n}\n") +
         ending;
}

}  // namespace cubicbench::cli
