#pragma once

#include <string_view>

namespace cubicbench::results {

/// The style sheet of every page, light and dark.
extern const std::string_view page_style;

}  // namespace cubicbench::results
