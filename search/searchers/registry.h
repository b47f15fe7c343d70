#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/space/search_space.h"
#include "search/searchers/searcher.h"

namespace cubicbench::search {

/// What a searcher is made from.
struct SearchContext {
  const scenarios::SearchSpace& space;  ///< must outlive the searcher; holds a configuration
  std::uint64_t seed = 0;
  std::int64_t trials = 1;  ///< the study's budget of launches
  /// What the study launches as its trial 0 by itself and tells before it asks, if it grants it.
  std::optional<scenarios::Configuration> baseline{};
  /// The problem's name, by which `portfolio` leaves out the problem's own optimum.
  std::string problem{};
};

/// A searcher as it was asked for: NAME or NAME:OPTION=VALUE:..., options checked and defaults
/// filled in.
struct SearcherSpec {
  std::string text;  ///< as it was typed; of a command with an absolute path a hash
  std::string name;  ///< in the registry, or one of the two below
  std::vector<std::pair<std::string, double>> options;  ///< in the order of the registry
  std::string command{};  ///< of an external one; "" where only its hash is known

  bool operator==(const SearcherSpec&) const = default;
};

/// The value of an option. Requires that the searcher has it.
double option_of(const SearcherSpec& spec, std::string_view option);

struct SearcherOption {
  std::string_view name;
  double otherwise = 0.0;  ///< the default
  double min = 0.0;
  double max = 0.0;
  bool integer = true;
  std::string_view summary;
  std::optional<double> in_paper{};  ///< the default where the option `paper` is 1
};

/// A bound of the option as it is typed.
std::string bound_text(const SearcherOption& option, double bound);

constexpr SearcherOption integer_option(std::string_view name, double otherwise, double min,
                                        double max, std::string_view summary) {
  return {name, otherwise, min, max, true, summary};
}
constexpr SearcherOption number_option(std::string_view name, double otherwise, double min,
                                       double max, std::string_view summary) {
  return {name, otherwise, min, max, false, summary};
}
/// The same with another default where the option `paper` is 1.
constexpr SearcherOption in_paper(double otherwise, SearcherOption option) {
  option.in_paper = otherwise;
  return option;
}

struct SearcherEntry {
  std::string_view name;
  std::string_view summary;
  std::span<const SearcherOption> options{};
  std::unique_ptr<Searcher> (*make)(const SearcherSpec& spec, const SearchContext& context);
  bool is_check = false;        ///< checks the bench and need not keep all that searchers keep
  bool launches_short = false;  ///< needs a backend that runs a share of a job's steps
  bool needs_known = false;     ///< proposes nothing but what a warm start tells
};

/// Every searcher that ships, sorted by name.
std::span<const SearcherEntry> searchers();

/// Does it need a backend that runs a share of a job's steps? No searcher outside needs one.
bool launches_short(const SearcherSpec& spec);

/// Does it propose nothing but what a warm start tells?
bool needs_known(const SearcherSpec& spec);

/// Reads "evolution:population=50:sample=10". Throws InputError at `where`, with a suggestion for a
/// name or option that is close.
SearcherSpec parse_searcher(std::string_view text, const std::string& where);

/// A program that is asked and told [search/external/external_searcher.h]: "external:CMD".
bool is_external(const SearcherSpec& spec);

/// One that is not ours to ask: a program or an agent that drives a study by itself, under a name
/// that no shipped searcher has. Throws InputError at `where` for a name with other characters than
/// [a-z0-9-], or one that is taken.
SearcherSpec outside_searcher(std::string_view name, const std::string& where);
bool is_outside(const SearcherSpec& spec);
/// The name of one in a plan that was written.
bool is_outside_name(std::string_view text);

/// The searcher of a plan that was written: also one that cannot be run from it, which is external
/// and only known by its hash, or outside.
SearcherSpec recorded_searcher(std::string_view text, const std::string& where);

/// "random,evolution:sample=5" in words. The command of an external searcher may hold commas: a
/// comma ends it only before the name of another searcher.
std::vector<std::string> searcher_words(std::string_view list);

/// Requires a searcher of the registry.
std::unique_ptr<Searcher> make_searcher(const SearcherSpec& spec, const SearchContext& context);

/// The searcher in a file name: its text where that has only [a-z0-9-], else its slug, '-' and the
/// first 8 hex digits of its SHA-256 [docs/reference/search-folder.md].
std::string searcher_slug(std::string_view text);

}  // namespace cubicbench::search
