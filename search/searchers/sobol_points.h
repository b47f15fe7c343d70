#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cubicbench::search {

/// The points of a Sobol sequence, one after the other, coordinates in units of 2^-64.
///
/// Any 2^k points from a multiple of 2^k on have exactly one coordinate in each of the intervals
/// [i / 2^k, (i + 1) / 2^k), in every dimension; in several dimensions together they are spread
/// much more evenly than random ones. Points come in the order of Antonov and Saleev, which changes
/// one direction number from point to point: the same points in each block of 2^k, in another
/// order. Source: direction numbers and recurrence from [JoeKuo08], section 2.
///
/// Scrambling keeps that property and makes every single point uniform: the direction numbers of
/// each dimension are multiplied by a random lower triangular binary matrix, and the points shifted
/// (xor) by a random one, Owen scrambling in the form of [HongHickernell03].
class SobolPoints {
 public:
  static constexpr std::size_t dimensions_max = 64;

  /// Points as published, the first one being the origin. Requires dimensions <= dimensions_max.
  explicit SobolPoints(std::size_t dimensions);

  /// Points scrambled by the seed.
  static SobolPoints scrambled(std::size_t dimensions, std::uint64_t seed);

  /// Writes the next point. Requires `dimensions` entries.
  void next(std::span<std::uint64_t> point);

 private:
  static constexpr std::size_t bits = 64;
  using Directions = std::array<std::uint64_t, bits>;  ///< v_1, v_2, ..., the highest bit being 1/2

  static Directions directions_of(std::size_t dimension);
  static void scramble(Directions& directions, std::uint64_t seed, std::size_t dimension);

  std::vector<Directions> directions_;
  std::vector<std::uint64_t> point_;
  std::uint64_t number_ = 0;
};

/// What the direction numbers of one dimension of a Sobol sequence start from.
struct SobolDimension {
  std::uint32_t polynomial = 0;          ///< primitive over GF(2); bit k is the coefficient of x^k
  std::array<std::uint32_t, 9> first{};  ///< m_1, ..., m_s of degree s; odd, m_k < 2^k
};

inline constexpr std::size_t sobol_tabled = 63;

/// Dimensions 2 to 64; the first is the van der Corput sequence and needs no numbers.
/// Source: [JoeKuo08], the set "new-joe-kuo-6", chosen by its authors for even two-dimensional
///         projections.
const std::array<SobolDimension, sobol_tabled>& sobol_table();

}  // namespace cubicbench::search
