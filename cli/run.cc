#include "cli/run.h"

#include <cerrno>
#include <exception>
#include <filesystem>
#include <new>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/options/parser.h"
#include "search/ledger/ledger.h"
#include "support/input_error.h"
#include "support/interruption.h"
#include "support/named_files.h"
#include "support/shortened_to.h"
#include "support/shown_character.h"

namespace cubicbench::cli {
namespace {

constexpr const char* description =
    "Finds the fastest way to distribute the training of a large model, on a\n"
    "simulated cluster.";

constexpr const char* footer =
    "Exit codes: 0 done (an out-of-memory plan is a result, not an error),\n"
    "1 done, and the answer to the question asked is no, 2 bad input,\n"
    "3 output, disk or a child process failed, 130 and 143 stopped by Ctrl-C\n"
    "or SIGTERM.\n\n"
    "cubicbench COMMAND --help shows examples.";

constexpr const char* welcome =
    "CubicBench searches for the fastest way to train a large model, on a simulated cluster.\n\n"
    "  cubicbench list                          what there is to search\n"
    "  cubicbench simulate llama3-405b          one configuration: time, memory, why\n"
    "  cubicbench list parameters llama3-405b   the knobs that a search turns\n"
    "  cubicbench search tiny-llama --searcher random,evolution --out out/tiny\n"
    "  cubicbench paper                         every figure of the paper, as one page\n"
    "  cubicbench --help                        all commands; COMMAND --help has examples\n";

Reply answer(const std::vector<std::string>& args, const results::Screen& screen) {
  std::vector<Command> commands = all_commands();
  const Parsed parsed = parse({.name = "cubicbench",
                               .description = description,
                               .footer = footer,
                               .welcome = welcome,
                               .version = CUBICBENCH_VERSION},
                              commands, args);
  return parsed.command == nullptr ? parsed.text : parsed.command->answer(screen);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

int failure(std::ostream& err, int code, const char* message) {
  err << support::terminal_text(message) << '\n' << std::flush;
  return code;
}

}  // namespace

int run(const std::vector<std::string>& args, std::ostream& out, std::ostream& err,
        const results::Screen& screen) {
  support::forget_named_files();
  try {
    const Reply reply = answer(args, screen);
    errno = 0;
    out << support::terminal_text(reply.text) << std::flush;
    // Who reads no further, as `head` does, has what he wants.
    if (!out && errno != EPIPE) throw support::OutputError("standard output: cannot be written");
    for (const std::string& no : reply.noes) err << support::terminal_text(no) << '\n';
    err << std::flush;
    return reply.noes.empty() ? done : answer_is_no;
  } catch (const support::InputError& error) {
    return failure(err, bad_input, error.what());
  } catch (const search::Refused& error) {
    return failure(err, bad_input, error.what());
  } catch (const support::OutputError& error) {
    // It may name a path of any length, or any number of studies.
    const std::string message = support::message_of(lines_of(error.what()));
    return failure(err, world_failed, message.c_str());
  } catch (const support::Interrupted& error) {
    return failure(err, ended_by_signal + error.signal(), error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return failure(err, world_failed, error.what());
  } catch (const std::bad_alloc&) {
    return failure(err, world_failed, "cubicbench: out of memory on this machine");
  } catch (const std::exception& error) {  // no thread to be had, above all
    return failure(err, world_failed, (std::string("cubicbench: ") + error.what()).c_str());
  }
}

}  // namespace cubicbench::cli
