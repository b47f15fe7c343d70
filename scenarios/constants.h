#pragma once

#include <span>
#include <string_view>
#include <type_traits>
#include <variant>

#include "sim/base/units.h"
#include "sim/hardware/device.h"
#include "sim/hardware/stack.h"

namespace cubicbench::scenarios {

/// One number of a stack or a device as its file has it: `name` ends in the file's unit.
template <class T>
struct Constant {
  std::string_view name;
  std::variant<double T::*, sim::Seconds T::*, sim::Bytes T::*> member;
  double unit = 1.0;  ///< of the file, in the program's
  double min = 0.0;   ///< smallest number that a file may give
  double max = 0.0;
};

using StackConstant = Constant<sim::Stack>;
using DeviceConstant = Constant<sim::Device>;

/// Every number of a stack that a file may leave out, in the order of its members.
std::span<const StackConstant> stack_constants();
/// Those of a device: what separates its kernels from the vendor's peaks.
std::span<const DeviceConstant> device_constants();

/// Null when there is none of this name.
const StackConstant* find_stack_constant(std::string_view name);
const DeviceConstant* find_device_constant(std::string_view name);

/// In the file's unit.
template <class T>
double value_of(const Constant<T>& constant, const T& of) {
  return std::visit(
      [&](auto member) {
        if constexpr (std::is_same_v<decltype(member), double T::*>) {
          return of.*member / constant.unit;
        } else {
          return (of.*member).value / constant.unit;
        }
      },
      constant.member);
}

/// `value` in the file's unit.
template <class T>
void set_value(const Constant<T>& constant, double value, T& of) {
  std::visit(
      [&](auto member) {
        if constexpr (std::is_same_v<decltype(member), double T::*>) {
          of.*member = value * constant.unit;
        } else {
          (of.*member).value = value * constant.unit;
        }
      },
      constant.member);
}

}  // namespace cubicbench::scenarios
