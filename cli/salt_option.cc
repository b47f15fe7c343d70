#include "cli/salt_option.h"

#include <optional>
#include <string>

#include "cli/options.h"
#include "support/input_error.h"

namespace cubicbench::cli {

void declare_salt(CLI::App& app) {
  declare_value(
      app, "--salt", "FILE",
      "Draw the hidden constants of instances from 1 on from\nthe bytes of FILE too: only "
      "its SHA-256 is written");
}

std::shared_ptr<const scenarios::Seal> seal_of(const CLI::App& app) {
  const std::optional<std::string> file = value_of(app, "--salt");
  if (!file) return nullptr;
  if (file->empty()) throw support::InputError("--salt", "expected FILE, got \"\"");
  return scenarios::read_seal(*file);
}

std::shared_ptr<const scenarios::Seal> seal_of(const CLI::App& app, std::uint64_t instance) {
  std::shared_ptr<const scenarios::Seal> seal = seal_of(app);
  if (seal && instance == 0) {
    throw support::InputError("--salt",
                              "expected --instance of at least 1 with it, got 0, which has the "
                              "nominal constants, whatever the salt");
  }
  return seal;
}

}  // namespace cubicbench::cli
