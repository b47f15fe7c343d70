#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/options/options.h"
#include "cli/options/shared_options.h"
#include "results/document/terminal.h"

namespace cubicbench::cli {

/// What a subcommand says when its work is done.
struct Reply {
  /// Most commands answer with a text and ask no question.
  Reply(std::string text_out) : text(std::move(text_out)) {}

  std::string text;                 ///< for standard output
  std::vector<std::string> noes{};  ///< why the answer to a question is no, for standard error
};

/// What the help text says of a subcommand.
struct CommandWords {
  std::string_view name;
  std::string_view summary;
  std::string_view examples;  ///< of its command line, a line each
  std::string_view next{};    ///< what to do with the answer: SCENARIO and DIR are those asked for
  std::string_view also{};    ///< what people type in its place, each word between spaces
};

/// The end of an answer for people: `next` with these in place of SCENARIO and DIR, where they are
/// known. "" where nothing comes next.
std::string next_text(std::string_view next, const std::string& scenario, const std::string& dir);

/// One subcommand: what it is called, which options it has, and what it prints.
struct Command {
  CommandWords words;
  Options options;
  /// Of what the options were filled with. Throws InputError.
  std::function<Reply(const results::Screen& screen)> answer;
};

/// Does the answer end with what is next? Not where it says which page to open.
template <class Asked>
bool names_next(const Asked& asked) {
  if constexpr (requires { asked.out->extension(); }) {
    if (asked.out) return false;
  }
  if constexpr (requires { static_cast<bool>(asked.markdown); }) {
    if (asked.markdown) return false;
  }
  return !asked.global.json && !asked.global.quiet;
}

/// The first of them; "" where there is none.
template <class Asked>
std::string subject_asked(const Asked& asked) {
  if constexpr (requires { asked.names.front(); })
    return asked.names.empty() ? "" : asked.names.front();
  if constexpr (requires { std::string(asked.name); }) return asked.name;
  return "";
}

template <class Asked>
std::string folder_asked(const Asked& asked) {
  if constexpr (requires { asked.out.string(); }) return asked.out.string();
  return "";
}

/// A subcommand whose options `declare` binds to the fields of an `Asked`, from which `answer`
/// makes the reply. Its field `global` has the options that every subcommand has.
template <class Asked>
Command command(const CommandWords& words, void (*declare)(Options& options, Asked& asked),
                Reply (*answer)(const Asked& asked, const results::Screen& screen)) {
  const auto asked = std::make_shared<Asked>();
  Options options;
  declare(options, *asked);
  declare_global(options, asked->global);
  return {.words = words,
          .options = std::move(options),
          .answer = [asked, answer, next = words.next](const results::Screen& screen) {
            Reply reply = answer(*asked, screen);
            if (names_next(*asked)) {
              reply.text += next_text(next, subject_asked(*asked), folder_asked(*asked));
            }
            return reply;
          }};
}

}  // namespace cubicbench::cli
