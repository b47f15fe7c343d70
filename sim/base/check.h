#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

/// SIM_ASSERT(condition, values...) states an invariant whose violation is a bug of this program,
/// never of its user. On violation it prints place, expression and values to standard error and
/// aborts. It stays on in release builds: the values are evaluated only after the condition failed,
/// so a condition that holds costs one predicted branch.
///
///   SIM_ASSERT(finish >= start, finish, start);
///   sim/engine/clock.cc:41: broken invariant: finish >= start, where finish, start = 1.5, 2
///
/// A condition with a comma outside parentheses needs its own parentheses.
#define SIM_ASSERT(condition, ...)                                                               \
  do {                                                                                           \
    if (!(condition)) [[unlikely]] {                                                             \
      ::cubicbench::sim::invariant_broken(__FILE__, __LINE__,                                    \
                                          #condition __VA_OPT__(, #__VA_ARGS__, {__VA_ARGS__})); \
    }                                                                                            \
  } while (false)

namespace cubicbench::sim {

/// One value of a broken invariant: a number, enumerator (shown by number), text, quantity (its
/// `value`) or duration (its `count()`). Refers to text, and is trivial to make, so that an
/// assertion adds little code to the function it guards.
class AssertedValue {
 public:
  template <class T>
  constexpr AssertedValue(const T& shown) {  // implicit: the macro lists plain values
    if constexpr (std::is_same_v<T, bool>) {
      text_ = shown ? "true" : "false";
    } else if constexpr (std::is_floating_point_v<T>) {
      kind_ = Kind::real;
      real_ = static_cast<double>(shown);
    } else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
      kind_ = Kind::integer;
      integer_ = shown;
    } else if constexpr (std::is_integral_v<T>) {
      kind_ = Kind::natural;
      natural_ = shown;
    } else if constexpr (std::is_enum_v<T>) {
      *this = AssertedValue(static_cast<std::underlying_type_t<T>>(shown));
    } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
      text_ = shown;
    } else if constexpr (requires { shown.count(); }) {
      *this = AssertedValue(shown.count());
    } else {
      *this = AssertedValue(shown.value);
    }
  }

  /// Numbers in the shortest form that reads back as the same number.
  std::string text() const;

 private:
  enum class Kind : std::uint8_t { text, real, integer, natural };

  Kind kind_ = Kind::text;
  double real_ = 0.0;
  std::int64_t integer_ = 0;
  std::uint64_t natural_ = 0;
  std::string_view text_;
};

/// Prints the message of SIM_ASSERT and aborts.
[[noreturn]] void invariant_broken(const char* file, int line, const char* condition,
                                   const char* names = "",
                                   std::initializer_list<AssertedValue> values = {});

}  // namespace cubicbench::sim
