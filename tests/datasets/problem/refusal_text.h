#pragma once

#include <string>
#include <vector>

#include "datasets/problem/table_scenario.h"
#include "support/input_error.h"
#include "tests/temporary_folder.h"

namespace cubicbench::datasets {

/// What read_scenario() says of a file of the folder, without the folder; "" where it reads it.
inline std::string refusal_text(const std::string& file, const TemporaryFolder& folder,
                                const std::vector<std::string>& sets = {}) {
  try {
    read_scenario(file, sets);
  } catch (const support::InputError& error) {
    std::string message = error.what();
    const std::string path = folder.path().string() + "/";
    for (std::size_t at = 0; (at = message.find(path)) != std::string::npos;) {
      message.erase(at, path.size());
    }
    return message;
  }
  return "";
}

}  // namespace cubicbench::datasets
