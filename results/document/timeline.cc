#include "results/document/timeline.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "results/document/axis.h"
#include "results/document/html.h"
#include "results/document/number_text.h"
#include "results/document/paragraph.h"
#include "results/document/svg.h"
#include "sim/base/check.h"

namespace cubicbench::results {
namespace {

// Pixels.
constexpr double page_width = 1000.0;
constexpr double left = 172.0;  ///< of the lanes; names stand before it
constexpr double lanes_end = 976.0;
constexpr double title_base = 26.0;
constexpr double legend_top = 44.0;
constexpr double legend_pitch = 20.0;
constexpr double tall = 20.0;
constexpr double low = 7.0;
constexpr double lane_pitch = 13.0;  ///< from one low lane to the next: names have 11 pixels
constexpr double row_gap = 10.0;
constexpr double axis_height = 46.0;
constexpr double digit = 6.7;        ///< of a letter of 11 pixels
constexpr double wide_letter = 7.0;  ///< of one of 12

std::string kind_class(std::size_t kind) { return "k" + std::to_string(kind); }

std::string color_rules(const Timeline& timeline, bool dark) {
  std::string rules;
  for (std::size_t i = 0; i < timeline.kinds.size(); ++i) {
    const std::string& color = dark ? timeline.kinds[i].dark : timeline.kinds[i].light;
    rules += "." + kind_class(i) + "{fill:" + color + "}.t" + std::to_string(i) +
             "{fill:" + std::string(letters_on(color)) + "}";
  }
  return rules;
}

std::string style_of(const Timeline& timeline) {
  return svg_style(
      "text{font:12px sans-serif}.title{font-size:15px;font-weight:600}.small,.mark{"
      "font-size:11px}.mark{text-anchor:middle}.end{text-anchor:end}.middle{text-anchor:middle}"
      ".grid,.hatch{stroke-width:1}",
      color_rules(timeline, false), color_rules(timeline, true));
}

/// The legend in rows, and where it ends.
std::pair<std::string, double> legend_of(const Timeline& timeline) {
  std::string svg = "<g><title>legend</title>\n";
  double x = 16.0;
  double y = legend_top;
  const auto add = [&](const std::string& swatch, const std::string& name) {
    const double length = 34.0 + wide_letter * static_cast<double>(columns_of(name));
    if (x + length > lanes_end) {
      x = 16.0;
      y += legend_pitch;
    }
    svg += "<rect " + swatch + " x=\"" + px(x) + "\" y=\"" + px(y) +
           "\" width=\"12\" height=\"12\"/>\n" + svg_text(x + 18.0, y + 10.5, "ink", name);
    x += length;
  };
  for (std::size_t i = 0; i < timeline.kinds.size(); ++i) {
    add("class=\"" + kind_class(i) + "\"", timeline.kinds[i].name);
  }
  if (!timeline.waiting.empty()) add("fill=\"url(#hatched)\"", timeline.waiting);
  return {svg + "</g>\n", y + legend_pitch + 8.0};
}

/// The lanes of one picture: time to pixels, and boxes to shapes.
class Lanes {
 public:
  explicit Lanes(const Timeline& timeline) : timeline_(timeline) {}

  double x_of(double seconds) const {
    return left + (lanes_end - left) * seconds / timeline_.length_s;
  }

  std::string row(const TimelineRow& row, double& y) const {
    std::string svg = "<g><title>" + escaped(row.name) + "</title>\n";
    for (const TimelineLane& lane : row.lanes) {
      const double height = lane.shows_waiting ? tall : low;
      if (lane.shows_waiting) {
        svg += svg_text(left - 8.0, y + 14.5, "ink end", row.name);
      } else {
        svg += svg_text(left - 8.0, y + height, "soft small end", lane.name);
      }
      svg += this->lane(lane, y, height);
      y += lane.shows_waiting ? tall + 3.0 : lane_pitch;
    }
    y += row_gap;
    return svg + "</g>\n";
  }

 private:
  /// How much of each column of pixels narrow boxes take, by kind.
  using Columns = std::map<long, std::vector<double>>;

  std::string lane(const TimelineLane& lane, double y, double height) const {
    std::string svg = "<g><title>" + escaped(lane.name) + "</title>\n";
    if (lane.shows_waiting) {
      svg += "<rect fill=\"url(#hatched)\" x=\"" + px(left) + "\" y=\"" + px(y) + "\" width=\"" +
             px(lanes_end - left) + "\" height=\"" + px(height) + "\"/>\n";
    }
    Columns narrow;
    std::string wide;
    for (const TimelineBox& box : lane.boxes) {
      SIM_ASSERT(box.end >= box.begin && box.kind < timeline_.kinds.size(), box.begin, box.end);
      const double begin = x_of(box.begin);
      const double end = x_of(box.end);
      if (end - begin >= 1.0) {
        wide += shape(box, begin, end, y, height);
      } else {
        add_narrow(box.kind, begin, end, narrow);
      }
    }
    return svg + columns_svg(narrow, y, height) + wide + "</g>\n";
  }

