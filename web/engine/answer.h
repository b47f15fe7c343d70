#pragma once

#include <string>

namespace cubicbench::web {

/// What the page is answered (web/engine/README.md): JSON for JSON. What is wrong with the request
/// is an answer too, so nothing is thrown. The race that it begins goes on from call to call.
std::string answer(const std::string& request);

}  // namespace cubicbench::web
