#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace cubicbench::search {

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
