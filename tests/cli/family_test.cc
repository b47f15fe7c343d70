#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/sha256.h"
#include "tests/cli/folder_test.h"
#include "tests/cli/program.h"
#include "tests/datasets/families/tiny_family.h"

namespace cubicbench::cli {
namespace {

using datasets::tiny_family;
using datasets::tiny_member;
using Json = nlohmann::ordered_json;
using testing::HasSubstr;

const std::string bytes = "twenty-six bytes of a salt";

class FamilyCommand : public FolderTest {};

TEST_F(FamilyCommand, DrawsMembersAndWritesThem) {
  const std::string file = path("members.json");
  const Answer answer = ask("family " + tiny_family() + " --members 3 --json --out " + file);
  ASSERT_EQ(answer.code, 0) << answer.err;
  const Json document = Json::parse(answer.out);
  EXPECT_EQ(document["schema"], "cubicbench.members/1");
  EXPECT_EQ(document["family"], "tiny-family");
  ASSERT_EQ(document["members"].size(), 3U);
  EXPECT_EQ(document["members"][2]["name"], "tiny-family@2");
  EXPECT_FALSE(document.contains("transfer"));
  const Json record = Json::parse(read("members.json"));
  EXPECT_EQ(record["schema"], "cubicbench.family-members/1");
  EXPECT_EQ(record["family_sha256"], document["family_sha256"]);
  std::int64_t refused = 0;
  for (const Json& member : record["members"]) {
    for (const auto& [reason, count] : member["refused"].items()) refused += count.get<int>();
    EXPECT_TRUE(member["baseline"].contains("tensor_parallel"));
  }
  std::int64_t said = 0;
  for (const auto& [reason, count] : document["refused"].items()) said += count.get<int>();
  EXPECT_EQ(refused, said);
  EXPECT_EQ(ask("family " + tiny_family() + " --members 3 --json --threads 2").out, answer.out);
}

TEST_F(FamilyCommand, SaysWhatOptimaAreWorthInOtherMembers) {
  const Json document =
      Json::parse(ask("family " + tiny_family() + " --members 3 --transfer --json").out);
  for (const char* share : {"runs", "in_best_1_percent", "in_best_5_percent", "gap_closed",
                            "gap_closed_by_best_of_5"}) {
    EXPECT_GE(document["transfer"][share], 0.0) << share;
    EXPECT_LE(document["transfer"][share], 1.0) << share;
  }
  EXPECT_THAT(ask("family " + tiny_family() + " --members 2 --transfer").out,
              HasSubstr("in_best_1_percent"));
}

TEST_F(FamilyCommand, SaysWhatIsWrong) {
  EXPECT_EQ(ask("family dense-smal").err,
            "dense-smal: unknown family \"dense-smal\"; did you mean \"dense-small\"?\n");
  const Answer answer =
      ask("family " + tiny_family() + " --out " + path("m") + " --salt " + write("salt", bytes));
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err, HasSubstr("--out: expected no --salt beside it"));
}

TEST_F(FamilyCommand, ItsMembersAreSimulatedListedAndSearched) {
  EXPECT_THAT(ask("list families").out, HasSubstr("dense-small"));
  EXPECT_THAT(ask("simulate dense-small@3").out, HasSubstr("dense-small@3"));
  EXPECT_THAT(ask("list parameters moe@2").out, HasSubstr("expert_parallel"));
  const Json simulated = Json::parse(ask("simulate dense-small@3 --json").out);
  EXPECT_EQ(simulated["scenario"], "dense-small@3");
  EXPECT_EQ(simulated["status"], "ok");
  const std::string words = "search " + std::string("dense-small@3 moe@2") +
                            " --searcher random --trials 4 --quiet --out " + path("out");
  ASSERT_EQ(ask(words).code, 0);
  EXPECT_THAT(read("out/journals/dense-small@3.0.random.0.jsonl"), HasSubstr("dense-small@3"));
  EXPECT_EQ(ask(words + " --resume").code, 0);
  EXPECT_EQ(ask("report " + path("out") + " --out " + path("page.html")).code, 0);
  EXPECT_THAT(ask("enumerate " + tiny_member(0)).out, HasSubstr("tiny-family@0"));
}

TEST_F(FamilyCommand, NamesOfMembersThatThereAreNot) {
  EXPECT_EQ(ask("simulate dense-smal@3").err,
            "dense-smal: unknown family \"dense-smal\"; did you mean \"dense-small\"?\n");
  for (const std::string name : {"dense-small@-1", "dense-small@x", "dense-small@"}) {
    const Answer answer = ask("simulate " + name);
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.err,
              name + ": expected FAMILY@K with an integer K >= 0, as in dense-small@3\n");
  }
}

TEST_F(FamilyCommand, SealedMembersAreOtherProblemsOnInstanceZero) {
  const std::string salt = write("salt", bytes);
  const std::string member = tiny_member(1);
  const Json open = Json::parse(ask("simulate " + member + " --json").out);
  const Json sealed = Json::parse(ask("simulate " + member + " --json --salt " + salt).out);
  EXPECT_NE(sealed["scenario_sha256"], open["scenario_sha256"]);
  EXPECT_EQ(sealed["salt_sha256"], support::sha256_hex(bytes));
  const Json valued = Json::parse(ask("enumerate " + member + " --json --salt " + salt).out);
  EXPECT_EQ(valued["scenario_sha256"], sealed["scenario_sha256"]);
  const Answer landscape = ask("landscape " + member + " --rows 100 --json --salt " + salt);
  ASSERT_EQ(landscape.code, 0) << landscape.err;
  EXPECT_EQ(Json::parse(landscape.out)["landscapes"][0]["scenario_sha256"],
            sealed["scenario_sha256"]);
}

TEST_F(FamilyCommand, ASealedSearchIsRepeatedFromItsPlanAndItsSaltAlone) {
  const std::string salt = write("salt", bytes);
  const std::string words = "search dense-small@1 --searcher random --trials 3 --json --out ";
  const Answer asked = ask(words + path("one") + " --salt " + salt);
  ASSERT_EQ(asked.code, 0) << asked.err;
  EXPECT_EQ(ask(words + path("one") + " --resume --salt " + salt).out, asked.out);
  const std::string again =
      "search --plan " + path("one") + "/plan.json --json --out " + path("two");
  EXPECT_THAT(ask(again).err,
              HasSubstr("expected --salt FILE beside the plan: the member is drawn from it"));
  EXPECT_EQ(ask(again + " --salt " + salt).code, 0);
  EXPECT_EQ(files_below(path("one")), files_below(path("two")));
  EXPECT_EQ(ask("report " + path("one") + " --out " + path("page.html")).code, 0);
}

}  // namespace
}  // namespace cubicbench::cli
