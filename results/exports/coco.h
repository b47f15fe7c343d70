#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cubicbench::results {

/// Writes a search as COCO's logger of single-objective problems does: per searcher a folder, in it
/// per scenario bbobexp_f<N>_i1.info and data_f<N>/bbobexp_f<N>_DIM<knobs>_i1.dat and .tdat, where
/// each study is a run. docs/exports.md says what the columns are. Returns the names of the files.
/// Throws InputError as the readers of searches, and OutputError.
std::vector<std::string> write_coco_export(const std::filesystem::path& folder,
                                           const std::filesystem::path& out);

}  // namespace cubicbench::results
