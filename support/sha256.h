#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cubicbench::support {

/// SHA-256 of the bytes of `text` as 64 lower-case hexadecimal digits [FIPS 180-4, section 6.2].
std::string sha256_hex(std::string_view text);

/// The same of a text that comes in pieces, such as a file that is larger than memory.
class Sha256 {
 public:
  Sha256();
  void add(std::string_view piece);
  /// Of all pieces so far.
  std::string hex() const;

 private:
  std::array<std::uint32_t, 8> state_;
  std::array<char, 64> rest_{};  ///< bytes that fill no block yet
  std::size_t rest_bytes_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace cubicbench::support
