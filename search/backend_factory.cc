#include "search/backend_factory.h"

#include <utility>
#include <vector>

#include "scenarios/files.h"
#include "scenarios/input_error.h"
#include "search/command_backend.h"
#include "search/journal.h"
#include "search/recorded_backend.h"
#include "search/simulator_backend.h"

namespace cubicbench::search {
namespace {

constexpr std::string_view simulator = "simulator";
constexpr std::string_view command_prefix = "command:";

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
