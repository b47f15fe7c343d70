#include "cli/options/shared_options.h"

#include <nlohmann/json.hpp>

#include "cli/options/readers.h"
#include "scenarios/family/member_name.h"
#include "scenarios/space/condition_tree.h"
#include "support/input_error.h"

namespace cubicbench::cli {

void declare_global(Options& options, GlobalOptions& asked) {
  constexpr std::int64_t threads_max = 4096;
  constexpr int before_others = -2;
  options.help();
  options.flag("--json", "Print one JSON document instead of text", asked.json);
  options.flag("--quiet", "No progress and no notes on standard error", asked.quiet);
  options
      .value("--threads", "N", "Worker threads (default: all); never changes a result",
             asked.threads, Integer{1, threads_max})
      .in_turn(before_others);
}

void declare_scenario(Options& options, std::string& name) {
  options.argument("SCENARIO", "A name from the library, or a path with a '/'", name).required();
}

void declare_instance(Options& options, std::uint64_t& instance) {
  options.value("--instance", "K",
                "Instance: 0 (default) has the nominal hidden constants,\nothers draw theirs "
                "within the stated spread",
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
  return options.value("--salt", "FILE",
                       "Also derive the hidden constants of instances >= 1, and\nmembers of "
                       "families, from the bytes of FILE; only its\nSHA-256 is written",
                       file, Filled{"FILE"});
}

std::shared_ptr<const scenarios::Seal> seal_of(const std::optional<std::string>& salt) {
  return salt ? scenarios::read_seal(*salt) : nullptr;
}

std::shared_ptr<const scenarios::Seal> seal_of(const std::optional<std::string>& salt,
                                               const std::string& scenario,
                                               std::uint64_t instance) {
  std::shared_ptr<const scenarios::Seal> seal = seal_of(salt);
  if (seal && !scenarios::salt_seals(scenario, static_cast<std::int64_t>(instance))) {
    throw support::InputError("--salt",
                              "expected --instance of at least 1 with it, got 0, which has the "
                              "nominal constants, whatever the salt");
  }
  return seal;
}

void declare_requirements(Options& options, const std::string& help,
                          std::vector<scenarios::Requirement>& requirements) {
  const auto read = [](const std::string& text, const std::string& where) {
    try {
      return scenarios::Requirement::parse(text);
    } catch (const scenarios::ConstraintError& error) {
      throw support::InputError(where, in_quotes(text) + ", " + error.what());
    }
  };
  options.values("--require", "EXPR", help, requirements, read);
}

std::vector<std::string> noes_of(const std::vector<scenarios::Requirement>& requirements,
                                 const nlohmann::ordered_json& document, std::string_view of) {
  std::vector<std::string> noes;
  for (const scenarios::Requirement& requirement : requirements) {
    if (requirement.holds(document)) continue;
    const std::string values = requirement.values_text(document);
    noes.push_back("--require: " + requirement.text() + " is false" + std::string(of) +
                   (values.empty() ? "" : ": " + values));
  }
  return noes;
}

void declare_page(Options& options, std::optional<std::filesystem::path>& out, const char* name) {
  options
      .value(name, "DIR", "Also write a page, its figures and their numbers there", out,
             Filled{"DIR"})
      .in_turn(1)
      .writes(Output::new_folder);
}

}  // namespace cubicbench::cli
