#include "cli/run.h"

#include <CLI/CLI.hpp>
#include <array>
#include <filesystem>
#include <new>
#include <ostream>

#include "cli/command.h"
#include "cli/interruption.h"
#include "cli/options.h"
#include "support/input_error.h"

namespace cubicbench::cli {
namespace {

enum ExitCode {
  done = 0,
  answer_is_no = 1,
  bad_input = 2,
  world_failed = 3,
  ended_by_signal = 128
};

/// Where descriptions start in a help text.
constexpr std::size_t help_columns = 24;

constexpr const char* description =
    "Searches for the fastest way to distribute the training of a large model. A\n"
    "simulator stands where the cluster was.";

constexpr const char* footer =
    "Exit codes: 0 done (a configuration that does not fit is an answer),\n"
    "1 done, and a question that was asked has the answer no,\n"
    "2 bad input, 3 the world failed (output not writable, folder in use),\n"
    "130 and 143 ended by Ctrl-C or SIGTERM, in order.\n\n"
    "Try: cubicbench list scenarios\n"
    "     cubicbench simulate llama3-405b --set tensor_parallel=4\n"
    "     cubicbench collective --op alltoall --size 8G --cluster nvl72-ndr --ranks 8\n"
    "     cubicbench search tiny-llama --searcher random,evolution --out out/tiny\n"
    "     cubicbench enumerate tiny-llama --out tiny-llama.json\n"
    "     cubicbench landscape llama3-405b\n"
    "     cubicbench predict hf_ultrascale_nanotron_sweep\n"
    "     cubicbench validate --require 'coverage >= 0.9'\n"
    "     cubicbench calibrate --stack megatron-2021 --out megatron-2021.json\n"
    "     cubicbench paper";

Reply answer(const std::vector<std::string>& args, results::Ink ink) {
  CLI::App app(description, "cubicbench");
  app.footer(footer);
  app.get_formatter()->column_width(help_columns);
  app.set_help_flag("-h,--help", "Print this and exit");
  app.set_version_flag("--version", "cubicbench " CUBICBENCH_VERSION, "Print the version and exit");
  app.require_subcommand(0, 1);
  app.allow_extras();
  for (const Command& command : commands()) {
    CLI::App* const subcommand =
        app.add_subcommand(std::string(command.name), std::string(command.summary));
    subcommand->allow_extras();
    command.declare(*subcommand);
    declare_global_options(*subcommand);
  }
  if (std::string text = parse(app, args); !text.empty()) {
    return text;
  }
  for (const Command& command : commands()) {
    if (const std::string name(command.name); app.got_subcommand(name)) {
      return command.answer(*app.get_subcommand(name), ink);
    }
  }
  return std::string();
}

int failure(std::ostream& err, int code, const char* message) {
  err << message << '\n' << std::flush;
  return code;
}

}  // namespace

std::span<const Command> commands() {
  static const std::array all{list_command(),      simulate_command(),  collective_command(),
                              search_command(),    merge_command(),     enumerate_command(),
                              landscape_command(), dataset_command(),   predict_command(),
                              validate_command(),  calibrate_command(), report_command(),
                              paper_command()};
  return all;
}

int run(const std::vector<std::string>& args, std::ostream& out, std::ostream& err,
        results::Ink ink) {
  try {
    const Reply reply = answer(args, ink);
    out << reply.text << std::flush;
    if (!out) {
      throw support::OutputError("standard output: cannot be written");
    }
    for (const std::string& no : reply.noes) err << no << '\n';
    err << std::flush;
    return reply.noes.empty() ? done : answer_is_no;
  } catch (const support::InputError& error) {
    return failure(err, bad_input, error.what());
  } catch (const support::OutputError& error) {
    return failure(err, world_failed, error.what());
  } catch (const Interrupted& error) {
    return failure(err, ended_by_signal + error.signal(), error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return failure(err, world_failed, error.what());
  } catch (const std::bad_alloc&) {
    return failure(err, world_failed, "cubicbench: out of memory on this machine");
  }
}

}  // namespace cubicbench::cli
