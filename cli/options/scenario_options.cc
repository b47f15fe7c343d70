#include "cli/options/scenario_options.h"

#include "cli/options/readers.h"
#include "support/input_error.h"

namespace cubicbench::cli {

void declare_scenario(Options& options, std::string& name) {
  options.argument("SCENARIO", "A name from the library, or a path with a '/'", name).required();
}

void declare_instance(Options& options, std::uint64_t& instance) {
  options.value("--instance", "K",
                "Which hidden constants: 0 (default) has the nominal\nones, others draw them "
                "within their spread",
                instance, any_index);
}

void declare_set(Options& options, const std::string& changed, std::vector<std::string>& sets) {
  options.values("--set", "NAME=VALUE",
                 "Change " + changed +
                     ", or a field of the problem such as\ncluster.gpus=8192; may be given many "
                     "times",
                 sets);
}

Option& declare_salt(Options& options, std::optional<std::string>& file) {
  return options.value(
      "--salt", "FILE",
      "Draw the hidden constants of instances from 1 on from\nthe bytes of FILE too: only "
      "its SHA-256 is written",
      file, Filled{"FILE"});
}

std::shared_ptr<const scenarios::Seal> seal_of(const std::optional<std::string>& salt) {
  return salt ? scenarios::read_seal(*salt) : nullptr;
}

std::shared_ptr<const scenarios::Seal> seal_of(const std::optional<std::string>& salt,
                                               std::uint64_t instance) {
  std::shared_ptr<const scenarios::Seal> seal = seal_of(salt);
  if (seal && instance == 0) {
    throw support::InputError("--salt",
                              "expected --instance of at least 1 with it, got 0, which has the "
                              "nominal constants, whatever the salt");
  }
  return seal;
}

}  // namespace cubicbench::cli
