#include "scenarios/space/built_diagram.h"

#include <utility>

namespace cubicbench::scenarios {

BuiltDiagram counted(SpaceDiagram diagram) {
  if (!diagram.count_backwards()) {
    return {.diagram = {},
            .problem = SpaceProblem{.pointer = "/parameters",
                                    .text = "expected fewer than 2^64 configurations"}};
  }
  return {.diagram = std::move(diagram), .problem = {}};
}

}  // namespace cubicbench::scenarios
