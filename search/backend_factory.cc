#include "search/backend_factory.h"

#include "scenarios/input_error.h"
#include "search/simulator_backend.h"

namespace cubicbench::search {
namespace {

constexpr std::string_view simulator = "simulator";
constexpr std::string_view command_prefix = "command:";

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
  static_cast<void>(spec), static_cast<void>(journal);
  return std::make_unique<SimulatorBackend>(instance);
}

}  // namespace cubicbench::search
