#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/input_error.h"

namespace cubicbench::support {

class ObjectReader;

/// As the lower bound of a number: it must be greater than zero.
inline constexpr double above_zero = std::numeric_limits<double>::min();

/// One value of a document and where it stands; what an array's elements are read through.
/// Never throws on bad input: a problem is recorded and the lower bound (0 where it is infinite,
/// "", false, the first choice, an empty object or array) is returned. The document and the list of
/// problems must outlive it.
class ValueReader {
 public:
  /// `value` may be null: the value is absent, and nothing read from it is reported a second time.
  ValueReader(const nlohmann::ordered_json* value, std::string file, std::string pointer,
              std::vector<Problem>& problems);

  std::int64_t integer(std::int64_t min, std::int64_t max) const;
  double number(double min, double max) const;
  bool boolean() const;
  std::string string() const;
  /// Index of the value in `choices`. Requires choices to be non-empty.
  std::size_t one_of(std::span<const std::string_view> choices) const;
  ObjectReader object() const;
  std::vector<ValueReader> array() const;

  /// The value, or nullptr where it was absent.
  const nlohmann::ordered_json* raw() const { return value_; }
  /// `FILE#/pointer` of this value.
  std::string where() const;
  /// Records `text` as a problem of this value.
  void problem(std::string text) const;

 private:
  const nlohmann::ordered_json* value_;
  std::string file_;
  std::string pointer_;
  std::vector<Problem>* problems_;
};

/// Reads the members of one object and collects every problem instead of stopping at the first.
///
/// Each accessor marks its key as known. Without a default the key is required; an absent key and
/// `null` mean the same. On a problem it is recorded and the default, else the minimum (or false,
/// "", the first choice, an empty object or array) is returned, so that reading goes on. When the
/// value itself is no object that is the one problem reported, and members are not missed.
/// The document and the list of problems must outlive the reader. Not to be shared by threads.
class ObjectReader {
 public:
  /// `file` and `pointer` say where `value` stands: "a.json", "" for the whole document.
  ObjectReader(const nlohmann::ordered_json& value, std::string file, std::string pointer,
               std::vector<Problem>& problems);
  ObjectReader(const nlohmann::ordered_json&& value, std::string file, std::string pointer,
               std::vector<Problem>& problems) = delete;

  /// An integer in [min, max]. `4.0`, `1e3`, `"16k"` and `true` are not integers.
  std::int64_t integer(std::string_view key, std::int64_t min, std::int64_t max,
                       std::optional<std::int64_t> otherwise = std::nullopt);
  /// A number of readable magnitude in [min, max], integers included. Infinite bounds are left out
  /// of messages.
  double number(std::string_view key, double min, double max,
                std::optional<double> otherwise = std::nullopt);
  bool boolean(std::string_view key, std::optional<bool> otherwise = std::nullopt);
  std::string string(std::string_view key,
                     const std::optional<std::string>& otherwise = std::nullopt);
  /// Index in `choices` (non-empty) of the string at `key`.
  std::size_t one_of(std::string_view key, std::span<const std::string_view> choices,
                     std::optional<std::size_t> otherwise = std::nullopt);

  /// The object at `key`. Call `finish()` on it too.
  ObjectReader object(std::string_view key);
  /// nullopt when absent.
  std::optional<ObjectReader> optional_object(std::string_view key);
  /// The elements of the array at `key`.
  std::vector<ValueReader> array(std::string_view key);
  /// Empty when absent.
  std::vector<ValueReader> optional_array(std::string_view key);
  /// The value at `key` whatever its type; absent when the key is.
  ValueReader value(std::string_view key);

  /// Whether `key` is there and not null. Does not mark it as known.
  bool has(std::string_view key) const;
  /// The value at `key`, or nullptr when absent or null. Marks the key as known.
  const nlohmann::ordered_json* raw(std::string_view key);
  /// The keys in the document's order; none when the value is no object.
  std::vector<std::string> keys() const;
  /// Marks `key` as known without reading it, so that finish() suggests it.
  void allow(std::string_view key);

  /// Reports each key nobody asked for, with the nearest known one when one is close.
  /// `noun` is what the message calls it: "key", "setting".
  void finish(std::string_view noun = "key");

  /// `FILE#/pointer` of this object, or of its member `key`.
  std::string where() const;
  std::string where(std::string_view key) const;
  /// Records a problem of the member `key`.
  void problem(std::string_view key, std::string text);

  const std::string& file() const { return file_; }
  const std::string& pointer() const { return pointer_; }
  std::vector<Problem>& problems() const { return *problems_; }

 private:
  friend class ValueReader;
  ObjectReader(const nlohmann::ordered_json* value, std::string file, std::string pointer,
               std::vector<Problem>& problems);

  const nlohmann::ordered_json* find(std::string_view key) const;
  /// The member, known from now on; a problem when it is absent and `required`.
  ValueReader member(std::string_view key, bool required, std::string_view expected);
  /// What `read` makes of the member; `otherwise` where it is absent or wrong, if that is given.
  template <typename Value, typename Read>
  Value read(std::string_view key, std::string_view expected, const std::optional<Value>& otherwise,
             Read read);
  std::string pointer_to(std::string_view key) const;

  const nlohmann::ordered_json* value_;  ///< nullptr when there is no object to read
  std::string file_;
  std::string pointer_;
  std::vector<Problem>* problems_;
  std::map<std::string_view, const nlohmann::ordered_json*> members_;
  std::set<std::string, std::less<>> known_;
};

/// `key` as one token of a JSON pointer (RFC 6901): `~` becomes `~0`, `/` becomes `~1`.
/// Shortened first, as no key of ours has more than 60 characters.
std::string pointer_token(std::string_view key);

/// `value` as a message shows it: compact JSON, shortened to 60 characters. A float keeps its
/// point or exponent, so that `4.0` is told from `4`.
std::string shown(const nlohmann::ordered_json& value);

/// "an integer in [1, 72]"; a bound at the end of the 64-bit range is left out.
std::string expected_integer(std::int64_t min, std::int64_t max);
/// "a number in [0, 1]", "a number >= 0", "a number in (0, 1]" and so on: infinite bounds are left
/// out, and `above_zero` is shown as the open end that it is.
std::string expected_number(double min, double max);
/// "one of a, b, c", or the one choice in quotes.
std::string expected_choice(std::span<const std::string_view> choices);

}  // namespace cubicbench::support
