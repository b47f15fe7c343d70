#include "datasets/mapping/recommendation_defaults.h"

#include <algorithm>

#include "datasets/mapping/library.h"
#include "datasets/mapping/measured_json.h"
#include "datasets/mapping/text_match.h"
#include "scenarios/readers/recommendation_reader.h"

namespace cubicbench::datasets {
namespace {

using support::ObjectReader;

constexpr std::int64_t gpus_stated_max = 1 << 20;

AssumedSetting read_assumed(ObjectReader& in) {
  AssumedSetting setting{.name = non_empty(in, "name"), .value = non_empty(in, "value")};
  non_empty(in, "why");
  if (in.has("device")) setting.device = known_device(in);
  setting.accelerators_min = in.integer("accelerators_min", 0, gpus_stated_max, 0);
  if (in.has("notes")) setting.notes = non_empty(in, "notes");
  return setting;
}

KnownTables read_tables(ObjectReader& in) {
  return {.contains = non_empty(in, "contains"),
          .groups = scenarios::read_tables(in, "groups"),
          .sized_by_row = in.boolean("sized_by_row", false)};
}

KnownArchs read_archs(ObjectReader& in) {
  return {.contains = non_empty(in, "contains"),
          .model = scenarios::read_archs(in),
          .hidden_by_row = in.boolean("hidden_by_row", false)};
}

KnownRelease read_release(ObjectReader& in) {
  KnownRelease release;
  int conditions = 0;
  for (const auto& [key, member] :
       {std::pair{"contains", &KnownRelease::contains}, std::pair{"round", &KnownRelease::round},
        std::pair{"notes", &KnownRelease::notes}}) {
    if (!in.has(key)) continue;
    release.*member = non_empty(in, key);
    ++conditions;
  }
  if (conditions != 1) in.problem("contains", "expected one of contains, round and notes");
  release.stack = non_empty(in, "stack");
  return release;
}

KnownNeed read_need(ObjectReader& in) {
  return {.notes = non_empty(in, "notes"), .needs = non_empty(in, "needs")};
}

KnownFramework read_framework(ObjectReader& in) {
  return {.contains = in.string("contains"),
          .stack = non_empty(in, "stack"),
          .releases = read_rules(in.optional_array("releases"), read_release),
          .needs = read_rules(in.optional_array("needs"), read_need),
          .vocabulary_of_each_gpu = in.boolean("vocabulary_of_each_gpu", false),
          .settings = read_each(in.array("settings"), read_assumed)};
}

KnownPrecision read_known_precision(ObjectReader& in) {
  return {.contains = non_empty(in, "contains"),
          .settings = read_each(in.array("settings"), read_assumed)};
}

}  // namespace

const std::string& stack_of(const KnownFramework& framework, std::string_view text,
                            std::string_view round, std::string_view notes) {
  const auto fits = [&](const KnownRelease& release) {
    if (!release.contains.empty()) return contains_any_case(text, release.contains);
    return release.notes.empty() ? release.round == round : contains_any_case(notes, release.notes);
  };
  const auto release = std::ranges::find_if(framework.releases, fits);
  return release == framework.releases.end() ? framework.stack : release->stack;
}

RecommendationDefaults read_recommendation_defaults(std::string_view text,
                                                    const std::string& file) {
  return read_measured_json(
      text, file, "cubicbench.measured_recommendation/1", [](ObjectReader& in) {
        return RecommendationDefaults{
            .tables = read_rules(in.array("tables"), read_tables),
            .archs = read_rules(in.array("archs"), read_archs),
            .frameworks = read_rules(in.array("frameworks"), read_framework),
            .precisions = read_each(in.array("precisions"), read_known_precision)};
      });
}

const RecommendationDefaults& recommendation_defaults() {
  return shipped<read_recommendation_defaults>("recommendation.json");
}

}  // namespace cubicbench::datasets
