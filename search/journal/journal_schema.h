#pragma once

#include <string_view>

namespace cubicbench::search {

/// The kind of document that a journal is.
inline constexpr std::string_view journal_schema = "cubicbench.journal/1";

}  // namespace cubicbench::search
