#include "results/document/gnuplot.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <system_error>

#include "support/input_error.h"
#include "support/process.h"

namespace cubicbench::results {
namespace {

using support::OutputError;
using support::Process;

constexpr std::chrono::milliseconds patience{1000};

/// Reads no file of the user's and nothing of the user's environment but where programs are.
support::ProcessCall gnuplot_call() {
  const char* const path = std::getenv("PATH");
  return {.arguments = {"gnuplot", "-d"},
          .environment = {{"LC_ALL=C", std::string("PATH=") + (path ? path : "/usr/bin:/bin")}}};
}

[[noreturn]] void refuse_missing() {
  throw OutputError(
      "cannot start gnuplot, which draws the figures: install it (Debian: apt-get install "
      "gnuplot-nox)");
}

/// The last line that is not empty, for a message.
std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::size_t newline = text.rfind('\n');
  return support::shortened(newline == std::string::npos ? text : text.substr(newline + 1));
}

}  // namespace

std::string run_gnuplot(std::string_view script) try {
  std::string out;
  std::string err;
  Process gnuplot(gnuplot_call(), std::string(script),
                  {.out = [&](std::string_view text) { out += text; },
                   .err = [&](std::string_view text) { err += text; }});
  Process* const one = &gnuplot;
  while (!gnuplot.ended()) Process::attend({&one, 1}, patience);
  constexpr int not_found = 127;  // what a child that could not become the program ends with
  if (gnuplot.end().exit_code == not_found) refuse_missing();
  if (gnuplot.end().exit_code != 0) throw OutputError("gnuplot failed: " + last_line(err));
  return out;
} catch (const support::NotStarted& error) {
  if (error.error() == ENOENT) refuse_missing();
  throw OutputError("cannot start gnuplot: " + std::generic_category().message(error.error()));
}

}  // namespace cubicbench::results
