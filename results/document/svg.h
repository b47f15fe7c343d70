#pragma once

#include <string>
#include <string_view>

namespace cubicbench::results {

// What pictures are made of that are written without gnuplot.

/// A length or a place in pixels, to a hundredth.
std::string px(double value);

/// `<rect class=... x=... ...`, to be closed.
std::string svg_rect(double x, double y, double width, double height, std::string_view classes);

std::string svg_text(double x, double y, std::string_view classes, std::string_view text);

/// From the XML declaration to `</svg>`, with a title and a description for those who do not see
/// it. Requires a body of well-formed elements.
std::string svg_document(double width, double height, std::string_view title,
                         std::string_view description, std::string_view body);

/// The colour of letters, black or white, that is easier to read on a colour "#0072B2".
std::string_view letters_on(const std::string& color);

/// Colours of paper, ink, soft ink, grid lines and hatching, as rules for elements of the classes
/// `paper`, `ink`, `soft`, `grid`, `wait` and `hatch`.
std::string_view svg_colors(bool dark);

/// Rules for a light reader, and others for one who reads dark on a screen.
std::string svg_style(std::string_view always, std::string_view light, std::string_view dark);

/// The pattern `hatched`, for what has no colour of its own; it is seen in grey too.
extern const std::string_view svg_hatching;

}  // namespace cubicbench::results
