#include "tests/fuzz/checked_command.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

#include "cli/run.h"
#include "support/joined.h"
#include "support/scratch_folder.h"
#include "tests/fuzz/target.h"

namespace cubicbench::fuzz {
namespace {

constexpr std::size_t message_max = 4096;
constexpr std::ptrdiff_t problems_max = 20;

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\n') || byte == 0x7f;
}

void check_message(const std::string& line, const std::string& message) {
  if (message.empty() || message == "\n") broken(line + ": fails and says nothing");
  if (message.size() > message_max) broken(line + ": a message of more than 4 kB:\n" + message);
  // The last line may say how many problems more there are.
  if (std::ranges::count(message, '\n') > problems_max + 1) {
    broken(line + ": more than 20 problems:\n" + message);
  }
  if (std::ranges::any_of(message, is_control)) broken(line + ": a control character:\n" + message);
}

}  // namespace

Came checked(std::vector<std::string> args, bool may_fail) {
  const std::string line = "cubicbench " + support::joined(args, " ");
  args.insert(args.end(), {"--threads", "1", "--quiet"});
  std::ostringstream out;
  std::ostringstream err;
  Came came;
  came.code = cli::run(args, out, err);
  came.out = out.str();
  came.err = err.str();
  switch (came.code) {
    case 0:
      break;
    case 1:
      check_message(line, came.err);
      break;
    case 3:
      if (!may_fail) broken(line + ": the world failed: " + came.err);
      [[fallthrough]];
    case 2:
      check_message(line, came.err);
      if (!came.out.empty()) broken(line + ": fails and has a result");
      break;
    default:
      broken(line + ": exit code " + std::to_string(came.code));
  }
  return came;
}

void write(const std::filesystem::path& path, std::string_view text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << text;
  if (!out.flush()) broken("cannot write " + path.string());
}

std::filesystem::path fresh_folder() {
  static const support::ScratchFolder scratch;
  const std::filesystem::path folder = scratch.path() / "input";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

}  // namespace cubicbench::fuzz
