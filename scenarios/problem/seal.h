#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace cubicbench::scenarios {

/// Fewest bytes of a salt: 128 bits that nobody guesses, if they are random.
inline constexpr std::size_t salt_bytes_min = 16;

/// The secret that sealed instances are drawn from. Its hash says which it is and nothing else of
/// it: whoever publishes the hash first can show later that the instances were fixed before anybody
/// searched them. The salt itself is asked of nothing and written nowhere.
class Seal {
 public:
  /// Requires at least `salt_bytes_min` bytes.
  explicit Seal(std::string salt);

  /// SHA-256 of the salt's bytes, as `sha256sum FILE` prints it.
  const std::string& salt_sha256() const { return salt_sha256_; }

  /// The seed of instance `number` of a scenario.
  std::uint64_t seed(const std::string& scenario_sha256, std::uint64_t number) const;

  /// The seed of what member `number` of a family is when it is drawn for the `attempt`-th time.
  std::uint64_t member_seed(const std::string& family_sha256, std::uint64_t number,
                            std::uint64_t attempt) const;

 private:
  std::string salt_;
  std::string salt_sha256_;
};

/// The seal whose salt is the bytes of a file, a newline at its end included. Throws InputError
/// when it cannot be read or has fewer than `salt_bytes_min` bytes.
std::shared_ptr<const Seal> read_seal(const std::string& path);

/// The first 64 bits of SHA-256 over a text: what everything random of an instance is drawn from.
std::uint64_t seed_of_text(std::string_view text);

}  // namespace cubicbench::scenarios
