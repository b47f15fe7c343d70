#pragma once

#include <string>
#include <vector>

namespace cubicbench::scenarios {

/// Bytes of "8M", "1.5g", "1GiB", "1e9": K, M, G and T of either case count in powers of 1024 as
/// nccl-tests has them, with or without "iB"; KB, MB, GB and TB in powers of 1000. "1K:8G" is every
/// doubling from the first to the last, "1K:8G:4" every fourfold. `where` names it in messages.
/// Throws InputError.
std::vector<double> message_sizes(const std::string& text, const std::string& where);

}  // namespace cubicbench::scenarios
