#pragma once

#include <bit>
#include <compare>
#include <cstdint>

namespace cubicbench::sim {

/// A real number with a dimension: time^T * byte^B * flop^F, in SI base units (seconds, bytes,
/// floating-point operations). Adding unlike quantities does not compile; a ratio of like
/// quantities is a plain double.
template <int T, int B, int F>
struct Quantity {
  double value = 0.0;

  constexpr auto operator<=>(const Quantity&) const = default;
  constexpr Quantity operator-() const { return {-value}; }
  constexpr Quantity& operator+=(Quantity other) { return *this = *this + other; }
  constexpr Quantity& operator-=(Quantity other) { return *this = *this - other; }
  constexpr Quantity& operator*=(double factor) { return *this = *this * factor; }

  friend constexpr Quantity operator+(Quantity a, Quantity b) { return {a.value + b.value}; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return {a.value - b.value}; }
  friend constexpr Quantity operator*(double factor, Quantity a) { return {factor * a.value}; }
  friend constexpr Quantity operator*(Quantity a, double factor) { return {a.value * factor}; }
  friend constexpr Quantity operator/(Quantity a, double divisor) { return {a.value / divisor}; }
  friend constexpr Quantity max(Quantity a, Quantity b) { return a < b ? b : a; }
  friend constexpr Quantity min(Quantity a, Quantity b) { return b < a ? b : a; }
  friend constexpr Quantity positive(Quantity a) { return max(a, Quantity{}); }
};

using Seconds = Quantity<1, 0, 0>;
using Bytes = Quantity<0, 1, 0>;
using Flops = Quantity<0, 0, 1>;
using BytesPerSecond = Quantity<-1, 1, 0>;
using FlopsPerSecond = Quantity<-1, 0, 1>;
using FlopsPerByte = Quantity<0, -1, 1>;

template <int T1, int B1, int F1, int T2, int B2, int F2>
constexpr auto operator*(Quantity<T1, B1, F1> a, Quantity<T2, B2, F2> b) {
  if constexpr (T1 + T2 == 0 && B1 + B2 == 0 && F1 + F2 == 0) {
    return a.value * b.value;
  } else {
    return Quantity<T1 + T2, B1 + B2, F1 + F2>{a.value * b.value};
  }
}

template <int T1, int B1, int F1, int T2, int B2, int F2>
constexpr auto operator/(Quantity<T1, B1, F1> a, Quantity<T2, B2, F2> b) {
  if constexpr (T1 == T2 && B1 == B2 && F1 == F2) {
    return a.value / b.value;
  } else {
    return Quantity<T1 - T2, B1 - B2, F1 - F2>{a.value / b.value};
  }
}

inline namespace literals {
// clang-format off
constexpr Seconds operator""_s(long double v) { return {static_cast<double>(v)}; }
constexpr Seconds operator""_s(unsigned long long v) { return {static_cast<double>(v)}; }
constexpr Seconds operator""_ms(long double v) { return {static_cast<double>(v) * 1e-3}; }
constexpr Seconds operator""_ms(unsigned long long v) { return {static_cast<double>(v) * 1e-3}; }
constexpr Seconds operator""_us(long double v) { return {static_cast<double>(v) * 1e-6}; }
constexpr Seconds operator""_us(unsigned long long v) { return {static_cast<double>(v) * 1e-6}; }
constexpr Bytes operator""_B(unsigned long long v) { return {static_cast<double>(v)}; }
constexpr Bytes operator""_MiB(unsigned long long v) { return {static_cast<double>(v) * 1024 * 1024}; }
constexpr Bytes operator""_GiB(unsigned long long v) { return {static_cast<double>(v) * 1024 * 1024 * 1024}; }
constexpr Bytes operator""_GB(unsigned long long v) { return {static_cast<double>(v) * 1e9}; }
constexpr BytesPerSecond operator""_GBps(unsigned long long v) { return {static_cast<double>(v) * 1e9}; }
constexpr BytesPerSecond operator""_GBps(long double v) { return {static_cast<double>(v) * 1e9}; }
constexpr FlopsPerSecond operator""_TFLOPS(unsigned long long v) { return {static_cast<double>(v) * 1e12}; }
constexpr FlopsPerSecond operator""_TFLOPS(long double v) { return {static_cast<double>(v) * 1e12}; }
// clang-format on
}  // namespace literals

/// A count as a factor of a formula: exact below 2^53.
constexpr double real(std::int64_t count) { return static_cast<double>(count); }

/// ceil(log2 count), of 0 or 1 nothing: how often one doubles to reach `count`.
constexpr double doublings(std::int64_t count) {
  return count < 2 ? 0.0
                   : static_cast<double>(std::bit_width(static_cast<std::uint64_t>(count - 1)));
}

}  // namespace cubicbench::sim
