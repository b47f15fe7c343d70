#include <chrono>
#include <cstdlib>
#include <system_error>

#include "results/document/figure.h"
#include "results/document/html.h"
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

/// Replaces every `from` by `to`.
void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

/// Removes each piece from `open` up to and with `close` and the line break after it.
void remove_between(std::string& text, std::string_view open, std::string_view close) {
  for (std::size_t at = 0; (at = text.find(open, at)) != std::string::npos;) {
    const std::size_t end = text.find(close, at);
    if (end == std::string::npos) return;
    std::size_t length = end + close.size() - at;
    if (text.size() > at + length && text[at + length] == '\n') ++length;
    text.erase(at, length);
  }
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

std::string svg_of(const Figure& figure) {
  std::string svg = run_gnuplot(gnuplot_script(figure));
  remove_between(svg, "<desc>", "</desc>");
  remove_between(svg, "<title>plot_plot_", "</title>");
  replace_all(svg, "<title>plot</title>", "<title>" + escaped(figure.title) + "</title>");
  // Several figures on one page must not share ids.
  for (const std::string_view id : {"gpDot", "gpPt", "textbox", "greybox"}) {
    const std::string ours = figure.name + "-" + std::string(id);
    replace_all(svg, "id='" + std::string(id), "id='" + ours);
    replace_all(svg, "'#" + std::string(id), "'#" + ours);
  }
  replace_all(svg, "id=\"gnuplot_canvas\"", "id=\"" + figure.name + "-canvas\"");
  replace_all(svg, "id=\"plot_plot_", "id=\"" + figure.name + "-plot-");
  return svg;
}

}  // namespace cubicbench::results
