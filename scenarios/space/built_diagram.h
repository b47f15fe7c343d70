#pragma once

#include <cstddef>
#include <optional>

#include "scenarios/space/space_diagram.h"
#include "scenarios/space/space_problem.h"

namespace cubicbench::scenarios {

/// Bounds time and memory of a diagram whose paths join nowhere.
inline constexpr std::size_t diagram_edges_max = std::size_t{1} << 22;

/// A diagram, or why there is none; then it is that of no parameter.
struct BuiltDiagram {
  SpaceDiagram diagram;
  std::optional<SpaceProblem> problem;
};

/// The diagram with its counts filled in.
BuiltDiagram counted(SpaceDiagram diagram);

}  // namespace cubicbench::scenarios
