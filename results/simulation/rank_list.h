#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cubicbench::results {

/// Most ranks that one trace shows: more than a screen, and far below what a viewer takes.
inline constexpr std::size_t listed_ranks_max = 64;

/// The ranks of "0,8,16-19", ascending, each once, of a job on `gpus` GPUs. `where` names the list
/// in messages. Throws InputError with everything that is wrong with it.
std::vector<std::int64_t> listed_ranks(const std::string& text, std::int64_t gpus,
                                       const std::string& where);

}  // namespace cubicbench::results
