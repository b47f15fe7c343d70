#pragma once

// The parts of the C++20 library that the program uses and the libc++ of emscripten 3.1.6 lacks.
// The build of the page includes this before everything else; no other build sees it, but for the
// test that holds its numbers against a whole library (tests/web/).
//
// Namespace std is extended on purpose: callers stay as they are, and a newer emscripten needs the
// file no longer. Algorithms take what the program gives them, and check no concepts.

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

#include "web/decimal_numbers.h"

namespace std {

template <class To, class From>
requires(sizeof(To) == sizeof(From) && is_trivially_copyable_v<To> &&
         is_trivially_copyable_v<From>) constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}

/// A page has one thread: none is ever started.
class jthread {};

inline to_chars_result to_chars(char* first, char* last, double value) {
  return cubicbench::web::shortest_decimal(first, last, value);
}
inline to_chars_result to_chars(char* first, char* last, double value, chars_format format,
                                int precision) {
  return cubicbench::web::rounded_decimal(first, last, value, format, precision);
}
inline from_chars_result from_chars(const char* first, const char* last, double& value,
                                    chars_format format = chars_format::general) {
  return cubicbench::web::read_decimal(first, last, value, format);
}

namespace ranges {

template <class In, class Out>
struct in_out_result {
  In in;
  Out out;
};
template <class In1, class In2>
struct in_in_result {
  In1 in1;
  In2 in2;
};
template <class T>
struct min_max_result {
  T min;
  T max;
};
template <class T>
using minmax_result = min_max_result<T>;

namespace gaps {

/// `of` of what `by` makes of each argument.
template <class Of, class By>
constexpr auto projected_by(Of& of, By& by) {
  return [&of, &by](auto&&... items) -> decltype(auto) {
    return std::invoke(of, std::invoke(by, std::forward<decltype(items)>(items))...);
  };
}

/// An algorithm `of` on two iterators as one on them or on a range, each with what is said of
/// items last: what to do with them or how to order them (Said, unless it is given), and by what of
/// them.
template <class Algorithm, class Said>
struct OnItems {
  template <input_iterator I, sentinel_for<I> End, class X = Said, class By = identity>
  constexpr auto operator()(I first, End last, X said = {}, By by = {}) const {
    return Algorithm::of(first, ranges::next(first, last), said, by);
  }
  template <range Items, class X = Said, class By = identity>
  constexpr auto operator()(Items&& items, X said = {}, By by = {}) const {
    return Algorithm::of(ranges::begin(items), ranges::end(items), said, by);
  }
};

/// The same with a value, or a place for what comes out, in front.
template <class Algorithm, class Said>
struct OnItemsWith {
  template <input_iterator I, sentinel_for<I> End, class T, class X = Said, class By = identity>
  constexpr auto operator()(I first, End last, const T& with, X said = {}, By by = {}) const {
    return Algorithm::of(first, ranges::next(first, last), with, said, by);
  }
  template <range Items, class T, class X = Said, class By = identity>
  constexpr auto operator()(Items&& items, const T& with, X said = {}, By by = {}) const {
    return Algorithm::of(ranges::begin(items), ranges::end(items), with, said, by);
  }
};

/// Algorithms whose last argument is an order, a test or another function of items.
#define CUBICBENCH_GAP(name)                                     \
  struct name##_gap {                                            \
    template <class I, class X, class By>                        \
    static constexpr auto of(I first, I last, X& said, By& by) { \
      return std::name(first, last, projected_by(said, by));     \
    }                                                            \
  };
CUBICBENCH_GAP(find_if)
CUBICBENCH_GAP(find_if_not)
CUBICBENCH_GAP(any_of)
CUBICBENCH_GAP(all_of)
CUBICBENCH_GAP(none_of)
CUBICBENCH_GAP(count_if)
CUBICBENCH_GAP(for_each)
CUBICBENCH_GAP(max_element)
CUBICBENCH_GAP(min_element)
CUBICBENCH_GAP(is_sorted)
CUBICBENCH_GAP(adjacent_find)
#undef CUBICBENCH_GAP

#define CUBICBENCH_SORT_GAP(name)                              \
  struct name##_gap {                                          \
    template <class I, class X, class By>                      \
    static constexpr I of(I first, I last, X& order, By& by) { \
      std::name(first, last, projected_by(order, by));         \
      return last;                                             \
    }                                                          \
  };
