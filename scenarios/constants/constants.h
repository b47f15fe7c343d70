#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/base/units.h"
#include "sim/hardware/device.h"
#include "sim/hardware/dtype.h"
#include "sim/hardware/stack.h"

namespace cubicbench::scenarios {

/// One number of a table, such as the rate of one kernel.
template <class T, std::size_t size>
struct TableEntry {
  std::array<double, size> T::*table;
  std::size_t at;
};

/// What a constant decides: how long steps take, or what memory holds. Timed runs tell the first;
/// the second is read off sources, peaks and verdicts.
enum class ConstantKind { time, memory };

/// One number of a stack, a device or costs of collectives as its file has it: `name` ends in the
/// file's unit. That of an entry of a table is TABLE.ENTRY.
template <class T>
struct Constant {
  std::string_view name;
  std::variant<double T::*, sim::Seconds T::*, sim::Bytes T::*,
               TableEntry<T, sim::attention_kernel_count>, TableEntry<T, sim::dtype_count>,
               double& (*)(T&)>
      member;
  double unit = 1.0;  ///< of the file, in the program's
  double min = 0.0;   ///< smallest number that a file may give
  double max = 0.0;
  ConstantKind kind = ConstantKind::time;
};

using StackConstant = Constant<sim::Stack>;
using DeviceConstant = Constant<sim::Device>;

/// Every number of a stack that a file may leave out, in the order of its members; no tables.
std::span<const StackConstant> stack_constants();
/// Those of a device: what separates its kernels from the vendor's peaks.
std::span<const DeviceConstant> device_constants();

/// The names of those of a stack that are of that kind.
std::vector<std::string> stack_constant_names(ConstantKind kind);
/// Of all of a device, which are of time, entries of tables too: "attention_efficiency.flash2".
std::vector<std::string> device_constant_names();

/// Null when there is none of this name.
template <class T>
const Constant<T>* find_constant(std::span<const Constant<T>> constants, std::string_view name) {
  const auto found = std::ranges::find(constants, name, &Constant<T>::name);
  return found == constants.end() ? nullptr : &*found;
}
const StackConstant* find_stack_constant(std::string_view name);
const DeviceConstant* find_device_constant(std::string_view name);

/// The number itself, of a constant `of` too.
template <class Of, class Member>
auto& number_of(Of& of, Member member) {
  if constexpr (requires { member.table; }) {
    return (of.*member.table)[member.at];
  } else if constexpr (requires { member(of); }) {
    return member(of);
  } else if constexpr (requires { (of.*member).value; }) {
    return (of.*member).value;
  } else {
    return of.*member;
  }
}

/// In the file's unit.
template <class T>
double value_of(const Constant<T>& constant, T of) {
  return std::visit([&](auto member) { return number_of(of, member) / constant.unit; },
                    constant.member);
}

/// `value` in the file's unit.
template <class T>
void set_value(const Constant<T>& constant, double value, T& of) {
  std::visit([&](auto member) { number_of(of, member) = value * constant.unit; }, constant.member);
}

}  // namespace cubicbench::scenarios
