#pragma once

#include <string>

#include "tests/fuzz/dice.h"
#include "tests/fuzz/target.h"

namespace cubicbench::fuzz {

/// What makes an input for a target out of another: fields, lines, cells and words are lost,
/// doubled, exchanged, renamed, and given values of the wrong kind and size, or those that other
/// inputs have there. Most of what comes out is nearly right, which is where mistakes hide; some
/// has bytes changed at random.
class Mutation {
 public:
  /// What it may take from: seeds of the target.
  explicit Mutation(const Target& target);

  /// One to four changes.
  Parts changed(Parts parts, Dice& dice) const;

 private:
  std::string changed(const std::string& part, std::size_t place, Dice& dice) const;

  const Target& target_;
  std::vector<Parts> donors_;
};

}  // namespace cubicbench::fuzz
