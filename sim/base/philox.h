#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/numeric.h"

namespace cubicbench::sim {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

/// Philox4x32 with 10 rounds: a bijection of 128-bit counters for each 64-bit key, whose outputs
/// over distinct counters are as good as independent 32-bit random words.
/// Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011,
///         section 3.3; pinned to the known-answer vectors of Random123.
constexpr PhiloxCounter philox4x32(PhiloxCounter counter, PhiloxKey key) {
  constexpr std::uint64_t multiplier_even = 0xD2511F53;
  constexpr std::uint64_t multiplier_odd = 0xCD9E8D57;
  constexpr std::uint32_t weyl_golden_ratio = 0x9E3779B9;
  constexpr std::uint32_t weyl_root_three = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t even = multiplier_even * counter[0];
    const std::uint64_t odd = multiplier_odd * counter[2];
    counter = {static_cast<std::uint32_t>(odd >> 32) ^ counter[1] ^ key[0],
               static_cast<std::uint32_t>(odd),
               static_cast<std::uint32_t>(even >> 32) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(even)};
    key[0] += weyl_golden_ratio;
    key[1] += weyl_root_three;
  }
  return counter;
}

/// What a random number is for. Values are part of every recorded result: never change or reuse
/// one, only append.
enum class Purpose : std::uint32_t {
  test = 0,
  space_sample = 1,     ///< uniform configurations of a search space
  search = 2,           ///< decisions of a searcher
  noise = 3,            ///< variation of a measured step
  failure = 4,          ///< times and kinds of failures of a job
  drift = 5,            ///< slow change of a cluster over time
  instance = 6,         ///< which of several equally likely truths a benchmark uses
  split = 7,            ///< training and validation rows of a predictor
  bootstrap = 8,        ///< resampling for confidence intervals
  history = 9,          ///< who launched which job when, in a generated history
  learner = 10,         ///< first weights of a network, order of its examples
  policy = 11,          ///< what a policy of a searcher samples
  late_rank = 12,       ///< how late a GPU begins a step that the event engine plays
  tables = 13,          ///< shapes of embedding tables of which only statistics are known
  numeric = 14,         ///< which recipes of low precision diverge, and when
  memory = 15,          ///< what a launch needs of memory over what the model says
  random_studies = 16,  ///< which configurations simulated studies of random search draw
  family_member = 17,   ///< what the members of a family of problems are
};

/// The name of one random number. A draw is a pure function of these four, so neither order nor
/// thread matters. Distinct names give independent numbers; the same name gives the same number,
/// and numbers of different shape (uniform, normal, integer) under one name are correlated.
struct Draw {
  std::uint64_t seed = 0;
  Purpose purpose = Purpose::test;  ///< below 2^24
  std::uint64_t entity = 0;         ///< trial, step, GPU, row: whatever the purpose counts
  std::uint32_t draw = 0;           ///< number within the entity

  constexpr bool operator==(const Draw&) const = default;
};

/// Two independent uniform 64-bit words.
struct RandomWords {
  std::uint64_t first;
  std::uint64_t second;
};

/// The words of a draw. Transforms that reject take the next `attempt`, below 256.
constexpr RandomWords random_words(const Draw& name, std::uint32_t attempt = 0) {
  const auto purpose = static_cast<std::uint32_t>(name.purpose);
  SIM_ASSERT(purpose < (1U << 24), purpose);
  SIM_ASSERT(attempt < 256, attempt);
  const PhiloxCounter words = philox4x32(
      {name.draw, purpose << 8 | attempt, static_cast<std::uint32_t>(name.entity),
       static_cast<std::uint32_t>(name.entity >> 32)},
      {static_cast<std::uint32_t>(name.seed), static_cast<std::uint32_t>(name.seed >> 32)});
  return {static_cast<std::uint64_t>(words[1]) << 32 | words[0],
          static_cast<std::uint64_t>(words[3]) << 32 | words[2]};
}

/// A word as a multiple of 2^-53 in [0, 1).
constexpr double unit_interval(std::uint64_t word) {
  return static_cast<double>(word >> 11) * 0x1p-53;
}

/// Uniform in [0, 1), 53 bits.
constexpr double uniform(const Draw& name) { return unit_interval(random_words(name).first); }

/// Uniform in {0, ..., n - 1}, every value exactly as likely as another. Requires n >= 1.
/// Words below 2^64 mod n are rejected, which leaves a multiple of n words; 512 rejections in a row
/// have probability below 2^-512.
constexpr std::uint64_t uniform_below(const Draw& name, std::uint64_t n) {
  SIM_ASSERT(n >= 1, n);
  const std::uint64_t rejected_below = (0 - n) % n;
  for (std::uint32_t attempt = 0;; ++attempt) {
    const RandomWords words = random_words(name, attempt);
    if (words.first >= rejected_below) return words.first % n;
    if (words.second >= rejected_below) return words.second % n;
  }
}

/// Puts `items` into a uniform order: from the last one on, entry i - 1 changes places with one of
/// those before it or itself, by draw i of `name`.
/// Source: Knuth, The Art of Computer Programming 2, 3.4.2, Algorithm P (Fisher and Yates).
template <typename Items>
void shuffle(Items& items, Draw name) {
  for (std::size_t i = items.size(); i > 1; --i) {
    name.draw = static_cast<std::uint32_t>(i);
    std::swap(items[i - 1], items[static_cast<std::size_t>(uniform_below(name, i))]);
  }
}

/// Standard normal, by Marsaglia's polar method: a uniform point (u, v) of the unit disc at squared
/// distance s from the centre gives u sqrt(-2 ln(s) / s). Points of the square outside the disc are
/// rejected (21 %); |result| < 12.3, whose natural probability is 10^-34.
/// Source: Marsaglia and Bray, "A convenient method for generating normal variables",
///         SIAM Review 6(3), 1964.
inline double standard_normal(const Draw& name) {
  for (std::uint32_t attempt = 0;; ++attempt) {
    const RandomWords words = random_words(name, attempt);
    const double u = 2.0 * unit_interval(words.first) - 1.0;
    const double v = 2.0 * unit_interval(words.second) - 1.0;
    const double s = u * u + v * v;
    if (s > 0.0 && s < 1.0) return u * std::sqrt(-2.0 * log(s) / s);
  }
}

/// A word that looks random and depends on every bit of `word`: the finaliser of SplitMix64.
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
constexpr std::uint64_t mix(std::uint64_t word) {
  word += 0x9E3779B97F4A7C15U;
  word = (word ^ (word >> 30U)) * 0xBF58476D1CE4E5B9U;
  word = (word ^ (word >> 27U)) * 0x94D049BB133111EBU;
  return word ^ (word >> 31U);
}

}  // namespace cubicbench::sim
