#include "support/sha256.h"

#include <bit>
#include <cstring>

namespace cubicbench::support {
namespace {

constexpr std::size_t block_bytes = 64;
using State = std::array<std::uint32_t, 8>;
using Block = std::array<unsigned char, block_bytes>;

/// Fractional parts of the square roots of the first 8 primes [FIPS 180-4, section 5.3.3].
constexpr State initial = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                           0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

/// Fractional parts of the cube roots of the first 64 primes [FIPS 180-4, section 4.2.2].
constexpr std::array<std::uint32_t, 64> round_constants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::array<std::uint32_t, 64> message_schedule(const unsigned char* block) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t t = 0; t < 16; ++t) {
    for (std::size_t byte = 0; byte < 4; ++byte) w[t] = w[t] << 8 | block[4 * t + byte];
  }
  for (std::size_t t = 16; t < 64; ++t) {
    const std::uint32_t x = w[t - 15];
    const std::uint32_t y = w[t - 2];
    const std::uint32_t sigma0 = std::rotr(x, 7) ^ std::rotr(x, 18) ^ (x >> 3);
    const std::uint32_t sigma1 = std::rotr(y, 17) ^ std::rotr(y, 19) ^ (y >> 10);
    w[t] = sigma1 + w[t - 7] + sigma0 + w[t - 16];
  }
  return w;
}

/// One block, with the letters of [FIPS 180-4, section 6.2.2].
void compress(State& state, const unsigned char* block) {
  const auto w = message_schedule(block);
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t t = 0; t < 64; ++t) {
    const std::uint32_t sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t choice = (e & f) ^ (~e & g);
    const std::uint32_t t1 = h + sum1 + choice + round_constants[t] + w[t];
    const std::uint32_t sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + sum0 + majority;
  }
  const State worked = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += worked[i];
}

/// What is left after the whole blocks, then a one bit, zeros, and the length in bits.
void finish(State& state, std::string_view rest, std::uint64_t total_bytes) {
  std::array<unsigned char, 2 * block_bytes> tail{};
  if (!rest.empty()) std::memcpy(tail.data(), rest.data(), rest.size());
  tail[rest.size()] = 0x80;
  const std::size_t used = rest.size() + 9 <= block_bytes ? block_bytes : 2 * block_bytes;
  for (std::size_t byte = 0; byte < 8; ++byte) {
    tail[used - 1 - byte] = static_cast<unsigned char>(total_bytes * 8 >> (8 * byte));
  }
  for (std::size_t at = 0; at < used; at += block_bytes) compress(state, tail.data() + at);
}

std::string hex_of(const State& state) {
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
  Block block;
  while (rest_bytes_ + piece.size() >= block_bytes) {
    const std::size_t taken = block_bytes - rest_bytes_;
    std::memcpy(block.data(), rest_.data(), rest_bytes_);
    std::memcpy(block.data() + rest_bytes_, piece.data(), taken);
    compress(state_, block.data());
    piece.remove_prefix(taken);
    rest_bytes_ = 0;
  }
  if (!piece.empty()) std::memcpy(rest_.data() + rest_bytes_, piece.data(), piece.size());
  rest_bytes_ += piece.size();
}

std::string Sha256::hex() const {
  State state = state_;
  finish(state, {rest_.data(), rest_bytes_}, bytes_);
  return hex_of(state);
}

std::string sha256_hex(std::string_view text) {
  Sha256 hash;
  hash.add(text);
  return hash.hex();
}

}  // namespace cubicbench::support
