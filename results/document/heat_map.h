#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cubicbench::results {

/// What stands in one place of a heat map.
struct HeatCell {
  std::optional<double> amount{};  ///< its colour; without one the cell is hatched
  std::string mark{};              ///< inside, where there is room
  std::string words{};             ///< shown under the pointer
  bool is_best = false;            ///< framed
};

/// A table whose cells are coloured by their amounts.
struct HeatMap {
  std::string title;          ///< what it shows, as a sentence
  std::string description{};  ///< for those who do not see it
  std::string across;         ///< what tells columns apart
  std::string down;           ///< rows
  std::vector<std::string> columns{};
  std::vector<std::string> rows{};
  std::vector<HeatCell> cells{};  ///< row after row
  std::string least{};            ///< the smallest amount, as the legend has it
  std::string most{};
  std::string hatched{};  ///< what a cell without an amount stands for; "" where there is none
};

/// The heat map as an SVG that needs no other file and no script, light or dark as its reader
/// wishes, light on paper. Seven shades of viridis, by equal steps of the amount. Requires a cell
/// for each column of each row, and one at least.
std::string heat_map_svg(const HeatMap& map);

}  // namespace cubicbench::results
