#pragma once

// Options that several commands have.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/options.h"
#include "scenarios/problem/seal.h"
#include "scenarios/requirement.h"

namespace cubicbench::cli {

/// What every subcommand accepts beside --help.
struct GlobalOptions {
  bool json = false;
  bool quiet = false;
  int threads = 0;  ///< 0: all cores
};

void declare_global(Options& options, GlobalOptions& asked);

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
                                               const std::string& scenario, std::uint64_t instance);

/// --require EXPR, of which `help` says what it is a condition on.
void declare_requirements(Options& options, const std::string& help,
                          std::vector<scenarios::Requirement>& requirements);

/// A line a condition that `document` does not meet: `--require: EXPR is false: coverage is 0.87`.
/// `of` follows "is false" and says of what, where there are several documents.
std::vector<std::string> noes_of(const std::vector<scenarios::Requirement>& requirements,
                                 const nlohmann::ordered_json& document, std::string_view of = "");

/// --out DIR, a new folder for a page, its figures and their numbers; `name` where --out is taken.
void declare_page(Options& options, std::optional<std::filesystem::path>& out,
                  const char* name = "--out");

}  // namespace cubicbench::cli
