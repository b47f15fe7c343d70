#include "search/searchers/sobol_points.h"

#include <algorithm>
#include <bit>

#include "search/searchers/random_stream.h"
#include "sim/base/check.h"

namespace cubicbench::search {
namespace {

// clang-format off
constexpr std::array<SobolDimension, sobol_tabled> table{{
    {3, {1}},
    {7, {1, 3}},
    {11, {1, 3, 1}},
    {13, {1, 1, 1}},
    {19, {1, 1, 3, 3}},
    {25, {1, 3, 5, 13}},
    {37, {1, 1, 5, 5, 17}},
    {41, {1, 1, 5, 5, 5}},
    {47, {1, 1, 7, 11, 19}},
    {55, {1, 1, 5, 1, 1}},
    {59, {1, 1, 1, 3, 11}},
    {61, {1, 3, 5, 5, 31}},
    {67, {1, 3, 3, 9, 7, 49}},
    {91, {1, 1, 1, 15, 21, 21}},
    {97, {1, 3, 1, 13, 27, 49}},
    {103, {1, 1, 1, 15, 7, 5}},
    {109, {1, 3, 1, 15, 13, 25}},
    {115, {1, 1, 5, 5, 19, 61}},
    {131, {1, 3, 7, 11, 23, 15, 103}},
    {137, {1, 3, 7, 13, 13, 15, 69}},
    {143, {1, 1, 3, 13, 7, 35, 63}},
    {145, {1, 3, 5, 9, 1, 25, 53}},
    {157, {1, 3, 1, 13, 9, 35, 107}},
    {167, {1, 3, 1, 5, 27, 61, 31}},
    {171, {1, 1, 5, 11, 19, 41, 61}},
    {185, {1, 3, 5, 3, 3, 13, 69}},
    {191, {1, 1, 7, 13, 1, 19, 1}},
    {193, {1, 3, 7, 5, 13, 19, 59}},
    {203, {1, 1, 3, 9, 25, 29, 41}},
    {211, {1, 3, 5, 13, 23, 1, 55}},
    {213, {1, 3, 7, 3, 13, 59, 17}},
    {229, {1, 3, 1, 3, 5, 53, 69}},
    {239, {1, 1, 5, 5, 23, 33, 13}},
    {241, {1, 1, 7, 7, 1, 61, 123}},
    {247, {1, 1, 7, 9, 13, 61, 49}},
    {253, {1, 3, 3, 5, 3, 55, 33}},
    {285, {1, 3, 1, 15, 31, 13, 49, 245}},
    {299, {1, 3, 5, 15, 31, 59, 63, 97}},
    {301, {1, 3, 1, 11, 11, 11, 77, 249}},
    {333, {1, 3, 1, 11, 27, 43, 71, 9}},
    {351, {1, 1, 7, 15, 21, 11, 81, 45}},
    {355, {1, 3, 7, 3, 25, 31, 65, 79}},
    {357, {1, 3, 1, 1, 19, 11, 3, 205}},
    {361, {1, 1, 5, 9, 19, 21, 29, 157}},
    {369, {1, 3, 7, 11, 1, 33, 89, 185}},
    {391, {1, 3, 3, 3, 15, 9, 79, 71}},
    {397, {1, 3, 7, 11, 15, 39, 119, 27}},
    {425, {1, 1, 3, 1, 11, 31, 97, 225}},
    {451, {1, 1, 1, 3, 23, 43, 57, 177}},
    {463, {1, 3, 7, 7, 17, 17, 37, 71}},
    {487, {1, 3, 1, 5, 27, 63, 123, 213}},
    {501, {1, 1, 3, 5, 11, 43, 53, 133}},
    {529, {1, 3, 5, 5, 29, 17, 47, 173, 479}},
    {539, {1, 3, 3, 11, 3, 1, 109, 9, 69}},
    {545, {1, 1, 1, 5, 17, 39, 23, 5, 343}},
    {557, {1, 3, 1, 5, 25, 15, 31, 103, 499}},
    {563, {1, 1, 1, 11, 11, 17, 63, 105, 183}},
    {601, {1, 1, 5, 11, 9, 29, 97, 231, 363}},
    {607, {1, 1, 5, 15, 19, 45, 41, 7, 383}},
    {617, {1, 3, 7, 7, 31, 19, 83, 137, 221}},
    {623, {1, 1, 1, 3, 23, 15, 111, 223, 83}},
    {631, {1, 1, 5, 13, 31, 15, 55, 25, 161}},
    {637, {1, 1, 3, 13, 25, 47, 39, 87, 257}},
}};
// clang-format on

}  // namespace

const std::array<SobolDimension, sobol_tabled>& sobol_table() { return table; }

SobolPoints::SobolPoints(std::size_t dimensions) : point_(dimensions, 0) {
  SIM_ASSERT(dimensions <= dimensions_max, dimensions);
  for (std::size_t i = 0; i < dimensions; ++i) directions_.push_back(directions_of(i));
}

SobolPoints SobolPoints::scrambled(std::size_t dimensions, std::uint64_t seed) {
  SobolPoints points(dimensions);
  for (std::size_t i = 0; i < dimensions; ++i) {
    scramble(points.directions_[i], seed, i);
    points.point_[i] =
        sim::random_words(search_draw(seed, Stream::scramble, i, std::uint32_t{bits})).first;
  }
  return points;
}

void SobolPoints::next(std::span<std::uint64_t> point) {
  SIM_ASSERT(point.size() == point_.size(), point.size(), point_.size());
  std::copy(point_.begin(), point_.end(), point.begin());
  const auto changed = static_cast<std::size_t>(std::countr_one(number_));
  ++number_;
  if (changed >= bits) return;  // after 2^64 points
  for (std::size_t i = 0; i < point_.size(); ++i) point_[i] ^= directions_[i][changed];
}

/// v_k = m_k / 2^k, and with the polynomial's coefficients 1, a_1, ..., a_(s-1), 1, highest first,
///   v_k = a_1 v_(k-1) + ... + a_(s-1) v_(k-s+1) + v_(k-s) + v_(k-s) / 2^s     (sums are xor).
SobolPoints::Directions SobolPoints::directions_of(std::size_t dimension) {
  Directions v{};
  if (dimension == 0) {
    for (std::size_t k = 0; k < bits; ++k) v[k] = std::uint64_t{1} << (bits - 1 - k);
    return v;
  }
  const SobolDimension& start = sobol_table()[dimension - 1];
  const auto degree = static_cast<std::size_t>(std::bit_width(start.polynomial)) - 1;
  for (std::size_t k = 0; k < degree; ++k) v[k] = std::uint64_t{start.first[k]} << (bits - 1 - k);
  for (std::size_t k = degree; k < bits; ++k) {
    v[k] = v[k - degree] ^ v[k - degree] >> degree;
    for (std::size_t j = 1; j < degree; ++j) {
      if ((start.polynomial >> (degree - j) & 1) != 0) v[k] ^= v[k - j];
    }
  }
  return v;
}

void SobolPoints::scramble(Directions& directions, std::uint64_t seed, std::size_t dimension) {
  Directions scrambled{};
  for (std::uint32_t row = 0; row < bits; ++row) {
    // Bit `row` from the top of the result: itself, and a random choice of the bits above it.
    const std::uint64_t own = std::uint64_t{1} << (bits - 1 - row);
    const std::uint64_t above = ~(own | (own - 1));
    const std::uint64_t chosen =
        own |
        (above & sim::random_words(search_draw(seed, Stream::scramble, dimension, row)).first);
    for (std::size_t k = 0; k < bits; ++k) {
      if (std::popcount(directions[k] & chosen) % 2 != 0) scrambled[k] |= own;
    }
  }
  directions = scrambled;
}

}  // namespace cubicbench::search
