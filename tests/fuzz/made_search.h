#pragma once

#include <filesystem>
#include <string>

namespace cubicbench::fuzz {

/// The folder of a small finished search that this process has made, of one study a searcher:
/// `random` and `coordinate` on tiny-gpt. To be read only.
const std::filesystem::path& made_search();

/// A shard of the same search, 1 or 2.
std::filesystem::path made_shard(int number);

/// A study's file as it was made: `folder` is "journals" or "truth".
std::string made_file(const std::string& folder, const std::string& study);

/// The study of `random`.
extern const std::string made_study;

}  // namespace cubicbench::fuzz
