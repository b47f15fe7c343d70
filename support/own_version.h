#pragma once

#include <string>
#include <string_view>

namespace cubicbench::support {

/// The version of this program, as every document of ours states it.
std::string own_version();

/// What to say of a document that version `found` made, where results would be mixed or compared:
/// "expected 0.2.0, the version of this program, got "0.1.0"".
std::string other_version(std::string_view found);

}  // namespace cubicbench::support
