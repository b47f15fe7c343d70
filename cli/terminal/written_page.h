#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "results/document/document.h"

namespace cubicbench::cli {

/// Writes the document's page and its files into the folder, where one is asked for, and says what
/// to open; "" without. Throws OutputError.
std::string written_page(const results::Document& document,
                         const std::optional<std::filesystem::path>& folder);

}  // namespace cubicbench::cli
