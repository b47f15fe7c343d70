#include <chrono>
#include <cstdlib>
#include <system_error>

#include "results/document/figure.h"
#include "results/document/html.h"
#include "results/document/series_look.h"
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

/// What a series is; of dots that nothing in the figure names, whom they show.
const std::string& heard_name(const Series& series) {
  const bool unnamed = name_of(series).empty() && series.style == SeriesStyle::dots;
  return unnamed ? series.of : name_of(series);
}

/// Groups of one series say which: for tests, and for those who listen.
void name_series(const Figure& figure, std::string& svg) {
  for (std::size_t at = 0, i = 0; (at = svg.find("<title>plot_plot_", at)) != std::string::npos;) {
    const std::size_t end = svg.find("</title>", at);
    const std::vector<Series> all = drawn_series(figure);
    const std::string name = i < all.size() ? heard_name(all[i]) : "";
    ++i;
    svg.replace(at, end - at, "<title>" + escaped(name));
    at = svg.find("</title>", at);
  }
}

/// A colour as gnuplot writes it: "rgb(  0, 114, 178)".
std::string rgb_text(std::string_view hex) {
  std::string text = "rgb(";
  for (const std::size_t at : {1U, 3U, 5U}) {
    const std::string part = std::to_string(std::stoi(std::string(hex.substr(at, 2)), nullptr, 16));
    text += std::string(3 - part.size(), ' ') + part + (at < 5 ? ", " : ")");
  }
  return text;
}

/// As it writes the same of texts: "rgb(0,114,178)".
std::string unpadded(std::string text) {
  std::erase(text, ' ');
  return text;
}

/// On a dark page every colour has its second value, for which style rules beat attributes.
void add_dark_style(const Figure& figure, std::string& svg) {
  std::string rules;
  const std::string own = "#" + figure.name + "-canvas ";
  const auto add = [&](std::string_view property, std::string_view from, std::string_view to) {
    if (svg.find(from) == std::string::npos) return;
    rules += own + "[" + std::string(property) + "=\"" + std::string(from) + "\"]{" +
             std::string(property) + ":" + std::string(to) + "}";
  };
  for (const auto& [light, dark] : dark_colors()) {
    for (const char* const property : {"stroke", "fill", "color"}) {
      for (const std::string& written :
           {rgb_text(light), unpadded(rgb_text(light)), std::string(light)}) {
        add(property, written, dark);
      }
    }
  }
  for (const char* const property : {"stroke", "fill", "color"}) add(property, "black", "#E6E9EC");
  const std::size_t at = svg.find("<g id=\"gnuplot_canvas\"");
  if (at == std::string::npos || rules.empty()) return;
  svg.insert(at, "<style>@media (prefers-color-scheme: dark){" + rules + "}</style>\n\n");
}

}  // namespace

std::string run_gnuplot(std::string_view script, std::chrono::seconds limit) try {
  std::string out;
  std::string err;
  Process gnuplot(gnuplot_call(), std::string(script),
                  {.out = [&](std::string_view text) { out += text; },
                   .err = [&](std::string_view text) { err += text; }},
                  Process::Clock::now() + limit);
  Process* const one = &gnuplot;
  while (!gnuplot.ended()) Process::attend({&one, 1}, patience);
  if (gnuplot.end().timed_out) {
    throw OutputError("gnuplot draws nothing for " + std::to_string(limit.count()) + " s");
  }
  constexpr int not_found = 127;  // what a child that could not become the program ends with
  if (gnuplot.end().exit_code == not_found) refuse_missing();
  if (gnuplot.end().exit_code != 0) throw OutputError("gnuplot failed: " + last_line(err));
  if (gnuplot.end().lost) throw OutputError("gnuplot cannot be talked to: a pipe to it broke");
  return out;
} catch (const support::NotStarted& error) {
  if (error.error() == ENOENT) refuse_missing();
  throw OutputError("cannot start gnuplot: " + std::generic_category().message(error.error()));
}

std::string svg_of(const Figure& figure) {
  std::string svg = run_gnuplot(gnuplot_script(figure));
  if (!svg.starts_with("<?xml")) throw OutputError("gnuplot failed: it drew no picture");
  remove_between(svg, "<desc>", "</desc>");
  name_series(figure, svg);
  replace_all(svg, "<title>plot</title>", "<title>" + escaped(figure.title) + "</title>");
  add_dark_style(figure, svg);
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
