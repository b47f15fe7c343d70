#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/options.h"
#include "scenarios/problem/seal.h"

namespace cubicbench::cli {

/// SCENARIO, which must be there.
void declare_scenario(Options& options, std::string& name);

/// --instance K.
void declare_instance(Options& options, std::uint64_t& instance);

/// --set NAME=VALUE. `changed` is what the command changes beside the problem: "a setting".
void declare_set(Options& options, const std::string& changed, std::vector<std::string>& sets);

/// --salt FILE: instances from 1 on are sealed.
Option& declare_salt(Options& options, std::optional<std::string>& file);

/// The seal that --salt asks for; null without it. Throws InputError.
std::shared_ptr<const scenarios::Seal> seal_of(const std::optional<std::string>& salt);

/// The same of a command that asks for one instance. Throws InputError for `instance` 0 too, which
/// nothing seals.
std::shared_ptr<const scenarios::Seal> seal_of(const std::optional<std::string>& salt,
                                               std::uint64_t instance);

}  // namespace cubicbench::cli
