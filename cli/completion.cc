#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/completion/scripts.h"
#include "cli/options/command_words.h"
#include "cli/options/readers.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

struct Shell {
  std::string_view name;
  std::string (*script)(std::span<const Command> commands);
};
constexpr std::array shells{Shell{"bash", bash_completion}, Shell{"zsh", zsh_completion},
                            Shell{"fish", fish_completion}};
constexpr std::array shell_names{shells[0].name, shells[1].name, shells[2].name};

struct CompletionAsked {
  std::string_view shell;
  GlobalOptions global;
};

void declare_completion(Options& options, CompletionAsked& asked) {
  const auto shell = [](const std::string& text, const std::string& where) {
    return shell_names[choice(text, shell_names, where)];
  };
  options.argument("SHELL", "bash, zsh or fish", asked.shell, shell).required().offers(shell_names);
}

Reply answer(const CompletionAsked& asked, const results::Screen&) {
  const std::vector<Command> commands = all_commands();
  const std::string script = std::ranges::find(shells, asked.shell, &Shell::name)->script(commands);
  if (!asked.global.json) return script;
  nlohmann::ordered_json document = support::new_document("completion");
  document["shell"] = asked.shell;
  document["script"] = script;
  return support::document_text(document);
}

}  // namespace

Command completion_command() { return command(words::completion, declare_completion, answer); }

}  // namespace cubicbench::cli
