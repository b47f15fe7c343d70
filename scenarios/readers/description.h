#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/catalog.h"
#include "support/json/object_reader.h"

namespace cubicbench::scenarios {

/// Of a device or a link, in the units of their files: slower ones than there ever were would take
/// steps longer than numbers reach.
inline constexpr double rate_min = 0.001;

/// One description file of the library's shelves: reads its head (schema, name, summary), remembers
/// which numbers it gave, and at the end asks for a source of each. The document and the list of
/// problems must outlive it.
class Description {
 public:
  /// `schema` without its version, which is one of `versions`: "cubicbench.network", {1, 2}.
  Description(const nlohmann::ordered_json& json, const std::string& file, std::string_view schema,
              std::span<const int> versions, std::vector<support::Problem>& problems);
  /// Version 1 of the schema of that kind.
  Description(const nlohmann::ordered_json& json, const std::string& file, Kind kind,
              std::vector<support::Problem>& problems);

  /// Of the file's schema; the first of those allowed where it has none of them.
  int version() const { return version_; }

  const std::string& name() const { return name_; }
  /// `FILE#` of the whole document.
  std::string where() const { return in_.where(); }

  /// Required without `otherwise`.
  double number(std::string_view key, double min, double max,
                std::optional<double> otherwise = std::nullopt);
  int integer(std::string_view key, int min, int max, std::optional<int> otherwise = std::nullopt);
  bool boolean(std::string_view key, bool otherwise);

  template <class Enum>
  Enum choice(std::string_view key, std::span<const std::string_view> choices, Enum otherwise) {
    cite(key);
    return static_cast<Enum>(in_.one_of(key, choices, static_cast<std::size_t>(otherwise)));
  }

  /// A table. Its numbers have one source, or each its own.
  support::ObjectReader object(std::string_view key);
  /// What is no number has no source.
  support::ObjectReader& uncited() { return in_; }
  bool has(std::string_view key) const { return in_.has(key); }

  /// Reports sources that are missing and keys that nobody asked for.
  void finish();

 private:
  void cite(std::string_view key, bool required = false);
  void require_source(support::ObjectReader& sources, const std::string& key);
  static void require_text(support::ObjectReader& sources, const std::string& key);

  support::ObjectReader in_;
  int version_ = 1;
  std::string name_;
  std::vector<std::string> cited_;
};

}  // namespace cubicbench::scenarios
