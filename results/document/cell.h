#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace cubicbench::results {

/// The parts of one whole, drawn as a bar where that is possible, and the same in words.
struct ShareBar {
  struct Part {
    std::string label;
    std::string group;  ///< parts of one group share a colour, which the legend explains
    std::string color;
    double share = 0.0;

    bool operator==(const Part&) const = default;
  };
  std::vector<Part> parts;
  std::string words;

  bool operator==(const ShareBar&) const = default;
};

class Cell;

/// Several values under one key: an object in JSON, its words for people.
struct Record {
  std::vector<std::pair<std::string, Cell>> members;
  std::string words;
  std::optional<double> number{};  ///< by which it is compared with others of its column

  bool operator==(const Record&) const;
};

/// One value of a table, without a format: how people see it is the column's matter. Made from a
/// number, a truth value, a text, a list of texts, a record, or from an optional, which may be
/// missing.
class Cell {
 public:
  /// No key in JSON, an empty field of CSV, nothing for people.
  struct Absent {
    bool operator==(const Absent&) const = default;
  };
  /// std::monostate: not known. `null` in JSON, an empty field of CSV, a dash for people.
  using Value = std::variant<std::monostate, Absent, bool, std::int64_t, std::uint64_t, double,
                             std::string, std::vector<std::string>, ShareBar, Record>;

  Cell() = default;
  Cell(Absent absent) : value_(absent) {}
  Cell(bool value) : value_(value) {}
  Cell(double value) : value_(value) {}
  template <std::signed_integral Integer>
  Cell(Integer value) : value_(static_cast<std::int64_t>(value)) {}
  template <std::unsigned_integral Integer>
  Cell(Integer value) : value_(static_cast<std::uint64_t>(value)) {}
  Cell(std::string text) : value_(std::move(text)) {}
  Cell(std::string_view text) : value_(std::string(text)) {}
  Cell(const char* text) : value_(std::string(text)) {}
  Cell(std::vector<std::string> list) : value_(std::move(list)) {}
  Cell(ShareBar bar) : value_(std::move(bar)) {}
  Cell(Record record) : value_(std::move(record)) {}
  template <typename Value>
  Cell(const std::optional<Value>& value) : value_(value ? Cell(*value).value_ : Cell().value_) {}

  /// `text`, or null where it is empty.
  static Cell or_null(std::string text) { return text.empty() ? Cell() : Cell(std::move(text)); }

  const Value& value() const { return value_; }
  bool absent() const { return std::holds_alternative<Absent>(value_); }
  bool operator==(const Cell&) const = default;

 private:
  Value value_;
};

inline bool Record::operator==(const Record& other) const {
  return members == other.members && words == other.words;
}

}  // namespace cubicbench::results
