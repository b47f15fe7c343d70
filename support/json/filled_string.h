#pragma once

#include <string>
#include <string_view>

#include "support/json/object_reader.h"

namespace cubicbench::support {

/// The string at `key`, which is required and must not be empty: then a problem says what was
/// `expected`, such as "a scenario". "" on a problem of either kind.
std::string filled_string(ObjectReader& in, std::string_view key, std::string_view expected);

}  // namespace cubicbench::support
