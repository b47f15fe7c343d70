#pragma once

#include "sim/program/recommendation_program.h"

namespace cubicbench::sim {

/// What the busiest rank moves for all tables together, in bytes.
struct EmbeddingTraffic {
  double lookup = 0.0;
  double update = 0.0;
  double fetched = 0.0;
  double exchanged_forward = 0.0;   ///< all-to-all
  double exchanged_backward = 0.0;  ///< all-to-all
  double node_forward = 0.0;        ///< reduce-scatter in a node
  double node_backward = 0.0;       ///< all-gather in a node
  double scattered = 0.0;           ///< reduce-scatter over all ranks of a copy, forward
  double gathered = 0.0;            ///< all-gather over them, backward
  double copied = 0.0;
  double reduced = 0.0;
  double averaged = 0.0;
  double averaged_host = 0.0;  ///< of that over the host link
  double ids = 0.0;            ///< all-to-all
};

/// Reads sharding and volumes of `program`.
EmbeddingTraffic embedding_traffic(const RecommendationProgram& program, const Plan& plan);

}  // namespace cubicbench::sim