CUBICBENCH_SORT_GAP(sort)
CUBICBENCH_SORT_GAP(stable_sort)
#undef CUBICBENCH_SORT_GAP

/// A value is compared with what an item has.
struct find_gap {
  template <class I, class T, class By, class None>
  static constexpr I of(I first, I last, const T& value, By& by, None&) {
    return std::find_if(first, last, [&](auto&& item) { return std::invoke(by, item) == value; });
  }
};
struct count_gap {
  template <class I, class T, class By, class None>
  static constexpr auto of(I first, I last, const T& value, By& by, None&) {
    return std::count_if(first, last, [&](auto&& item) { return std::invoke(by, item) == value; });
  }
};
struct fill_gap {
  template <class I, class T, class None>
  static constexpr I of(I first, I last, const T& value, None&, None&) {
    std::fill(first, last, value);
    return last;
  }
};
struct replace_gap {
  template <class I, class T, class After, class None>
  static constexpr I of(I first, I last, const T& before, After& after, None&) {
    std::replace(first, last, before, T(after));
    return last;
  }
};
struct replace_if_gap {
  template <class I, class Test, class T, class None>
  static constexpr I of(I first, I last, Test test, T& after, None&) {
    std::replace_if(first, last, test, after);
    return last;
  }
};

struct lower_bound_gap {
  template <class I, class T, class X, class By>
  static constexpr I of(I first, I last, const T& value, X& order, By& by) {
    return std::partition_point(
        first, last, [&](auto&& item) { return std::invoke(order, std::invoke(by, item), value); });
  }
};
struct upper_bound_gap {
  template <class I, class T, class X, class By>
  static constexpr I of(I first, I last, const T& value, X& order, By& by) {
    return std::partition_point(first, last, [&](auto&& item) {
      return !std::invoke(order, value, std::invoke(by, item));
    });
  }
};
struct binary_search_gap {
  template <class I, class T, class X, class By>
  static constexpr bool of(I first, I last, const T& value, X& order, By& by) {
    const I at = lower_bound_gap::of(first, last, value, order, by);
    return at != last && !std::invoke(order, value, std::invoke(by, *at));
  }
};

struct copy_gap {
  template <class I, class Out, class None>
  static constexpr in_out_result<I, Out> of(I first, I last, Out out, None&, None&) {
    return {last, std::copy(first, last, out)};
  }
};
struct move_gap {
  template <class I, class Out, class None>
  static constexpr in_out_result<I, Out> of(I first, I last, Out out, None&, None&) {
    return {last, std::move(first, last, out)};
  }
};
struct copy_if_gap {
  template <class I, class Out, class Test, class By>
  static constexpr in_out_result<I, Out> of(I first, I last, Out out, Test& test, By& by) {
    return {last, std::copy_if(first, last, out, projected_by(test, by))};
  }
};
struct transform_gap {
  template <class I, class Out, class Made, class By>
  static constexpr in_out_result<I, Out> of(I first, I last, Out out, Made& made, By& by) {
    return {last, std::transform(first, last, out, projected_by(made, by))};
  }
};

struct equal_gap {
  template <range A, range B, class Same = equal_to, class ByA = identity, class ByB = identity>
  constexpr bool operator()(A&& a, B&& b, Same same = {}, ByA by_a = {}, ByB by_b = {}) const {
    return std::equal(ranges::begin(a), ranges::end(a), ranges::begin(b), ranges::end(b),
                      [&](auto&& left, auto&& right) {
                        return std::invoke(same, std::invoke(by_a, left), std::invoke(by_b, right));
                      });
  }
};

struct mismatch_gap {
  template <range A, range B, class Same = equal_to>
  constexpr auto operator()(A&& a, B&& b, Same same = {}) const {
    const auto found = std::mismatch(ranges::begin(a), ranges::end(a), ranges::begin(b),
                                     ranges::end(b), std::ref(same));
    return in_in_result<decltype(found.first), decltype(found.second)>{found.first, found.second};
  }
};

/// Of the range's items, or of two values.
template <template <class> class Chosen>
struct extreme_gap {
  template <class T, class Order = less, class By = identity>
  constexpr T operator()(initializer_list<T> items, Order order = {}, By by = {}) const {
    return *Chosen<void>::of(items.begin(), items.end(), order, by);
  }
  template <range Items, class Order = less, class By = identity>
  constexpr range_value_t<Items> operator()(Items&& items, Order order = {}, By by = {}) const {
    return *Chosen<void>::of(ranges::begin(items), ranges::end(items), order, by);
  }
};
template <class>
struct max_of : max_element_gap {};
template <class>
struct min_of : min_element_gap {};

