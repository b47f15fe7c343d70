#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/options/options.h"
#include "cli/options/shared_options.h"
#include "results/document/bars.h"

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
  Options options;
  /// Of what the options were filled with. Throws InputError.
  std::function<Reply(results::Ink ink)> answer;
};

/// A subcommand whose options `declare` binds to the fields of an `Asked`, from which `answer`
/// makes the reply. Its field `global` has the options that every subcommand has.
template <class Asked>
Command command(std::string_view name, std::string_view summary,
                void (*declare)(Options& options, Asked& asked),
                Reply (*answer)(const Asked& asked, results::Ink ink)) {
  const auto asked = std::make_shared<Asked>();
  Options options;
  declare(options, *asked);
  declare_global(options, asked->global);
  return {.name = name,
          .summary = summary,
          .options = std::move(options),
          .answer = [asked, answer](results::Ink ink) { return answer(*asked, ink); }};
}

}  // namespace cubicbench::cli
