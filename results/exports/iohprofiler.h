#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cubicbench::results {

/// Writes a search as IOHexperimenter's Analyzer logger does in its JSON form, which IOHanalyzer
/// reads: per searcher a folder, in it per scenario IOHprofiler_f<N>_<name>.json and
/// data_f<N>_<name>/IOHprofiler_f<N>_DIM<knobs>.dat, where each study is a run. docs/exports.md
/// says what the columns are. Returns the names of the files. Throws InputError as the readers of
/// searches, and OutputError.
std::vector<std::string> write_iohprofiler_export(const std::filesystem::path& folder,
                                                  const std::filesystem::path& out);

}  // namespace cubicbench::results
