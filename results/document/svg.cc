#include "results/document/svg.h"

#include <cstddef>

#include "results/document/html.h"
#include "results/document/number_text.h"

namespace cubicbench::results {

std::string px(double value) {
  std::string text = fixed(value, 2);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string svg_rect(double x, double y, double width, double height, std::string_view classes) {
  return "<rect class=\"" + std::string(classes) + "\" x=\"" + px(x) + "\" y=\"" + px(y) +
         "\" width=\"" + px(width) + "\" height=\"" + px(height) + "\"";
}

std::string svg_text(double x, double y, std::string_view classes, std::string_view text) {
  return "<text class=\"" + std::string(classes) + "\" x=\"" + px(x) + "\" y=\"" + px(y) + "\">" +
         escaped(text) + "</text>\n";
}

std::string svg_document(double width, double height, std::string_view title,
                         std::string_view description, std::string_view body) {
  return "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
         "width=\"" +
         px(width) + "\" height=\"" + px(height) + "\" viewBox=\"0 0 " + px(width) + " " +
         px(height) + "\" role=\"img\">\n<title>" + escaped(title) + "</title>\n<desc>" +
         escaped(description) + "</desc>\n" + std::string(body) + "</svg>\n";
}

// By its luminance [WCAG 2, relative luminance, with the square in place of the power 2.4].
std::string_view letters_on(const std::string& color) {
  constexpr double weights[] = {0.2126, 0.7152, 0.0722};
  constexpr double deep = 0.25;
  double luminance = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double part = std::stoi(color.substr(1 + 2 * i, 2), nullptr, 16) / 255.0;
    luminance += weights[i] * part * part;
  }
  return luminance < deep ? "#FFFFFF" : "#14171A";
}

std::string_view svg_colors(bool dark) {
  return dark ? ".paper{fill:#14171A}.ink{fill:#E6E9EC}.soft{fill:#9AA4AE}"
                ".grid{stroke:#3A4249}.wait{fill:#1E2327}.hatch{stroke:#4A545D}"
              : ".paper{fill:#FFFFFF}.ink{fill:#1B1F24}.soft{fill:#57606A}"
                ".grid{stroke:#D0D7DE}.wait{fill:#F3F5F7}.hatch{stroke:#B4BCC4}";
}

std::string svg_style(std::string_view always, std::string_view light, std::string_view dark) {
  return "<style>" + std::string(always) + std::string(svg_colors(false)) + std::string(light) +
         "@media screen and (prefers-color-scheme:dark){" + std::string(svg_colors(true)) +
         std::string(dark) + "}</style>\n";
}

const std::string_view svg_hatching =
    "<defs><pattern id=\"hatched\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\"><rect class=\"wait\" width=\"6\" height=\"6\"/><line "
    "class=\"hatch\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"6\"/></pattern></defs>\n";

}  // namespace cubicbench::results
