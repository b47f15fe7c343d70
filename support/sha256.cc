#include "support/sha256.h"

#include <algorithm>
#include <cstring>

#include "support/sha256_blocks.h"

namespace cubicbench::support {
namespace {

constexpr std::size_t block_bytes = sha256_block_bytes;
using State = Sha256State;

/// Fractional parts of the square roots of the first 8 primes [FIPS 180-4, section 5.3.3].
constexpr State initial = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                           0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

/// What is left after the whole blocks, then a one bit, zeros, and the length in bits.
void finish(State& state, std::string_view rest, std::uint64_t total_bytes) {
  std::array<unsigned char, 2 * block_bytes> tail{};
  if (!rest.empty()) std::memcpy(tail.data(), rest.data(), rest.size());
  tail[rest.size()] = 0x80;
  const std::size_t used = rest.size() + 9 <= block_bytes ? block_bytes : 2 * block_bytes;
  for (std::size_t byte = 0; byte < 8; ++byte) {
    tail[used - 1 - byte] = static_cast<unsigned char>(total_bytes * 8 >> (8 * byte));
  }
  sha256_blocks()(state, tail.data(), used / block_bytes);
}

const unsigned char* bytes_of(const char* text) {
  return reinterpret_cast<const unsigned char*>(text);
}

std::string digest_text(const State& state) {
  std::string hex;
  for (const std::uint32_t word : state) {
    for (int shift = 28; shift >= 0; shift -= 4) hex += "0123456789abcdef"[word >> shift & 15];
  }
  return hex;
}

}  // namespace

Sha256::Sha256() : state_(initial) {}

void Sha256::add(std::string_view piece) {
  bytes_ += piece.size();
  if (rest_bytes_ > 0) {
    const std::size_t taken = std::min(block_bytes - rest_bytes_, piece.size());
    std::memcpy(rest_.data() + rest_bytes_, piece.data(), taken);
    piece.remove_prefix(taken);
    rest_bytes_ += taken;
    if (rest_bytes_ < block_bytes) return;
    sha256_blocks()(state_, bytes_of(rest_.data()), 1);
    rest_bytes_ = 0;
  }
  const std::size_t whole = piece.size() / block_bytes;
  sha256_blocks()(state_, bytes_of(piece.data()), whole);
  piece.remove_prefix(whole * block_bytes);
  if (!piece.empty()) std::memcpy(rest_.data(), piece.data(), piece.size());
  rest_bytes_ = piece.size();
}

std::string Sha256::hex() const {
  State state = state_;
  finish(state, {rest_.data(), rest_bytes_}, bytes_);
  return digest_text(state);
}

std::string sha256_hex(std::string_view text) {
  Sha256 hash;
  hash.add(text);
  return hash.hex();
}

}  // namespace cubicbench::support