struct minmax_gap {
  template <range Items, class Order = less, class By = identity>
  constexpr min_max_result<range_value_t<Items>> operator()(Items&& items, Order order = {},
                                                            By by = {}) const {
    const auto [least, most] =
        std::minmax_element(ranges::begin(items), ranges::end(items), projected_by(order, by));
    return {*least, *most};
  }
};

struct middle_gap {
  template <range Items, class I, class Order = less, class By = identity>
  static constexpr auto sorted(Items&& items, I middle, Order order = {}, By by = {}) {
    std::partial_sort(ranges::begin(items), middle, ranges::end(items), projected_by(order, by));
    return ranges::end(items);
  }
  template <range Items, class I, class Order = less, class By = identity>
  static constexpr auto placed(Items&& items, I middle, Order order = {}, By by = {}) {
    std::nth_element(ranges::begin(items), middle, ranges::end(items), projected_by(order, by));
    return ranges::end(items);
  }
};
struct partial_sort_gap {
  template <class... Of>
  constexpr auto operator()(Of&&... of) const {
    return middle_gap::sorted(std::forward<Of>(of)...);
  }
};
struct nth_element_gap {
  template <class... Of>
  constexpr auto operator()(Of&&... of) const {
    return middle_gap::placed(std::forward<Of>(of)...);
  }
};

}  // namespace gaps

inline constexpr gaps::OnItems<gaps::find_if_gap, identity> find_if{};
inline constexpr gaps::OnItems<gaps::find_if_not_gap, identity> find_if_not{};
inline constexpr gaps::OnItems<gaps::any_of_gap, identity> any_of{};
inline constexpr gaps::OnItems<gaps::all_of_gap, identity> all_of{};
inline constexpr gaps::OnItems<gaps::none_of_gap, identity> none_of{};
inline constexpr gaps::OnItems<gaps::count_if_gap, identity> count_if{};
inline constexpr gaps::OnItems<gaps::for_each_gap, identity> for_each{};
inline constexpr gaps::OnItems<gaps::max_element_gap, less> max_element{};
inline constexpr gaps::OnItems<gaps::min_element_gap, less> min_element{};
inline constexpr gaps::OnItems<gaps::is_sorted_gap, less> is_sorted{};
inline constexpr gaps::OnItems<gaps::sort_gap, less> sort{};
inline constexpr gaps::OnItems<gaps::stable_sort_gap, less> stable_sort{};
inline constexpr gaps::OnItems<gaps::adjacent_find_gap, equal_to> adjacent_find{};
inline constexpr gaps::OnItemsWith<gaps::find_gap, identity> find{};
inline constexpr gaps::OnItemsWith<gaps::count_gap, identity> count{};
inline constexpr gaps::OnItemsWith<gaps::fill_gap, identity> fill{};
inline constexpr gaps::OnItemsWith<gaps::replace_gap, identity> replace{};
inline constexpr gaps::OnItemsWith<gaps::replace_if_gap, identity> replace_if{};
inline constexpr gaps::OnItemsWith<gaps::copy_gap, identity> copy{};
inline constexpr gaps::OnItemsWith<gaps::move_gap, identity> move{};
inline constexpr gaps::OnItemsWith<gaps::copy_if_gap, identity> copy_if{};
inline constexpr gaps::OnItemsWith<gaps::transform_gap, identity> transform{};
inline constexpr gaps::OnItemsWith<gaps::lower_bound_gap, less> lower_bound{};
inline constexpr gaps::OnItemsWith<gaps::upper_bound_gap, less> upper_bound{};
inline constexpr gaps::OnItemsWith<gaps::binary_search_gap, less> binary_search{};
inline constexpr gaps::extreme_gap<gaps::max_of> max{};
inline constexpr gaps::extreme_gap<gaps::min_of> min{};
inline constexpr gaps::minmax_gap minmax{};
inline constexpr gaps::equal_gap equal{};
inline constexpr gaps::mismatch_gap mismatch{};
inline constexpr gaps::partial_sort_gap partial_sort{};
inline constexpr gaps::nth_element_gap nth_element{};

}  // namespace ranges
}  // namespace std
