#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "search/journal/journal.h"

namespace cubicbench::search {

// Tables of configurations by their text, which they point to. None has an order to go by.

/// Of the values alone: names are nearly always the same.
struct HashOfConfig {
  std::size_t operator()(const ConfigText* config) const {
    constexpr std::size_t prime = 0x100000001b3;  // of FNV-1a
    std::size_t hash = config->size();
    for (const auto& [name, value] : *config) {
      hash = (hash ^ std::hash<std::string>()(value)) * prime;
    }
    return hash;
  }
};

struct IsSameConfig {
  bool operator()(const ConfigText* a, const ConfigText* b) const { return *a == *b; }
};

using ConfigSet = std::unordered_set<const ConfigText*, HashOfConfig, IsSameConfig>;

template <typename Value>
using ConfigMap = std::unordered_map<const ConfigText*, Value, HashOfConfig, IsSameConfig>;

}  // namespace cubicbench::search
