#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <string>
#include <vector>

#include "cli/run.h"

namespace {

/// Occupies standard streams that were handed to us closed, so that no file we open takes their
/// numbers; writing to such a stream still fails.
void occupy_closed_streams() {
  for (int stream = 0; stream <= 2; ++stream) {
    if (::fcntl(stream, F_GETFD) == -1) ::open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
  }
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
  const std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
  return cubicbench::cli::run(args, std::cout, std::cerr, screen());
}
