#include "scenarios/family/family.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "scenarios/readers/scenario_reader.h"
#include "support/input_error.h"
#include "tests/scenarios/broken_file.h"
#include "tests/text_files.h"

namespace cubicbench::scenarios {
namespace {

using Json = nlohmann::ordered_json;

const std::string tiny = test_scenario("family/tiny-family");

Json member_json(std::uint64_t seed, Audience audience = Audience::everybody) {
  return Json::parse(drawn_member(read_family(tiny), 7, audience, seed).scenario.text);
}

/// What reading a family says that differs from the tiny one at `pointer`.
std::string message_with(const char* pointer, const char* value) {
  Json json = Json::parse(read_text(tiny));
  json[Json::json_pointer(pointer)] = Json::parse(value);
  write("f.json", json.dump());
  try {
    drawn_member(read_family(in_test_folder("f.json")), 0, Audience::everybody, 1);
    return "";
  } catch (const support::InputError& error) {
    const std::string message = error.what();
    return message.substr(message.find('#'));
  }
}

TEST(Family, DrawsADocumentThatIsAScenario) {
  const Json json = member_json(1);
  EXPECT_EQ(json["schema"], "cubicbench.scenario/1");
  EXPECT_EQ(json["name"], "tiny-family@7");
  const int gpus = json["cluster"]["gpus"];
  const int layers = json["workload"]["layers"];
  EXPECT_TRUE(gpus == 8 || gpus == 16);
  EXPECT_TRUE(layers == 8 || layers == 16);
  EXPECT_EQ(json["summary"],
            "Layers: " + std::to_string(layers) + ", GPUs: " + std::to_string(gpus));
  // 100 / 3 is nearest to four steps of eight, two of sixteen: both 32.
  EXPECT_EQ(json["settings"]["global_batch"], 32);
  const Document document = drawn_member(read_family(tiny), 7, Audience::everybody, 1).scenario;
  EXPECT_EQ(document.file, tiny + "@7");
  const Scenario scenario = read_scenario(document, {}, Origin::draft);
  EXPECT_EQ(scenario.name, "tiny-family@7");
  EXPECT_DOUBLE_EQ(scenario.cluster.device.memory.value,
                   json["cluster"]["memory_gib"].get<double>() * 1024 * 1024 * 1024);
}

TEST(Family, DrawsTheSameFromTheSameSeed) {
  std::set<std::string> different;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(member_json(seed), member_json(seed));
    different.insert(member_json(seed).dump());
  }
  EXPECT_GT(different.size(), 15U);
}

TEST(Family, OffersWhatWasDrawn) {
  std::set<std::size_t> sizes;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Json space = member_json(seed)["space"]["parameters"];
    sizes.insert(space.size());
    EXPECT_EQ(space.size() == 5, space.back()["name"] == "offload");
  }
  EXPECT_EQ(sizes, (std::set<std::size_t>{4, 5}));
}

TEST(Family, SealedMembersHaveModelsOfTheirOwn) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    EXPECT_EQ(member_json(seed, Audience::sealed)["workload"]["layers"], 12);
  }
}

TEST(Family, WordsForPeopleAreNotPartOfItsHash) {
  const std::string hash = read_family(tiny).sha256;
  Json json = Json::parse(read_text(tiny));
  json["summary"] = "other words";
  write("f.json", json.dump());
  EXPECT_EQ(read_family(in_test_folder("f.json")).sha256, hash);
  json["accept"]["gain"][0] = 1.5;
  write("f.json", json.dump());
  EXPECT_NE(read_family(in_test_folder("f.json")).sha256, hash);
}

TEST(Family, SaysWhatIsWrong) {
  EXPECT_EQ(message_with("/accept/runs", "[0.5]"), "#/accept/runs: expected [least, most]");
  EXPECT_EQ(message_with("/accept/gain", "[2, 1]"),
            "#/accept/gain: expected the least before the most");
  EXPECT_EQ(message_with("/scenario/name", "\"x\""),
            "#/scenario/name: expected none: members have one of their own");
  EXPECT_EQ(message_with("/scenario/cluster/gpus", R"({"$": "gpu"})"),
            "#/scenario/cluster/gpus: expected a value that is drawn before, got \"gpu\"; did you "
            "mean \"gpus\"?");
  EXPECT_EQ(message_with("/drow", "[]"), "#/drow: unknown key; did you mean \"draw\"?");
}

TEST(Family, OfTheLibraryAreReadByName) {
  EXPECT_EQ(read_family("dense-small").file, "scenarios/families/dense-small.json");
  try {
    read_family("dense-smal");
    ADD_FAILURE();
  } catch (const support::InputError& error) {
    EXPECT_STREQ(error.what(),
                 "dense-smal: unknown family \"dense-smal\"; did you mean \"dense-small\"?");
  }
}

/// Every value of a list "public" or "sealed" of the family files that has `key`.
std::set<std::string> values_of(const char* list, const char* key) {
  std::set<std::string> values;
  for (const Entry& entry : names(Kind::family)) {
    const Json json = Json::parse(*text(Kind::family, entry.name));
    for (const Json& draw : json["draw"]) {
      if (!draw.contains("one_of") || !draw["one_of"].is_object()) continue;
      if (!draw["one_of"].contains(list)) continue;
      for (const Json& value : draw["one_of"][list]) {
        if (value.contains(key)) values.insert(value[key].dump());
      }
    }
  }
  return values;
}

TEST(Family, SealedAndPublicCatalogsOfTheLibraryHaveNothingInCommon) {
  for (const char* key : {"shape", "device", "interaction"}) {
    const std::set<std::string> open = values_of("public", key);
    const std::set<std::string> sealed = values_of("sealed", key);
    EXPECT_GE(open.size(), 3U) << key;
    EXPECT_GE(sealed.size(), 3U) << key;
    std::set<std::string> both;
    std::ranges::set_intersection(open, sealed, std::inserter(both, both.end()));
    EXPECT_TRUE(both.empty()) << key << ": " << *both.begin();
  }
}

}  // namespace
}  // namespace cubicbench::scenarios
