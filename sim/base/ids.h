#pragma once

#include <concepts>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/base/check.h"

namespace cubicbench::sim {

/// The type of a row number: `enum class LinkId : std::uint32_t {};`. Numbering starts at 0.
template <class T>
concept IdType = std::is_enum_v<T> && std::unsigned_integral<std::underlying_type_t<T>> &&
    !std::convertible_to<T, std::underlying_type_t<T>>;

/// The row an id names.
template <IdType Id>
constexpr std::size_t index_of(Id id) {
  return static_cast<std::size_t>(static_cast<std::underlying_type_t<Id>>(id));
}

/// The id of row `index`, which must fit the id's integer type.
template <IdType Id>
constexpr Id id_at(std::size_t index) {
  using Number = std::underlying_type_t<Id>;
  SIM_ASSERT(index <= std::numeric_limits<Number>::max(), index);
  return static_cast<Id>(static_cast<Number>(index));
}

/// A table with one `T` a row, indexed only by its own kind of id: looking up a link by the number
/// of a GPU does not compile. An id outside the table is a broken invariant, checked on every
/// access. Iteration goes in order of ids. May be shared by threads that only read.
template <IdType Id, class T>
class IdVector {
 public:
  using value_type = T;

  IdVector() = default;
  explicit IdVector(std::size_t rows, const T& value = T{}) : rows_(rows, value) {}
  explicit IdVector(std::vector<T> rows) : rows_(std::move(rows)) {}

  decltype(auto) operator[](Id id) {
    SIM_ASSERT(contains(id), id, size());
    return rows_[index_of(id)];
  }
  decltype(auto) operator[](Id id) const {
    SIM_ASSERT(contains(id), id, size());
    return rows_[index_of(id)];
  }

  bool contains(Id id) const { return index_of(id) < rows_.size(); }
  std::size_t size() const { return rows_.size(); }

  /// Room for as many rows, so that none moves while they are appended.
  void reserve(std::size_t rows) { rows_.reserve(rows); }

  /// Appends a row and returns its id.
  Id push_back(T row) {
    const Id id = id_at<Id>(rows_.size());
    rows_.push_back(std::move(row));
    return id;
  }

  auto begin() { return rows_.begin(); }
  auto end() { return rows_.end(); }
  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.end(); }

  bool operator==(const IdVector&) const = default;

 private:
  std::vector<T> rows_;
};

}  // namespace cubicbench::sim
