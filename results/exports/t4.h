#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cubicbench::results {

/// Writes every study of a search as STUDY.json in T4, the results format that autotuners share
/// [schema 1.0.0 of odgaard/TuningSchema]. docs/exports.md says what the fields are. Returns the
/// names of the files. Throws InputError as the readers of searches, and OutputError.
std::vector<std::string> write_t4_export(const std::filesystem::path& folder,
                                         const std::filesystem::path& out);

}  // namespace cubicbench::results
