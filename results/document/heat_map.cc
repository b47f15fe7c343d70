#include "results/document/heat_map.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "results/document/html.h"
#include "results/document/paragraph.h"
#include "results/document/svg.h"
#include "sim/base/check.h"

namespace cubicbench::results {
namespace {

// Pixels.
constexpr double width = 760.0;
constexpr double right = 744.0;
constexpr double title_y = 26.0;
constexpr double legend_y = 42.0;
constexpr double top = 104.0;    ///< of the cells; columns are named above them
constexpr double widest = 92.0;  ///< of a cell
constexpr double cell_height = 30.0;
constexpr double low_height = 14.0;  ///< of rows that are many
constexpr double letter = 6.7;       ///< of 11 pixels
constexpr std::size_t tall_rows = 24;

/// Of viridis, from the smallest amount to the largest; it is read on paper of either colour, in
/// grey and by those who do not tell red from green.
constexpr std::array<const char*, 7> shades{"#440154", "#443983", "#31688E", "#21918C",
                                            "#35B779", "#90D743", "#FDE725"};

std::string shade_rules() {
  std::string rules;
  for (std::size_t i = 0; i < shades.size(); ++i) {
    const std::string number = std::to_string(i);
    rules.append(".k").append(number).append("{fill:").append(shades[i]);
    rules.append("}.t").append(number).append("{fill:").append(letters_on(shades[i])).append("}");
  }
  return rules;
}

double text_width(std::string_view text) { return letter * static_cast<double>(columns_of(text)); }

/// The name, or as much of its end as has room behind an ellipsis.
std::string fitted(const std::string& name, double pixels) {
  if (text_width(name) <= pixels) return name;
  const auto columns = static_cast<std::size_t>(std::max(1.0, pixels / letter - 1.0));
  std::size_t begin = 0;
  for (std::size_t left = columns_of(name); left > columns && begin < name.size(); --left) {
    do {
      ++begin;
    } while (begin < name.size() && (static_cast<unsigned char>(name[begin]) & 0xC0U) == 0x80U);
  }
  return "\xE2\x80\xA6" + name.substr(begin);
}

/// A name that says all of itself to who points at it.
std::string named(double x, double y, std::string_view classes, const std::string& name,
                  double pixels) {
  return "<g><title>" + escaped(name) + "</title>" + svg_text(x, y, classes, fitted(name, pixels)) +
         "</g>\n";
}

/// Where the cells stand, and which shade each has.
class Plane {
 public:
  explicit Plane(const HeatMap& map) : map_(map) {
    left_ = 26.0 + text_width(map.down);
    for (const std::string& row : map.rows) left_ = std::max(left_, 26.0 + text_width(row));
    left_ = std::min(left_, 0.4 * width);
    for (const std::string& name : map.columns) longest_ = std::max(longest_, text_width(name));
    cell_width_ = std::min(std::max(widest, longest_ + 10.0),
                           (right - left_) / static_cast<double>(map.columns.size()));
    cell_height_ = map.rows.size() <= tall_rows ? cell_height : low_height;
    std::vector<double> amounts;
    for (const HeatCell& cell : map.cells) {
      if (cell.amount) amounts.push_back(*cell.amount);
    }
    if (amounts.empty()) return;
    const auto [low, high] = std::ranges::minmax(amounts);
    low_ = low;
    high_ = high;
  }

  double x_of(std::size_t column) const {
    return left_ + cell_width_ * static_cast<double>(column);
  }
  double y_of(std::size_t row) const { return top + cell_height_ * static_cast<double>(row); }
  double bottom() const { return y_of(map_.rows.size()); }

  std::string cell(std::size_t row, std::size_t column) const {
    const HeatCell& of = map_.cells[row * map_.columns.size() + column];
    const std::string shade = of.amount ? std::to_string(shade_of(*of.amount)) : "";
    const double gap = 1.0;
    std::string svg = svg_rect(x_of(column), y_of(row), cell_width_ - gap, cell_height_ - gap,
                               of.amount ? "k" + shade : "hatched") +
                      ">" + "<title>" + escaped(of.words) + "</title></rect>\n";
    if (!of.mark.empty() && text_width(of.mark) + 4.0 <= cell_width_) {
      svg += svg_text(x_of(column) + 0.5 * cell_width_, y_of(row) + 0.5 * cell_height_ + 4.0,
                      "small middle " + (of.amount ? "t" + shade : "soft"), of.mark);
    }
    if (of.is_best) {
      svg += svg_rect(x_of(column) + 1.0, y_of(row) + 1.0, cell_width_ - gap - 2.0,
                      cell_height_ - gap - 2.0, "best") +
             "/>\n";
    }
    return svg;
  }

