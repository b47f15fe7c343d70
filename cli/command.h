#pragma once

#include <span>
#include <string>
#include <string_view>

#include "results/bars.h"

namespace CLI {
class App;
}

namespace cubicbench::cli {

/// One subcommand: what it is called, which options it has, and what it prints.
struct Command {
  std::string_view name;
  std::string_view summary;
  void (*declare)(CLI::App& app);
  /// The text for standard output. Throws InputError.
  std::string (*answer)(const CLI::App& app, results::Ink ink);
};

/// Every subcommand, in the order of the help text.
std::span<const Command> commands();

Command list_command();
Command report_command();
Command simulate_command();
Command search_command();
Command dataset_command();
Command predict_command();
Command paper_command();

}  // namespace cubicbench::cli
