// libFuzzer's entry: `fuzz --target=NAME [OPTION of libFuzzer]... [CORPUS]...`.
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

#include "tests/fuzz/checked_command.h"
#include "tests/fuzz/dice.h"
#include "tests/fuzz/mutation.h"
#include "tests/fuzz/target.h"

namespace {

using cubicbench::fuzz::Dice;
using cubicbench::fuzz::joined;
using cubicbench::fuzz::Mutation;
using cubicbench::fuzz::split;
using cubicbench::fuzz::Target;

const Target* target = nullptr;
std::unique_ptr<Mutation> mutation;

constexpr std::string_view named = "--target=";

std::string_view view_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  for (int i = 1; i < *argc; ++i) {
    const std::string_view word = (*argv)[i];
    if (word.starts_with(named)) {
      target = &cubicbench::fuzz::target_named(word.substr(named.size()));
    }
  }
  if (target == nullptr) target = &cubicbench::fuzz::target_named("");
  mutation = std::make_unique<Mutation>(*target);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  target->run(split(*target, view_of(data, size)));
  return 0;
}

/// The first inputs are empty: those become seeds.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t size_max, unsigned int seed) {
  Dice dice(seed);
  const bool begins = size < 4 || dice.once_in(200);
  const std::string changed =
      begins ? joined(target->seed(dice.below(target->seeds)))
             : joined(mutation->changed(split(*target, view_of(data, size)), dice));
  if (changed.size() > size_max) return size;
  std::memcpy(data, changed.data(), changed.size());
  return changed.size();
}
