#include "scenarios/problem/seal.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <set>

#include "scenarios/readers/scenario_reader.h"
#include "scenarios/truth/instance.h"
#include "support/input_error.h"
#include "support/sha256.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::scenarios {
namespace {

const std::string salt = "sixteen bytes it";

Scenario sealed_by(const std::string& bytes) {
  Scenario scenario = read_scenario("tiny-gpt", {});
  scenario.seal = std::make_shared<const Seal>(bytes);
  return scenario;
}

double baseline_of(const Scenario& scenario, std::uint64_t number) {
  sim::Workspace workspace;
  return Instance(scenario, number).true_value(scenario.baseline, workspace).value;
}

/// The salt of a file of these bytes.
std::shared_ptr<const Seal> read_from(const std::filesystem::path& path, const std::string& bytes) {
  write_text(path, bytes);
  return read_seal(path);
}

TEST(Seal, IsKnownByTheHashOfItsBytes) {
  EXPECT_EQ(Seal(salt).salt_sha256(), support::sha256_hex(salt));
  const std::string bytes("\0\n and more of these \xff\n", 23);
  const TemporaryFolder folder;
  EXPECT_EQ(read_from(folder / "salt", bytes)->salt_sha256(), support::sha256_hex(bytes));
}

TEST(Seal, NeedsSixteenBytes) {
  const TemporaryFolder folder;
  const std::string path = folder / "salt";
  try {
    read_from(path, "fifteen bytes..");
    ADD_FAILURE() << "no error";
  } catch (const support::InputError& error) {
    EXPECT_EQ(std::string(error.what()), path + ": expected a salt of at least 16 bytes, got 15");
  }
  EXPECT_THROW(read_seal(path + ".none"), support::InputError);
  EXPECT_EQ(read_from(path, salt)->salt_sha256(), support::sha256_hex(salt));
}

TEST(Seal, SeedsDependOnScenarioNumberAndSalt) {
  const std::set<std::uint64_t> seeds{Seal(salt).seed("a", 1), Seal(salt).seed("a", 2),
                                      Seal(salt).seed("b", 1), Seal(salt + "!").seed("a", 1)};
  EXPECT_EQ(seeds.size(), 4U);
  EXPECT_EQ(Seal(salt).seed("a", 1), Seal(salt).seed("a", 1));
  // Nobody who knows the hash alone can draw from it.
  EXPECT_FALSE(seeds.contains(seed_of_text(Seal(salt).salt_sha256())));
}

TEST(Seal, SeedsMembersOfFamiliesByFamilyNumberAttemptAndSalt) {
  const Seal seal(salt);
  EXPECT_EQ(seal.member_seed("f", 3, 1), seed_of_text("cubicbench sealed member\nfamily f\nmember "
                                                      "3\nattempt 1\nsalt " +
                                                      salt));
  const std::set<std::uint64_t> seeds{seal.member_seed("f", 3, 1), seal.member_seed("g", 3, 1),
                                      seal.member_seed("f", 4, 1), seal.member_seed("f", 3, 2),
                                      Seal(salt + "!").member_seed("f", 3, 1)};
  EXPECT_EQ(seeds.size(), 5U);
}

TEST(Seal, ChangesInstancesFromOneOn) {
  const Scenario open = read_scenario("tiny-gpt", {});
  const Scenario sealed = sealed_by(salt);
  for (std::uint64_t number = 1; number < 6; ++number) {
    EXPECT_NE(baseline_of(open, number), baseline_of(sealed, number)) << number;
    EXPECT_NE(baseline_of(sealed_by(salt + "?"), number), baseline_of(sealed, number)) << number;
    EXPECT_EQ(baseline_of(sealed_by(salt), number), baseline_of(sealed, number)) << number;
    EXPECT_EQ(Instance(sealed, number).salt_sha256(), support::sha256_hex(salt));
    EXPECT_EQ(Instance(open, number).salt_sha256(), "");
  }
}

TEST(Seal, LeavesTheNominalInstanceAsItIs) {
  const Scenario open = read_scenario("tiny-gpt", {});
  const Scenario sealed = sealed_by(salt);
  EXPECT_EQ(Instance(sealed, 0).salt_sha256(), "");
  EXPECT_EQ(truth_sha256(Instance(sealed, 0)), truth_sha256(Instance(open, 0)));
  const Configuration baseline = open.space.from_plan(open.baseline).configuration;
  sim::Workspace workspace;
  EXPECT_EQ(Instance(sealed, 0).launch(baseline, 3, workspace).value,
            Instance(open, 0).launch(baseline, 3, workspace).value);
}

TEST(Seal, IsPartOfTheTruthsHash) {
  const std::set<std::string> truths{truth_sha256(Instance(read_scenario("tiny-gpt", {}), 1)),
                                     truth_sha256(Instance(sealed_by(salt), 1)),
                                     truth_sha256(Instance(sealed_by(salt), 2)),
                                     truth_sha256(Instance(sealed_by(salt + "!"), 1))};
  EXPECT_EQ(truths.size(), 4U);
}

}  // namespace
}  // namespace cubicbench::scenarios
