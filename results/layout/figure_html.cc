#include "results/layout/figure_html.h"

#include "results/document/markup.h"

namespace cubicbench::results {
namespace {

/// The SVG as part of a page: without the XML declaration, and with a name for those who listen.
std::string inlined(std::string_view svg, std::string_view label) {
  const std::size_t at = svg.find("<svg");
  if (at == std::string_view::npos) return "";
  return "<svg role=\"img\" aria-label=\"" + escaped(label) + "\"" +
         std::string(svg.substr(at + 4));
}

}  // namespace

std::string figure_html(const ShownFigure& figure) {
  return "<figure>\n<div class=\"wide\">" + inlined(figure.svg, figure.label) +
         "</div>\n<figcaption>" + escaped(figure.caption) + " <a href=\"" +
         escaped(figure.svg_file) + "\">Figure as SVG</a>, <a href=\"" + escaped(figure.csv_file) +
         "\">every number as CSV</a>.</figcaption>\n</figure>\n";
}

}  // namespace cubicbench::results
