#pragma once

#include <filesystem>

namespace cubicbench::support {

/// Makes the folder, and those above it; nothing for "". Throws OutputError, naming the path and the
/// system's reason.
void make_folders(const std::filesystem::path& folder);

}  // namespace cubicbench::support
