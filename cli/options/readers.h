#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace cubicbench::cli {

// What options make of their values. All throw InputError at `where`, the name of the option.

/// `"TEXT"`, as messages show what was typed.
std::string in_quotes(std::string_view text);

/// An integer in [min, max].
struct Integer {
  std::int64_t min = 0;
  std::int64_t max = 0;
  std::int64_t operator()(const std::string& text, const std::string& where) const;
};

/// A number between two others, which it may not be; `range` says so: "above 0 and below 1".
struct Between {
  double min = 0.0;
  double max = 0.0;
  std::string_view range;
  double operator()(const std::string& text, const std::string& where) const;
};

/// Which instance, seed or draw: small enough for any reader of JSON.
inline constexpr Integer any_index{0, 2'147'483'647};

/// "one of A, B", which is expected.
std::string one_of(std::span<const std::string_view> names);

/// Position of `text` among `names`.
std::size_t choice(const std::string& text, std::span<const std::string_view> names,
                   const std::string& where);

/// The enumerator whose name it is; `names` are in the order of the enumerators.
template <class Enum>
struct Choice {
  std::span<const std::string_view> names;
  Enum operator()(const std::string& text, const std::string& where) const {
    return static_cast<Enum>(choice(text, names, where));
  }
};

/// Text that is not empty; `what` is expected.
struct Filled {
  std::string_view what;
  std::string operator()(const std::string& text, const std::string& where) const;
};

/// The name of a file that ends so.
struct FileEnding {
  std::string_view ending;
  std::string operator()(const std::string& text, const std::string& where) const;
  [[noreturn]] void refuse(const std::string& text, const std::string& where) const;
  /// What is said where there is none.
  std::string missing() const;
};

}  // namespace cubicbench::cli
