#pragma once

#include "results/validation/summary.h"

namespace cubicbench::results {

/// What the tables print is taken from here: figures that no other text has.
inline Summaries made_up_summaries() {
  Summary runs;
  runs.has_runs = true;
  runs.rows = 8;
  runs.skipped = 1;
  runs.n = 7;
  runs.coverage = 8.0 / 9.0;
  runs.median_abs_rel_error = 0.1;
  runs.mean_abs_rel_error = 0.193;
  runs.p90_abs_rel_error = 0.42;
  runs.bias = -0.1;
  runs.ranks = {.groups = 1,
                .kendall_median = 0.6,
                .pair_kendall_5pct = {},
                .top1_ratio = 0.8,
                .top1_share = {}};
  runs.oom = {.tp = 0,
              .fp = 0,
              .tn = 2,
              .fn = 1,
              .balanced_accuracy = 0.5,
              .auroc = 1.0,
              .ladder_edges = 0.0};
  runs.hung = 1;
  Summary collectives;
  collectives.has_collectives = true;
  collectives.rows = 2;
  collectives.n = 2;
  collectives.coverage = 1.0;
  collectives.median_abs_rel_error = 0.5;
  collectives.p90_abs_rel_error = 0.9;
  collectives.bias = 0.5;
  collectives.by_size[0] = {.n = 1, .median = 1.0, .p90 = 2.0};
  collectives.by_size[1] = {.n = 1, .median = 0.0, .p90 = 0.0};
  Summaries summaries;
  summaries.overall = runs;
  summaries.overall.n = 9;
  summaries.overall.has_collectives = true;
  summaries.runs = runs;
  summaries.collectives = collectives;
  summaries.sources = {{"runs <one>", runs}, {"nccl", collectives}};
  summaries.parts = {{"sc21", runs}};
  return summaries;
}

}  // namespace cubicbench::results
