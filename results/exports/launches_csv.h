#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cubicbench::results {

/// Writes `launches.csv` and `studies.csv` of a search into the folder `out`, which must exist, and
/// returns their names. One study is held at a time. The columns of launches are scenario,
/// instance, searcher, seed, trial, attempt, state, reason, value, true_value, cost_gpu_hours,
/// started_h, finished_h, round, config (JSON); those of studies what they share and what they
/// recommend. Throws InputError as the readers of searches, and OutputError.
std::vector<std::string> write_csv_export(const std::filesystem::path& folder,
                                          const std::filesystem::path& out);

}  // namespace cubicbench::results
