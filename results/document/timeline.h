#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cubicbench::results {

/// What boxes of one colour stand for.
struct TimelineKind {
  std::string name;   ///< in the legend
  std::string light;  ///< "#0072B2", on paper and on a light screen
  std::string dark;   ///< on a dark one
};

/// Something that took from `begin` to `end`.
struct TimelineBox {
  double begin = 0.0;  ///< seconds
  double end = 0.0;
  std::size_t kind = 0;  ///< of the timeline's kinds
  std::string mark{};    ///< inside, where there is room
  std::string words{};   ///< for whoever points at it; "": none
};

/// Boxes side by side. Those of one lane may cover each other.
struct TimelineLane {
  std::string name;            ///< to its left
  bool shows_waiting = false;  ///< tall, and marked where it has no box
  std::vector<TimelineBox> boxes{};
};

/// Lanes that belong together: a rank.
struct TimelineRow {
  std::string name;
  std::vector<TimelineLane> lanes{};
};

/// Rows of boxes over one axis of time.
struct Timeline {
  std::string title;                  ///< what it shows, as a sentence
  std::string description{};          ///< for those who do not see it
  std::string waiting{};              ///< what a lane without a box stands for, in the legend
  double length_s = 0.0;              ///< of the axis, which begins at zero
  std::vector<TimelineKind> kinds{};  ///< in the order of the legend
  std::vector<TimelineRow> rows{};
};

/// The timeline as an SVG that needs no other file and no script, light or dark as its reader
/// wishes, light on paper.
///
/// A box of a pixel or more is drawn as it is. Of narrower ones a column of pixels shows the kind
/// that takes most of it, so that the size of the file depends on the picture and not on the number
/// of boxes. Requires boxes within the axis that do not end before they begin, length_s > 0.
std::string timeline_svg(const Timeline& timeline);

}  // namespace cubicbench::results