  void add_narrow(std::size_t kind, double begin, double end, Columns& columns) const {
    for (double at = std::floor(begin); at < end; at += 1.0) {
      std::vector<double>& taken = columns[static_cast<long>(at)];
      taken.resize(timeline_.kinds.size());
      taken[kind] += std::min(end, at + 1.0) - std::max(begin, at);
    }
  }

  /// Columns of one kind that touch are one shape.
  static std::string columns_svg(const Columns& columns, double y, double height) {
    std::string svg;
    for (auto at = columns.begin(); at != columns.end();) {
      const std::size_t kind = most_of(at->second);
      const long first = at->first;
      long next = first;
      while (at != columns.end() && at->first == next && most_of(at->second) == kind) {
        ++at;
        ++next;
      }
      svg += svg_rect(static_cast<double>(first), y, static_cast<double>(next - first), height,
                      kind_class(kind)) +
             "/>\n";
    }
    return svg;
  }

  static std::size_t most_of(const std::vector<double>& taken) {
    return static_cast<std::size_t>(std::ranges::max_element(taken) - taken.begin());
  }

  /// A hairline between boxes that touch.
  static std::string shape(const TimelineBox& box, double begin, double end, double y,
                           double height) {
    constexpr double gap = 0.6;
    const double shown = end - begin > 4.0 ? end - begin - gap : end - begin;
    std::string svg = svg_rect(begin, y, shown, height, kind_class(box.kind));
    svg += box.words.empty() ? "/>\n" : "><title>" + escaped(box.words) + "</title></rect>\n";
    const double length = digit * static_cast<double>(columns_of(box.mark)) + 3.0;
    if (box.mark.empty() || height < tall || shown < length) return svg;
    return svg + svg_text((begin + end) / 2.0, y + height - 6.0,
                          "mark t" + std::to_string(box.kind), box.mark);
  }

  const Timeline& timeline_;
};

/// In which unit ticks are short.
std::pair<double, const char*> unit_of(double length_s) {
  if (length_s >= 2.0) return {1.0, "s"};
  if (length_s >= 2e-3) return {1e-3, "ms"};
  return {1e-6, "\xC2\xB5s"};
}

/// Grid lines behind the lanes, and the numbers below them.
std::string axis_of(const Timeline& timeline, const Lanes& lanes, double top, double bottom) {
  const auto [unit, name] = unit_of(timeline.length_s);
  const double length = timeline.length_s / unit;
  const double step = tick_step(length);
  std::string svg = "<g><title>time</title>\n";
  for (long i = 0; static_cast<double>(i) * step <= length * (1.0 + 1e-9); ++i) {
    const double at = static_cast<double>(i) * step;
    const double x = lanes.x_of(at * unit);
    svg += "<line class=\"grid\" x1=\"" + px(x) + "\" y1=\"" + px(top) + "\" x2=\"" + px(x) +
           "\" y2=\"" + px(bottom) + "\"/>\n" +
           svg_text(x, bottom + 15.0, "soft middle", formatted(at, std::chars_format::general, 6));
  }
  return svg +
         svg_text((left + lanes_end) / 2.0, bottom + 34.0, "ink middle",
                  std::string("time, ") + name) +
         "</g>\n";
}

}  // namespace

std::string timeline_svg(const Timeline& timeline) {
  SIM_ASSERT(timeline.length_s > 0.0, timeline.length_s);
  const Lanes lanes(timeline);
  const auto [legend, top] = legend_of(timeline);
  double y = top + 4.0;
  std::string rows;
  for (const TimelineRow& row : timeline.rows) rows += lanes.row(row, y);
  const double bottom = y - row_gap + 6.0;
  const double height = bottom + axis_height;
  return svg_document(page_width, height, timeline.title, timeline.description,
                      style_of(timeline) + std::string(svg_hatching) +
                          svg_rect(0.0, 0.0, page_width, height, "paper") + "/>\n" +
                          svg_text(16.0, title_base, "title ink", timeline.title) + legend +
                          axis_of(timeline, lanes, top, bottom) + rows);
}

}  // namespace cubicbench::results
