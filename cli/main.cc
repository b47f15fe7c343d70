#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "cli/run.h"
#include "support/interruption.h"

namespace {

/// Occupies standard streams that were handed to us closed, so that no file we open takes their
/// numbers; writing to such a stream still fails.
void occupy_closed_streams() {
  for (int stream = 0; stream <= 2; ++stream) {
    if (::fcntl(stream, F_GETFD) == -1) ::open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
  }
}

/// The stack of a usual session, where we may have it. False where there is too little of it to
/// work with: what lies beyond its end cannot be reported any more.
bool has_stack() {
  constexpr rlim_t usual = rlim_t{8} << 20;
  constexpr rlim_t least = rlim_t{1} << 20;
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= usual) return true;
  const rlimit wanted{.rlim_cur = usual, .rlim_max = std::max(usual, limit.rlim_max)};
  if (::setrlimit(RLIMIT_STACK, &wanted) == 0) return true;  // those who may raise what is allowed
  limit.rlim_cur = std::min(usual, limit.rlim_max);
  return ::setrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur >= least;
}

/// Tables take what a terminal has, within reason; elsewhere the same text falls out everywhere.
cubicbench::results::Screen screen() {
  using cubicbench::results::Ink;
  if (::isatty(STDOUT_FILENO) != 1) return {.ink = Ink::plain};
  winsize size{};
  const bool known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  const int columns = known ? size.ws_col : cubicbench::results::text_columns;
  return {.ink = Ink::blocks, .columns = std::clamp(columns, 60, 160)};
}

}  // namespace

int main(int argc, char** argv) {
  occupy_closed_streams();
  std::signal(SIGPIPE, SIG_IGN);  // a reader that went away is no reason to die
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an output that cannot be written
  if (!has_stack()) {
    std::cerr << "cubicbench: expected a stack of at least 1 MiB; ulimit -s sets it\n";
    return cubicbench::cli::world_failed;
  }
  // Commands that have something to bring in order have terms of their own.
  const cubicbench::support::InterruptionWatch watch(
      {.patience = cubicbench::support::Patience::brief});
  const std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
  return cubicbench::cli::run(args, std::cout, std::cerr, screen());
}
