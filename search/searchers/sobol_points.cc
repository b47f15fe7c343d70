#include "search/searchers/sobol_points.h"

#include <algorithm>
#include <bit>

#include "search/searchers/random_stream.h"
#include "search/searchers/sobol_table.h"
#include "sim/base/check.h"

namespace cubicbench::search {

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