  /// Every so many names that none covers another.
  std::string column_names() const {
    constexpr double most = 110.0;  // what a name may take of its neighbours' room
    const double room = std::max(cell_width_ - 6.0, most);
    const double needed = std::min(longest_, room) + 10.0;
    const auto step =
        std::max<std::size_t>(1, static_cast<std::size_t>(needed / cell_width_ + 0.999));
    std::string svg = svg_text(left_, top - 26.0, "ink", map_.across);
    for (std::size_t i = 0; i < map_.columns.size(); i += step) {
      svg +=
          named(x_of(i) + 0.5 * cell_width_, top - 8.0, "soft small middle", map_.columns[i], room);
    }
    return svg;
  }

  std::string row_names() const {
    std::string svg = svg_text(left_ - 10.0, top - 26.0, "ink end", map_.down);
    for (std::size_t i = 0; i < map_.rows.size(); ++i) {
      svg += named(left_ - 10.0, y_of(i) + 0.5 * cell_height_ + 4.0, "soft small end", map_.rows[i],
                   left_ - 16.0);
    }
    return svg;
  }

 private:
  std::size_t shade_of(double amount) const {
    const double share = high_ > low_ ? (amount - low_) / (high_ - low_) : 1.0;
    const auto steps = static_cast<double>(shades.size());
    return std::min(static_cast<std::size_t>(share * steps), shades.size() - 1);
  }

  const HeatMap& map_;
  double left_ = 0.0;
  double longest_ = 0.0;  ///< name of a column
  double cell_width_ = 0.0;
  double cell_height_ = 0.0;
  double low_ = 0.0;
  double high_ = 0.0;
};

std::string legend_of(const HeatMap& map) {
  constexpr double swatch = 16.0;
  double x = 16.0;
  std::string svg;
  if (!map.least.empty()) {
    svg += svg_text(x, legend_y + 11.0, "soft small", map.least);
    x += text_width(map.least) + 8.0;
    for (std::size_t i = 0; i < shades.size(); ++i) {
      svg += svg_rect(x, legend_y, swatch, 14.0, "k" + std::to_string(i)) + "/>\n";
      x += swatch;
    }
    svg += svg_text(x + 8.0, legend_y + 11.0, "soft small", map.most);
    x += text_width(map.most) + 32.0;
  }
  if (map.hatched.empty()) return svg;
  return svg + svg_rect(x, legend_y, swatch, 14.0, "hatched") + "/>\n" +
         svg_text(x + swatch + 8.0, legend_y + 11.0, "soft small", map.hatched);
}

std::string style() {
  return svg_style(
      "text{font:12px sans-serif}.title{font-size:15px;font-weight:600}.small{font-size:11px}"
      ".end{text-anchor:end}.middle{text-anchor:middle}.grid,.hatch{stroke-width:1}.hatched{fill:"
      "url(#hatched)}.best{fill:none;stroke:#D55E00;stroke-width:3}",
      shade_rules(), "");
}

}  // namespace

std::string heat_map_svg(const HeatMap& map) {
  SIM_ASSERT(!map.cells.empty() && map.cells.size() == map.columns.size() * map.rows.size(),
             map.cells.size(), map.columns.size(), map.rows.size());
  const Plane plane(map);
  const double height = plane.bottom() + 16.0;
  std::string body = style() + std::string(svg_hatching) +
                     svg_rect(0.0, 0.0, width, height, "paper") + "/>\n" +
                     svg_text(16.0, title_y, "title ink", map.title) + legend_of(map) +
                     plane.column_names() + plane.row_names();
  for (std::size_t row = 0; row < map.rows.size(); ++row) {
    for (std::size_t column = 0; column < map.columns.size(); ++column) {
      body += plane.cell(row, column);
    }
  }
  return svg_document(width, height, map.title, map.description, body);
}

}  // namespace cubicbench::results
