#include "search/backend_factory.h"

#include <utility>
#include <vector>

#include "scenarios/files.h"
#include "scenarios/input_error.h"
#include "scenarios/sha256.h"
#include "search/command_backend.h"
#include "search/journal.h"
#include "search/recorded_backend.h"
#include "search/simulator_backend.h"

namespace cubicbench::search {
namespace {

constexpr std::string_view simulator = "simulator";
constexpr std::string_view command_prefix = "command:";
constexpr std::string_view hashed_prefix = "command-sha256:";

/// Does a word, or a part of one after a quote, '=' or ':', begin with '/'?
bool has_absolute_path(std::string_view command) {
  for (std::size_t i = 0; i < command.size(); ++i) {
    if (command[i] != '/') continue;
    constexpr std::string_view starts = " \t\n'\"=:;|&(<>`";
    if (i == 0 || starts.find(command[i - 1]) != std::string_view::npos) return true;
  }
  return false;
}

/// The launches of an earlier run of the study. None where it got no further than its header.
std::vector<JournalLine> recorded_in(const std::filesystem::path& journal) {
  if (!std::filesystem::exists(journal)) return {};
  const bool has_header = scenarios::read_file(journal).find('\n') != std::string::npos;
  return has_header ? read_journal(journal).lines : std::vector<JournalLine>{};
}

/// External commands behind what they left in the journal before.
class ResumedCommands final : public Backend {
 public:
  ResumedCommands(std::unique_ptr<Backend> commands, std::vector<JournalLine> lines,
                  std::filesystem::path journal)
      : commands_(std::move(commands)),
        recorded_(*commands_, std::move(lines), std::move(journal)) {}

  void start(Launch launch) override { recorded_.start(std::move(launch)); }
  Finished wait() override { return recorded_.wait(); }

 private:
  std::unique_ptr<Backend> commands_;
  RecordedBackend recorded_;
};

}  // namespace

BackendSpec parse_backend(std::string_view text, const std::string& where) {
  if (text == simulator) return {};
  if (text.starts_with(command_prefix) && text.size() > command_prefix.size()) {
    return {.kind = BackendKind::command,
            .command = std::string(text.substr(command_prefix.size()))};
  }
  throw scenarios::InputError(
      where, "expected simulator or command:CMD, got \"" + scenarios::shortened(text) + "\"");
}

std::string recorded_backend(std::string_view text) {
  const bool hidden =
      text.starts_with(command_prefix) && has_absolute_path(text.substr(command_prefix.size()));
  return hidden ? std::string(hashed_prefix) + scenarios::sha256_hex(text).substr(0, 16)
                : std::string(text);
}

bool is_hashed_backend(std::string_view recorded) { return recorded.starts_with(hashed_prefix); }

std::unique_ptr<Backend> make_backend(const BackendSpec& spec, const scenarios::Instance& instance,
                                      const std::filesystem::path& journal) {
  if (is_simulated(spec)) return std::make_unique<SimulatorBackend>(instance);
  std::vector<JournalLine> recorded = recorded_in(journal);
  const double started_h = recorded.empty() ? 0.0 : recorded.back().finished_h;
  return std::make_unique<ResumedCommands>(
      make_command_backend(
          {.scenario = &instance.scenario(), .command = spec.command, .started_h = started_h}),
      std::move(recorded), journal);
}

}  // namespace cubicbench::search
