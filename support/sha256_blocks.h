#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace cubicbench::support {

inline constexpr std::size_t sha256_block_bytes = 64;

/// The words of the hash [FIPS 180-4, section 6.2].
using Sha256State = std::array<std::uint32_t, 8>;

/// Takes `count` blocks into the state.
using Sha256Blocks = void (*)(Sha256State& state, const unsigned char* blocks, std::size_t count);

/// On any machine.
void portable_sha256_blocks(Sha256State& state, const unsigned char* blocks, std::size_t count);

/// The quickest way on this machine: the same words, several times as fast where the processor has
/// instructions for them.
Sha256Blocks sha256_blocks();

}  // namespace cubicbench::support
