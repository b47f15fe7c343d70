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
#include "sim/base/check.h"

namespace cubicbench::results {
namespace {

// Pixels.
constexpr double width = 1000.0;
constexpr double left = 172.0;  ///< of the lanes; names stand before it
constexpr double right = 976.0;
constexpr double title_y = 26.0;
constexpr double legend_top = 44.0;
constexpr double legend_pitch = 20.0;
constexpr double tall = 20.0;
constexpr double low = 7.0;
constexpr double lane_pitch = 13.0;  ///< from one low lane to the next: names have 11 pixels
constexpr double row_gap = 10.0;
constexpr double axis_height = 46.0;
constexpr double digit = 6.7;   ///< of a letter of 11 pixels
constexpr double letter = 7.0;  ///< of one of 12

std::string px(double value) {
  std::string text = fixed(value, 2);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string rect(double x, double y, double w, double h, std::string_view classes) {
  return "<rect class=\"" + std::string(classes) + "\" x=\"" + px(x) + "\" y=\"" + px(y) +
         "\" width=\"" + px(w) + "\" height=\"" + px(h) + "\"";
}

std::string text_at(double x, double y, std::string_view classes, std::string_view text) {
  return "<text class=\"" + std::string(classes) + "\" x=\"" + px(x) + "\" y=\"" + px(y) + "\">" +
         escaped(text) + "</text>\n";
}

std::string kind_class(std::size_t kind) { return "k" + std::to_string(kind); }

/// Is white easier to read on it than black? By its luminance [WCAG 2, relative luminance, with the
/// square in place of the power 2.4].
bool is_deep(const std::string& color) {
  constexpr double weights[] = {0.2126, 0.7152, 0.0722};
  double luminance = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double part = std::stoi(color.substr(1 + 2 * i, 2), nullptr, 16) / 255.0;
    luminance += weights[i] * part * part;
  }
  return luminance < 0.25;
}

std::string color_rules(const Timeline& timeline, bool dark) {
  std::string rules = dark ? ".paper{fill:#14171A}.ink{fill:#E6E9EC}.soft{fill:#9AA4AE}"
                             ".grid{stroke:#3A4249}.wait{fill:#1E2327}.hatch{stroke:#4A545D}"
                           : ".paper{fill:#FFFFFF}.ink{fill:#1B1F24}.soft{fill:#57606A}"
                             ".grid{stroke:#D0D7DE}.wait{fill:#F3F5F7}.hatch{stroke:#B4BCC4}";
  for (std::size_t i = 0; i < timeline.kinds.size(); ++i) {
    const std::string& color = dark ? timeline.kinds[i].dark : timeline.kinds[i].light;
    rules += "." + kind_class(i) + "{fill:" + color + "}.t" + std::to_string(i) +
             "{fill:" + (is_deep(color) ? "#FFFFFF" : "#14171A") + "}";
  }
  return rules;
}

std::string style_of(const Timeline& timeline) {
  return "<style>text{font:12px sans-serif}.title{font-size:15px;font-weight:600}.small,.mark{"
         "font-size:11px}.mark{text-anchor:middle}.end{text-anchor:end}.middle{text-anchor:middle}"
         ".grid,.hatch{stroke-width:1}" +
         color_rules(timeline, false) + "@media screen and (prefers-color-scheme:dark){" +
         color_rules(timeline, true) + "}</style>\n";
}

/// A pattern that is there in grey too: what waits is no box.
constexpr std::string_view hatching =
    "<defs><pattern id=\"waiting\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\"><rect class=\"wait\" width=\"6\" height=\"6\"/><line "
    "class=\"hatch\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"6\"/></pattern></defs>\n";

/// The legend in rows, and where it ends.
std::pair<std::string, double> legend_of(const Timeline& timeline) {
  std::string svg = "<g><title>legend</title>\n";
  double x = 16.0;
  double y = legend_top;
  const auto add = [&](const std::string& swatch, const std::string& name) {
    const double length = 34.0 + letter * static_cast<double>(columns_of(name));
    if (x + length > right) {
      x = 16.0;
      y += legend_pitch;
    }
    svg += "<rect " + swatch + " x=\"" + px(x) + "\" y=\"" + px(y) +
           "\" width=\"12\" height=\"12\"/>\n" + text_at(x + 18.0, y + 10.5, "ink", name);
    x += length;
  };
  for (std::size_t i = 0; i < timeline.kinds.size(); ++i) {
    add("class=\"" + kind_class(i) + "\"", timeline.kinds[i].name);
  }
  if (!timeline.waiting.empty()) add("fill=\"url(#waiting)\"", timeline.waiting);
  return {svg + "</g>\n", y + legend_pitch + 8.0};
}

/// The lanes of one picture: time to pixels, and boxes to shapes.
class Lanes {
 public:
  explicit Lanes(const Timeline& timeline) : timeline_(timeline) {}

  double x_of(double seconds) const { return left + (right - left) * seconds / timeline_.length_s; }

  std::string row(const TimelineRow& row, double& y) const {
    std::string svg = "<g><title>" + escaped(row.name) + "</title>\n";
    for (const TimelineLane& lane : row.lanes) {
      const double height = lane.shows_waiting ? tall : low;
      if (lane.shows_waiting) {
        svg += text_at(left - 8.0, y + 14.5, "ink end", row.name);
      } else {
        svg += text_at(left - 8.0, y + height, "soft small end", lane.name);
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
      svg += "<rect fill=\"url(#waiting)\" x=\"" + px(left) + "\" y=\"" + px(y) + "\" width=\"" +
             px(right - left) + "\" height=\"" + px(height) + "\"/>\n";
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
      svg += rect(static_cast<double>(first), y, static_cast<double>(next - first), height,
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
    std::string svg = rect(begin, y, shown, height, kind_class(box.kind));
    svg += box.words.empty() ? "/>\n" : "><title>" + escaped(box.words) + "</title></rect>\n";
    const double length = digit * static_cast<double>(columns_of(box.mark)) + 3.0;
    if (box.mark.empty() || height < tall || shown < length) return svg;
    return svg + text_at((begin + end) / 2.0, y + height - 6.0, "mark t" + std::to_string(box.kind),
                         box.mark);
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
           text_at(x, bottom + 15.0, "soft middle", formatted(at, std::chars_format::general, 6));
  }
  return svg +
         text_at((left + right) / 2.0, bottom + 34.0, "ink middle", std::string("time, ") + name) +
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
  return "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
         "width=\"" +
         px(width) + "\" height=\"" + px(height) + "\" viewBox=\"0 0 " + px(width) + " " +
         px(height) + "\" role=\"img\">\n<title>" + escaped(timeline.title) + "</title>\n<desc>" +
         escaped(timeline.description) + "</desc>\n" + style_of(timeline) + std::string(hatching) +
         rect(0.0, 0.0, width, height, "paper") + "/>\n" +
         text_at(16.0, title_y, "title ink", timeline.title) + legend +
         axis_of(timeline, lanes, top, bottom) + rows + "</svg>\n";
}

}  // namespace cubicbench::results
