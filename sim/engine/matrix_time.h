#pragma once

#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/program/step_program.h"

namespace cubicbench::sim {

/// Time in which the momentum of one m x n matrix, m <= n, is orthogonalised: scaled by its norm
/// and, `steps` times, X X^T, its square, and their sum times X [Muon24; docs/models.md, Eq. K-11],
///
///   steps (2 m^2 n  +  2 m^3  +  2 m^2 n) flops
///
/// in bf16, at the rate of a step's products; sums are read and written with the products.
Seconds orthogonalising_time(const WeightMatrix& matrix, int steps, const Device& device,
                             const Stack& stack);

/// Of the matrices that a rank of a stage updates: gathers of what it does not hold, in bf16, among
/// the ranks that share the state and then the tensor ranks, and the orthogonalisation of each on
/// every one of these [Moonlight25, algorithm 1]. Nothing runs beside it.
Seconds matrix_time(const StepProgram& program, const StageRun& run, const Cluster& cluster,
                    const Stack& stack);

}  // namespace cubicbench::sim
