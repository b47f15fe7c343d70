#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace cubicbench::cli {

/// What every subcommand accepts beside --help.
struct GlobalOptions {
  bool json = false;
  bool quiet = false;
  std::int64_t threads = 0;  ///< 0: all cores
};

void declare_global_options(CLI::App& app);

/// Throws InputError when --threads is no positive integer.
GlobalOptions global_options(const CLI::App& app);

/// Adds an option whose values are read with the functions below. `placeholder` stands for the
/// value in the help text and in "expected ..., got nothing".
CLI::Option* declare_value(CLI::App& app, const std::string& name, const std::string& placeholder,
                           const std::string& description);

/// The same for an argument that is known by its place; `name` is in capitals.
CLI::Option* declare_positional(CLI::App& app, const std::string& name,
                                const std::string& description);

/// The same for any number of arguments in that place.
CLI::Option* declare_positionals(CLI::App& app, const std::string& name,
                                 const std::string& description);

/// Adds an option without a value; ask `app.count(name)`.
void declare_flag(CLI::App& app, const std::string& name, const std::string& description);

/// The value of an option; nothing when it was not given. Throws InputError when it was given
/// more than once.
std::optional<std::string> value_of(const CLI::App& app, const std::string& name);

/// All values of a repeatable option, in order.
std::vector<std::string> values_of(const CLI::App& app, const std::string& name);

/// The words of an option that takes a list: "a,b" twice is a, b, a, b.
std::vector<std::string> words_of(const CLI::App& app, const std::string& name);

/// An integer in [min, max]; nothing when the option was not given. Throws InputError.
std::optional<std::int64_t> integer_of(const CLI::App& app, const std::string& name,
                                       std::int64_t min, std::int64_t max);

/// Those of an option that takes a list. Throws InputError with every word that is none.
std::vector<std::int64_t> integers_of(const CLI::App& app, const std::string& name,
                                      std::int64_t min, std::int64_t max);

/// Reads `args` (without the program's name) into `app` and its subcommands. Returns the help or
/// version text if that was asked for, "" if not. Throws InputError on anything unknown, missing
/// or misplaced.
std::string parse(CLI::App& app, const std::vector<std::string>& args);

}  // namespace cubicbench::cli
