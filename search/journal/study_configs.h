#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "search/journal/config_words.h"
#include "search/journal/journal.h"

namespace cubicbench::search {

/// A configuration of a study, from 0 in the order in which its launches have them first.
enum class ConfigId : std::uint32_t {};

inline std::size_t index_of(ConfigId id) { return static_cast<std::size_t>(id); }

/// The configurations of a study, each once and some twenty bytes long. Values are JSON, as
/// journals have them.
class StudyConfigs {
 public:
  StudyConfigs() = default;
  /// Words may be those of other studies, too.
  explicit StudyConfigs(std::shared_ptr<ConfigWords> words) : words_(std::move(words)) {}

  std::size_t size() const { return ends_.size(); }
  ConfigText json(ConfigId id) const;

  /// Gives back memory for more.
  void shrink_to_fit() {
    bytes_.shrink_to_fit();
    ends_.shrink_to_fit();
  }

  /// Both look at every configuration.
  std::optional<ConfigId> find(const ConfigText& config) const;
  ConfigId keep(const ConfigText& config);

 private:
  friend class ConfigKeeper;

  std::string_view packed(ConfigId id) const;
  std::optional<ConfigId> find(std::string_view packed) const;
  ConfigId append(std::string_view packed);
  ConfigWords& words();

  std::shared_ptr<ConfigWords> words_;  ///< null until there is one
  std::string bytes_;                   ///< words, seven bits a byte, the lowest first
  std::vector<std::uint32_t> ends_;     ///< in `bytes_`
};

/// Adds configurations to those of a study, which must stay where they are, with an index of what
/// is there.
class ConfigKeeper {
 public:
  explicit ConfigKeeper(StudyConfigs& configs)
      : configs_(configs), known_(0, Hash{&configs}, Same{&configs}) {}

  ConfigWords& words() { return configs_.words(); }
  ConfigId keep(std::span<const ConfigWord> words);
  ConfigId keep(const ConfigText& config);

 private:
  struct Hash {
    const StudyConfigs* configs;
    std::size_t operator()(ConfigId id) const {
      return std::hash<std::string_view>()(configs->packed(id));
    }
  };
  struct Same {
    const StudyConfigs* configs;
    bool operator()(ConfigId a, ConfigId b) const {
      return configs->packed(a) == configs->packed(b);
    }
  };

  StudyConfigs& configs_;
  std::unordered_set<ConfigId, Hash, Same> known_;
  std::vector<ConfigWord> of_text_;
};

}  // namespace cubicbench::search
