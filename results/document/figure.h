#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "results/document/axis.h"

namespace cubicbench::results {

enum class SeriesStyle {
  line,         ///< straight from point to point
  steps,        ///< level up to the next point, then up or down
  dots,         ///< a mark a point
  band,         ///< the area between `y` and `y_high`; of a third one on, whiskers at some points
  marked_line,  ///< a line with a mark a point
  whiskers,     ///< a bar from `y` to `y_high` a point
};

/// Marks that can be told apart without colour, as gnuplot numbers them.
enum class PointMark {
  plus = 1,
  cross = 2,
  star = 3,
  square = 4,
  circle = 6,
  triangle = 8,
  full_square = 5,
  full_circle = 7,
  full_triangle = 9,
  diamond = 12,
  full_diamond = 13,
  full_triangle_down = 11,
  full_pentagon = 15,
  triangle_down = 10,
  pentagon = 14
};

struct FigurePoint {
  double x = 0.0;
  double y = 0.0;
  double y_high = 0.0;  ///< of a band

  bool operator==(const FigurePoint&) const = default;
};

struct Series {
  std::string title{};  ///< in the legend; "" keeps it out
  std::string label{};  ///< at the right end of a line; in the legend where there are many
  std::string of{};  ///< whom it shows, where several series show one: they share a small multiple
  SeriesStyle style = SeriesStyle::line;
  std::string color = "#000000";
  std::string label_color{};  ///< of the label; "" for that of the line
  int dash = 1;               ///< 1 unbroken, 2 to 5 kinds of broken lines
  double width = 2.0;
  PointMark mark = PointMark::full_circle;
  double size = 0.5;                  ///< of marks
  std::vector<FigurePoint> points{};  ///< none, and a title: in the legend only
};

/// A horizontal line of long dashes across the figure, with its label to the right of the axes.
struct Level {
  double y = 0.0;
  std::string label;
  bool is_row =
      false;  ///< a row with a name, which leads the eye, not what curves are held against
};

/// Row of small marks below the y axis, for what has no value.
struct StripRow {
  std::vector<Series> series;  ///< marks; y is ignored
  std::string of{};            ///< as of a series
};

enum class FigureShape {
  wide,
  square,  ///< axes of one length, for equal things on both
  panel,   ///< a small square, three of which stand side by side on a page
};

/// One pair of axes. The legend stands above them, labels to their right, and nothing is covered.
/// Of more lines than can be told apart each is drawn on axes of its own (small_multiples.h).
struct Figure {
  std::string name;   ///< prefix of the SVG's ids: letters, digits and '-'
  std::string title;  ///< for readers that do not see it
  FigureShape shape = FigureShape::wide;
  Axis x;
  Axis y;
  std::vector<Series> series;
  std::vector<Level> levels;
  std::string message;  ///< in the middle, where there is nothing to draw; then y has no numbers
  std::string strip_label;
  std::vector<StripRow> strip;  ///< below a linear y axis only
};

/// Everything that is drawn from data, in the order of drawing.
std::vector<Series> drawn_series(const Figure& figure);

/// What a series is: its label, or its title.
const std::string& name_of(const Series& series);

/// The script that draws `figure`. Texts are quoted, so that none of them is a command.
std::string gnuplot_script(const Figure& figure);

/// What the program `gnuplot` prints on reading `script`: its own defaults, no file of the user's,
/// the C locale. Throws OutputError when it cannot be started, which says what to install, and when
/// it fails, with its last words, or takes longer than `limit`, a hundred times what figures take.
std::string run_gnuplot(std::string_view script,
                        std::chrono::seconds limit = std::chrono::seconds{120});

/// The figure as SVG: equal figures give equal bytes, without date, program version or path.
/// Throws OutputError when gnuplot is missing or fails.
std::string svg_of(const Figure& figure);

}  // namespace cubicbench::results
