#pragma once

#include "datasets/mapping/measured_run.h"
#include "datasets/tables/recommendation_measurement.h"

namespace cubicbench::datasets {

/// Maps a row to workload, plan, cluster and stack; the objective is samples_per_s. What a row
/// leaves open is filled from the files of defaults. Threads may call it at the same time.
MappedRun map_recommendation(const RecommendationMeasurement& row);

/// What a source of HSTU counts as the work of a step of one GPU: thrice the products of the layers
/// and 3.5 times their attention of the forward pass, causal; no entry, tables or heads.
/// Source: cal_hstu_flops_single_rank of github.com/NVIDIA/recsys-examples/blob/43465ae,
/// examples/commons/utils/perf.py, less sums over elements, a ten-thousandth.
sim::Flops counted_flops(const sim::Recommendation& model, std::int64_t batch_per_gpu);

/// How long a step took, in seconds: from the rate that the row states, else from the work that its
/// source counts; nothing where neither is stated.
std::optional<double> measured_step(const RecommendationMeasurement& row,
                                    const scenarios::Scenario& run);

bool is_out_of_memory(const RecommendationMeasurement& row);

}  // namespace cubicbench::datasets
