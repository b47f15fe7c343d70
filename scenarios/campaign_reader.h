#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cubicbench::scenarios {

/// One search of a campaign: every searcher on the scenario, with `seeds` seeds on each of
/// `instances` instances.
struct CampaignStudies {
  std::string name;      ///< of its folder below the campaign's: "search" unless said
  std::string scenario;  ///< a name of the library, or a path from the working folder
  std::vector<std::string> searchers;
  std::int64_t trials = 0;  ///< launches a study
  std::int64_t seeds = 1;
  std::int64_t instances = 1;
  std::int64_t slots = 1;

  bool operator==(const CampaignStudies&) const = default;
};

/// Searches and the figures that are drawn from them: what one command makes from end to end.
struct Campaign {
  std::string name;
  std::string summary;
  std::vector<CampaignStudies> studies;
  std::vector<std::string> figures;  ///< "fig2a"

  bool operator==(const Campaign&) const = default;
};

/// Bounds of a study, the same for a campaign and for the options of `search`.
inline constexpr std::int64_t trials_max = 1'000'000'000;
inline constexpr std::int64_t seeds_max = 1'000'000;
inline constexpr std::int64_t instances_max = 1'000'000;
inline constexpr std::int64_t slots_max = 65'536;

/// Reads a campaign by its name in the library, or by path when the text holds a '/'. Searchers are
/// not looked up here: this room does not know them. Throws InputError with every problem found.
Campaign read_campaign(const std::string& name_or_path);

/// The names of the figures that a campaign may ask for.
std::vector<std::string> figure_names();

}  // namespace cubicbench::scenarios
