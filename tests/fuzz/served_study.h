#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "search/served/served_search.h"

namespace cubicbench::fuzz {

/// Opens a study of tiny-llama in a new folder, has `talk` drive it, and checks the folder that it
/// leaves with `verify`. What a client does wrong may end the talk by OutputError or Refused.
void with_served_study(const std::function<void(search::ServedSearch&)>& talk);

/// Calls `take` for each line of the text.
void for_each_line(std::string_view text, const std::function<void(std::string_view)>& take);

}  // namespace cubicbench::fuzz
