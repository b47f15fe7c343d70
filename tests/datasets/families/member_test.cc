#include "datasets/families/member.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "datasets/families/member_record.h"
#include "datasets/problem/table_scenario.h"
#include "scenarios/catalog.h"
#include "scenarios/evaluation/evaluate.h"
#include "support/input_error.h"
#include "tests/datasets/families/tiny_family.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Scenario;
using scenarios::Seal;
using testing::HasSubstr;

std::string message_of(const std::string& name) {
  try {
    read_scenario(name);
    return "";
  } catch (const support::InputError& error) {
    return error.what();
  }
}

TEST(Member, IsAScenarioLikeAnyOther) {
  const Scenario scenario = read_scenario(tiny_member(3));
  EXPECT_EQ(scenario.name, "tiny-family@3");
  EXPECT_EQ(scenario.sha256.size(), 64U);
  EXPECT_FALSE(scenario.is_sealed_member);
  EXPECT_TRUE(scenario.space.from_plan(scenario.baseline).in_space());
  sim::Workspace workspace;
  const scenarios::Instance instance(scenario, 0);
  EXPECT_EQ(instance.true_value(scenario.baseline, workspace).reason, scenarios::Reason::none);
}

TEST(Member, IsTheSameForEverybody) {
  std::set<std::string> different;
  for (int number = 0; number < 6; ++number) {
    const std::string sha256 = read_scenario(tiny_member(number)).sha256;
    EXPECT_EQ(read_scenario(tiny_member(number)).sha256, sha256);
    different.insert(sha256);
  }
  EXPECT_EQ(different.size(), 6U);
}

TEST(Member, DoesNotDependOnThreads) {
  const scenarios::Family family = scenarios::read_family(tiny_family());
  EXPECT_EQ(made_member(family, 2, nullptr, 1).member.document.text,
            made_member(family, 2, nullptr, 2).member.document.text);
}

TEST(Member, TakesOverrides) {
  const std::vector<std::string> sets{"cluster.memory_gib=79", "micro_batch=2"};
  const Scenario changed = read_scenario(tiny_member(0), sets);
  EXPECT_DOUBLE_EQ(changed.cluster.device.memory.value, 79.0 * 1024 * 1024 * 1024);
  EXPECT_EQ(changed.baseline.micro_batch, 2);
  EXPECT_NE(changed.sha256, read_scenario(tiny_member(0)).sha256);
}

TEST(Member, WithASaltIsAnotherWithAModelThatNoOtherHas) {
  const auto seal = std::make_shared<const Seal>("sixteen bytes or more");
  const auto other = std::make_shared<const Seal>("sixteen bytes or less");
  for (int number = 0; number < 4; ++number) {
    const Scenario sealed = read_scenario(tiny_member(number), {}, seal);
    EXPECT_TRUE(sealed.is_sealed_member);
    EXPECT_EQ(std::get<sim::Transformer>(sealed.workload).layers, 12);
    EXPECT_NE(std::get<sim::Transformer>(read_scenario(tiny_member(number)).workload).layers, 12);
    EXPECT_EQ(sealed.sha256, read_scenario(tiny_member(number), {}, seal).sha256);
    EXPECT_NE(sealed.sha256, read_scenario(tiny_member(number), {}, other).sha256);
  }
  const Scenario sealed = read_scenario(tiny_member(0), {}, seal);
  EXPECT_EQ(scenarios::Instance(sealed, 0).salt_sha256(), seal->salt_sha256());
}

TEST(Member, SaysWhatIsWrongWithItsName) {
  EXPECT_EQ(message_of("dense-smal@3"),
            "dense-smal: unknown family \"dense-smal\"; did you mean \"dense-small\"?");
  EXPECT_THAT(message_of("dense-small@-1"), HasSubstr("expected FAMILY@K with an integer K >= 0"));
  EXPECT_THAT(message_of("dense-small@x"), HasSubstr("expected FAMILY@K with an integer K >= 0"));
  EXPECT_THAT(message_of("./none.json@1"), HasSubstr("./none.json: expected a file, got none"));
}

TEST(Member, OfTheLibraryIsThatOfItsRecord) {
  for (const scenarios::Entry& entry : scenarios::names(scenarios::Kind::family)) {
    SCOPED_TRACE(entry.name);
    const scenarios::Family family = scenarios::read_family(entry.name);
    ASSERT_GE(recorded_members(family), 32U);
    // The first one of them that took few draws is made again.
    for (std::uint64_t number = 0; number < 32; ++number) {
      const auto recorded = recorded_member(family, number);
      ASSERT_TRUE(recorded);
      if (recorded->attempt > 1) continue;
      const Member made = made_member(family, number, nullptr, 0).member;
      EXPECT_EQ(made.attempt, recorded->attempt);
      EXPECT_EQ(made.refused, recorded->refused);
      EXPECT_EQ(made.document.text, recorded->document.text);
      EXPECT_EQ(made.properties.gain, recorded->properties.gain);
      break;
    }
  }
}

TEST(Member, OfTheLibraryRunsItsBaselineInItsSpace) {
  for (const scenarios::Entry& entry : scenarios::names(scenarios::Kind::family)) {
    for (int number = 0; number < 32; number += 5) {
      const std::string name = entry.name + "@" + std::to_string(number);
      SCOPED_TRACE(name);
      const Scenario scenario = read_scenario(name);
      EXPECT_EQ(scenario.name, name);
      EXPECT_GE(scenario.space.count(), 100'000U);
      EXPECT_LE(scenario.space.count(), 1'000'000'000U);
      sim::Workspace workspace;
      EXPECT_EQ(scenarios::Instance(scenario, 0).true_value(scenario.baseline, workspace).reason,
                scenarios::Reason::none);
    }
  }
}

TEST(MemberRecord, KeepsWhatWasMade) {
  const scenarios::Family family = scenarios::read_family(tiny_family());
  EXPECT_FALSE(recorded_member(family, 0));  // only families that ship have one
  const Member made = made_member(family, 0, nullptr, 1).member;
  const auto json = member_record_json(family, {made});
  EXPECT_EQ(json["schema"], "cubicbench.family-members/1");
  EXPECT_EQ(json["family_sha256"], family.sha256);
  EXPECT_EQ(json["members"][0]["attempt"], made.attempt);
  EXPECT_EQ(member_document(family, 0, made.attempt, made.baseline).text, made.document.text);
}

}  // namespace
}  // namespace cubicbench::datasets
