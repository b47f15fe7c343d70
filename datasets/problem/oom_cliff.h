#pragma once

#include <string>
#include <string_view>

namespace cubicbench::datasets {

/// The table that a scenario names to play the toy below, in place of a table of runs.
inline constexpr std::string_view oom_cliff_name = "oom-cliff-toy";

/// A problem that everybody can compute and whose memory limit is a cliff: 9,216 configurations of
/// seven knobs, without noise, each once for a limit of 80 and once for one of 40 GB. Nobody ran
/// it. What a searcher is told of the failures decides how far it gets, so it tells telling modes
/// and searchers apart that lose their way beside the cliff.
///
///   speed = T(t) R(r) Z(z) (1.04 if o) (1 - 0.01 |log2(b / 100)|)
///           / ((0.35 m^-0.7 + 0.65) (1 + 0.25 (p - 1) / (4 max(1, 8 / m))))
///   memory in GB = M(z) 140 / (t p) + A(r) 9 m / t + 0.02 b, out of memory above the limit
///
/// m      micro-batch: 1, 2, 4, 8, 16, 32
/// t, p   tensor- and pipeline-parallel degree: 1, 2, 4, 8; T = 1, .97, .90, .78
/// z      sharding: no_shard, zero1, shard_grad_op, full_shard (stages 0 to 3 of ZeRO);
///        Z = 1, .995, .98, .93, M = 1, .45, .35, .15
/// r      recompute: none, selective, full; R = 1, .96, .76, A = 1, .45, .08
/// o      overlap of communication with computation: 0, 1
/// b      bucket of what is communicated at once, MB: 25, 50, 100, 200
///
/// All constants are invented. The best is 1.3761 at 80 GB, where 87.4 % of the configurations fit,
/// and 1.2768 at 40 GB, where 71.4 % do.
///
/// As CSV in the measurement schema, with columns of its own: `overlap`, `bucket_mb`, `memory_gb`,
/// `limit_gb`, and `over_bytes`, what a run that failed lacked. The speed is in
/// `tokens_per_s_per_gpu`, and a step of speed 1 takes a second.
std::string oom_cliff_csv();

}  // namespace cubicbench::datasets
