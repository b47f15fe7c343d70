#pragma once

#include <cstdint>
#include <memory>

#include "scenarios/problem/seal.h"

namespace CLI {
class App;
}

namespace cubicbench::cli {

/// Adds --salt FILE: instances from 1 on are sealed.
void declare_salt(CLI::App& app);

/// The seal that the command line asks for; null without --salt. Throws InputError.
std::shared_ptr<const scenarios::Seal> seal_of(const CLI::App& app);

/// The same of a command that asks for one instance. Throws InputError for `instance` 0 too, which
/// nothing seals.
std::shared_ptr<const scenarios::Seal> seal_of(const CLI::App& app, std::uint64_t instance);

}  // namespace cubicbench::cli
