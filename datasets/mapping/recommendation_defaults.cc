#include "datasets/mapping/recommendation_defaults.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "datasets/mapping/library.h"
#include "datasets/mapping/measured_json.h"
#include "datasets/mapping/text_match.h"
#include "scenarios/readers/recommendation_reader.h"
#include "support/json/object_reader.h"
#include "support/json/strict_json.h"

namespace cubicbench::datasets {
namespace {

using support::ObjectReader;
using support::ValueReader;

constexpr std::array<std::string_view, 1> schemas{"cubicbench.measured_recommendation/1"};
constexpr std::string_view shipped = "recommendation.json";

constexpr std::int64_t gpus_max = 1 << 20;

std::string known_device(ObjectReader& in) {
  std::string device = non_empty(in, "device");
  if (!device.empty() && !library().devices.contains(device)) {
    in.problem("device", "expected a device of the library, got \"" + device + "\"");
  }
  return device;
}

std::vector<AssumedSetting> read_settings(ObjectReader& in) {
  std::vector<AssumedSetting> settings;
  for (const ValueReader& entry : in.array("settings")) {
    ObjectReader one = entry.object();
    settings.push_back({.name = non_empty(one, "name"),
                        .value = non_empty(one, "value"),
                        .why = non_empty(one, "why"),
                        .device = one.has("device") ? known_device(one) : std::string(),
                        .accelerators_min = one.integer("accelerators_min", 0, gpus_max, 0)});
    one.finish();
  }
  return settings;
}

KnownTables read_tables(ObjectReader in) {
  KnownTables tables{.contains = non_empty(in, "contains"),
                     .groups = scenarios::read_tables(in, "groups"),
                     .why = non_empty(in, "why")};
  in.finish();
  return tables;
}

KnownArchs read_archs(ObjectReader in) {
  KnownArchs archs{.contains = non_empty(in, "contains"),
                   .model = scenarios::read_archs(in),
                   .why = non_empty(in, "why")};
  in.finish();
  return archs;
}

KnownRelease read_release(ObjectReader in) {
  if (in.has("contains") == in.has("round")) {
    in.problem("contains", "expected one of contains and round");
  }
  KnownRelease release{
      .contains = in.has("contains") ? non_empty(in, "contains") : std::string(),
      .round = in.has("round") ? non_empty(in, "round") : std::string(),
      .stack = non_empty(in, "stack"),
      .why = non_empty(in, "why"),
  };
  in.finish();
  return release;
}

std::vector<KnownRelease> read_releases(ObjectReader& in) {
  std::vector<KnownRelease> releases;
  for (const ValueReader& entry : in.optional_array("releases")) {
    releases.push_back(read_release(entry.object()));
  }
  return releases;
}

KnownFramework read_framework(ObjectReader in) {
  KnownFramework framework{.contains = in.string("contains"),
                           .stack = non_empty(in, "stack"),
                           .releases = read_releases(in),
                           .settings = read_settings(in),
                           .why = non_empty(in, "why")};
  in.finish();
  return framework;
}

KnownPrecision read_precision(ObjectReader in) {
  KnownPrecision precision{.contains = non_empty(in, "contains"), .settings = read_settings(in)};
  in.finish();
  return precision;
}

}  // namespace

const std::string& stack_of(const KnownFramework& framework, std::string_view text,
                            std::string_view round) {
  const auto fits = [&](const KnownRelease& release) {
    return release.contains.empty() ? release.round == round
                                    : contains_any_case(text, release.contains);
  };
  const auto release = std::ranges::find_if(framework.releases, fits);
  return release == framework.releases.end() ? framework.stack : release->stack;
}

RecommendationDefaults read_recommendation_defaults(std::string_view text,
                                                    const std::string& file) {
  const nlohmann::ordered_json json = support::parse_json(text, file);
  std::vector<support::Problem> problems;
  ObjectReader in(json, file, "", problems);
  in.one_of("schema", schemas);
  RecommendationDefaults read;
  for (const ValueReader& entry : in.array("tables")) {
    read.tables.push_back(read_tables(entry.object()));
  }
  for (const ValueReader& entry : in.array("archs")) {
    read.archs.push_back(read_archs(entry.object()));
  }
  for (const ValueReader& entry : in.array("frameworks")) {
    read.frameworks.push_back(read_framework(entry.object()));
  }
  for (const ValueReader& entry : in.array("precisions")) {
    read.precisions.push_back(read_precision(entry.object()));
  }
  in.finish();
  support::throw_if_any(problems);
  return read;
}

const RecommendationDefaults& recommendation_defaults() {
  static const RecommendationDefaults read =
      read_recommendation_defaults(measured_json(shipped), measured_json_path(shipped));
  return read;
}

}  // namespace cubicbench::datasets
