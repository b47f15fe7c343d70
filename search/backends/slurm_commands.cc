#include "search/backends/slurm_commands.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>
#include <system_error>
#include <utility>

#include "support/input_error.h"
#include "support/process.h"

namespace cubicbench::search {
namespace {

using std::chrono::milliseconds;
using support::Process;

/// Slurm's programs give up by themselves, after ten seconds a try by default.
constexpr std::chrono::seconds time_limit{120};
/// Between two looks at whether we are to stop.
constexpr milliseconds attention{200};
/// Of what a program says, no more is kept: the queue of 100,000 jobs.
constexpr std::size_t bytes_max = std::size_t{64} << 20;
constexpr std::string_view tries_again = "retrying";

/// A variable of the environment that a job of Slurm has, or that is an option of a program whose
/// output we read, or one of sbatch that the suite cannot do with.
bool is_kept_from_slurm(std::string_view variable) {
  const std::string_view name = variable.substr(0, variable.find('='));
  constexpr std::array<std::string_view, 2> kept{"SLURM_CONF", "SLURM_JWT"};
  constexpr std::array<std::string_view, 3> dropped{"SBATCH_ARRAY_INX", "SBATCH_WAIT",
                                                    "SBATCH_CLUSTERS"};
  constexpr std::array<std::string_view, 3> families{"SLURM_", "SQUEUE_", "SACCT_"};
  if (std::ranges::find(kept, name) != kept.end()) return false;
  if (std::ranges::find(dropped, name) != dropped.end()) return true;
  return std::ranges::any_of(families, [&](auto family) { return name.starts_with(family); });
}

std::vector<std::string> environment_of_slurm() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!is_kept_from_slurm(*variable)) variables.emplace_back(*variable);
  }
  variables.emplace_back("SLURM_TIME_FORMAT=%s");
  return variables;
}

void keep(std::string& text, std::string_view piece) {
  text += piece.substr(0, bytes_max - std::min(bytes_max, text.size()));
}

}  // namespace

std::string SlurmReply::complaint() const {
  std::string_view text = err;
  while (text.ends_with('\n')) text.remove_suffix(1);
  const std::size_t begin = text.rfind('\n');
  if (begin != std::string_view::npos) text.remove_prefix(begin + 1);
  constexpr std::size_t shown = 200;
  std::string line;
  for (const char c : text.substr(0, shown)) line += c >= ' ' && c <= '~' ? c : '?';
  return line.empty() ? "it said nothing" : line;
}

SlurmCommands::SlurmCommands(int held) : held_(held), environment_(environment_of_slurm()) {}

SlurmReply SlurmCommands::queue(const Stopped& stopped) const {
  return run({"squeue", "--user=" + std::to_string(::geteuid()), "--states=all", "--array",
              "--noheader", std::string(queue_format)},
             stopped);
}

SlurmReply SlurmCommands::submit(std::vector<std::string> arguments, const Stopped& stopped) const {
  arguments.insert(arguments.begin(), {"sbatch", "--parsable", "--no-requeue"});
  return run(std::move(arguments), stopped, true);
}

SlurmReply SlurmCommands::job(const SlurmId& id, const Stopped& stopped) const {
  return run({"scontrol", "--oneliner", "show", "job", text_of(id)}, stopped);
}

SlurmReply SlurmCommands::account(const SlurmId& id, const std::string& name,
                                  const Stopped& stopped) const {
  return run({"sacct", "--noheader", "--parsable2", "--delimiter=|", "--duplicates",
              "--jobs=" + text_of(id), "--name=" + name, std::string(account_format)},
             stopped);
}

SlurmReply SlurmCommands::account(const std::string& name, const Stopped& stopped) const {
  return run({"sacct", "--noheader", "--parsable2", "--allocations", "--starttime=now-30days",
              "--name=" + name, "--format=JobID"},
             stopped);
}

SlurmReply SlurmCommands::cancel(const std::vector<std::string>& what,
                                 const Stopped& stopped) const {
  std::vector<std::string> arguments{"scancel"};
  arguments.insert(arguments.end(), what.begin(), what.end());
  return run(std::move(arguments), stopped);
}

SlurmReply SlurmCommands::run(std::vector<std::string> arguments, const Stopped& stopped,
                              bool is_sbatch) const {
  SlurmReply reply;
  const std::string program = arguments.front();
  const support::ProcessCall call{.arguments = std::move(arguments),
                                  .environment = environment_,
                                  .held = is_sbatch ? held_ : -1};
  const support::ProcessSinks sinks{
      .out = [&reply](std::string_view text) { keep(reply.out, text); },
      .err = [&reply](std::string_view text) { keep(reply.err, text); }};
  try {
    Process process(call, "", sinks, Process::Clock::now() + time_limit);
    Process* const one = &process;
    while (!process.ended()) {
      Process::attend({&one, 1}, attention);
      reply.interrupted = stopped();
      const bool sleeps = is_sbatch && reply.err.find(tries_again) != std::string::npos;
      reply.cut_short = reply.cut_short || (sleeps && !process.ended());
      if (reply.interrupted || sleeps) process.terminate();
    }
    reply.success = process.end().exit_code == 0 && !process.end().lost;
    if (process.end().timed_out) reply.err += "\n" + program + ": Socket timed out";
  } catch (const support::NotStarted& failure) {
    throw support::OutputError(
        program + " could not be started: " + std::generic_category().message(failure.error()) +
        ": is Slurm installed here?");
  }
  reply.interrupted = reply.interrupted && !reply.success;
  return reply;
}

}  // namespace cubicbench::search
