#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/document/bars.h"

namespace CLI {
class App;
}

namespace cubicbench::cli {

/// What a subcommand says when its work is done.
struct Reply {
  /// Most commands answer with a text and ask no question.
  Reply(std::string text_out) : text(std::move(text_out)) {}

  std::string text;                 ///< for standard output
  std::vector<std::string> noes{};  ///< why the answer to a question is no, for standard error
};

/// One subcommand: what it is called, which options it has, and what it prints.
struct Command {
  std::string_view name;
  std::string_view summary;
  void (*declare)(CLI::App& app);
  /// Throws InputError.
  Reply (*answer)(const CLI::App& app, results::Ink ink);
};

/// Every subcommand, in the order of the help text.
std::span<const Command> commands();

Command list_command();
Command report_command();
Command simulate_command();
Command collective_command();
Command search_command();
Command merge_command();
Command landscape_command();
Command enumerate_command();
Command dataset_command();
Command predict_command();
Command validate_command();
Command calibrate_command();
Command paper_command();

}  // namespace cubicbench::cli
