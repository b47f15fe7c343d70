#pragma once

#include <optional>

#include "scenarios/space/search_space.h"

namespace cubicbench::search {

/// The configuration of `space` that a line of a journal means; nothing where the space has none
/// such. Values are JSON.
std::optional<scenarios::Configuration> placed_config(const scenarios::SearchSpace& space,
                                                      const scenarios::ConfigText& config);

}  // namespace cubicbench::search
