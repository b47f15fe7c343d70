#include <fcntl.h>
#include <unistd.h>

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

}  // namespace

int main(int argc, char** argv) {
  occupy_closed_streams();
  std::signal(SIGPIPE, SIG_IGN);  // a reader that went away is an error we report
  const std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
  const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  return cubicbench::cli::run(
      args, std::cout, std::cerr,
      terminal ? cubicbench::results::Ink::blocks : cubicbench::results::Ink::plain);
}
