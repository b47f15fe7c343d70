#include "scenarios/problem/seal.h"

#include <charconv>
#include <utility>

#include "sim/base/check.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/sha256.h"

namespace cubicbench::scenarios {

std::uint64_t seed_of_text(std::string_view text) {
  const std::string hash = support::sha256_hex(text);
  std::uint64_t seed = 0;
  std::from_chars(hash.data(), hash.data() + 16, seed, 16);
  return seed;
}

Seal::Seal(std::string salt) : salt_(std::move(salt)), salt_sha256_(support::sha256_hex(salt_)) {
  SIM_ASSERT(salt_.size() >= salt_bytes_min, salt_.size());
}

std::uint64_t Seal::seed(const std::string& scenario_sha256, std::uint64_t number) const {
  return seed_of_text("cubicbench sealed instance\nscenario " + scenario_sha256 + "\ninstance " +
                      std::to_string(number) + "\nsalt " + salt_);
}

std::uint64_t Seal::member_seed(const std::string& family_sha256, std::uint64_t number,
                                std::uint64_t attempt) const {
  return seed_of_text("cubicbench sealed member\nfamily " + family_sha256 + "\nmember " +
                      std::to_string(number) + "\nattempt " + std::to_string(attempt) + "\nsalt " +
                      salt_);
}

std::shared_ptr<const Seal> read_seal(const std::string& path) {
  std::string salt = support::read_file(path);
  if (salt.size() < salt_bytes_min) {
    throw support::InputError(path, "expected a salt of at least " +
                                        std::to_string(salt_bytes_min) + " bytes, got " +
                                        std::to_string(salt.size()));
  }
  return std::make_shared<const Seal>(std::move(salt));
}

}  // namespace cubicbench::scenarios
