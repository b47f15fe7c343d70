#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "support/files.h"
#include "support/sha256.h"
#include "tests/cli/folder_test.h"
#include "tests/cli/program.h"

namespace cubicbench::cli {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;

const std::string salt_bytes = "twenty-six bytes of a salt";

class Salt : public FolderTest {
 protected:
  std::string salt_file(const std::string& content = salt_bytes) const {
    return write("salt", content);
  }
};

TEST_F(Salt, SimulateSaysTheHashOfASealedInstance) {
  const std::string words = "simulate tiny-llama --instance 2 --salt " + salt_file();
  const Answer answer = ask(words + " --json");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const Json document = Json::parse(answer.out);
  EXPECT_EQ(document["instance"], 2);
  EXPECT_EQ(document["salt_sha256"], support::sha256_hex(salt_bytes));
  const Json open = Json::parse(ask("simulate tiny-llama --instance 2 --json").out);
  EXPECT_FALSE(open.contains("salt_sha256"));
  EXPECT_FALSE(open.contains("instance"));
  EXPECT_NE(document["step_time_s"], open["step_time_s"]);
  EXPECT_EQ(document["scenario_sha256"], open["scenario_sha256"]);
  EXPECT_THAT(answer.out, Not(HasSubstr(salt_bytes)));
  const std::string text = ask(words).out;
  EXPECT_THAT(text, HasSubstr("sealed by the salt"));
  EXPECT_THAT(text, HasSubstr(support::sha256_hex(salt_bytes)));
}

TEST_F(Salt, OfASearchMayComeThroughAPipe) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  const support::FileDescriptor out(ends[0]);
  {
    const support::FileDescriptor in(ends[1]);
    ASSERT_TRUE(support::write_all(in.get(), salt_bytes));
  }
  const Answer answer =
      ask("search tiny-llama --instances 2 --searcher random --trials 2 --quiet --out " +
          path("s") + " --salt /dev/fd/" + std::to_string(out.get()));
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(read("s/plan.json"), HasSubstr(support::sha256_hex(salt_bytes)));
}

TEST_F(Salt, EnumerateSaysTheHashOfASealedInstance) {
  const std::string words = "enumerate tiny-llama --instance 2";
  const std::string salted = words + " --salt " + salt_file();
  const Json document = Json::parse(ask(salted + " --json").out);
  const Json open = Json::parse(ask(words + " --json").out);
  EXPECT_EQ(document["salt_sha256"], support::sha256_hex(salt_bytes));
  EXPECT_FALSE(open.contains("salt_sha256"));
  EXPECT_NE(document["truth_sha256"], open["truth_sha256"]);
  const std::string text = ask(salted).out;
  EXPECT_THAT(text, HasSubstr("sealed by the salt with SHA-256"));
  EXPECT_THAT(text, HasSubstr("--instance 2 --salt "));
  EXPECT_EQ(ask("enumerate tiny-llama --salt " + salt_file()).code, 2);

  // Shards of different salts are of different enumerations.
  const std::string one = path("shard1");
  const std::string two = path("shard2");
  ASSERT_EQ(ask(salted + " --shard 1/2 --out " + one).code, 0);
  ASSERT_EQ(ask(salted + " --shard 2/2 --out " + two).code, 0);
  const std::string merge = "merge " + one + " " + two + " --json --out " + path("whole");
  EXPECT_EQ(Json::parse(ask(merge).out), document);
  ASSERT_EQ(ask(words + " --shard 2/2 --out " + two).code, 0);
  EXPECT_THAT(ask(merge).err, HasSubstr("got one with another salt_sha256"));
}

TEST_F(Salt, IsRefusedWhereItCannotSeal) {
  const std::string salt = salt_file();
  EXPECT_EQ(ask("simulate tiny-llama --salt " + salt).err,
            "--salt: expected --instance of at least 1 with it, got 0, which has the nominal "
            "constants, whatever the salt\n");
  EXPECT_EQ(ask("simulate tiny-llama --instance 1 --salt=").err,
            "--salt: expected FILE, got nothing\n");
  EXPECT_EQ(ask("simulate tiny-llama --instance 1 --salt " + salt + ".none").err,
            salt + ".none: expected a file, got none\n");
  const std::string search = "search tiny-llama --searcher random --trials 2 --out " + path("x");
  EXPECT_EQ(ask(search + " --salt " + salt).err,
            "--salt: expected --instances of at least 2 with it, got 1: instance 0 has the nominal "
            "constants, whatever the salt\n");
  EXPECT_EQ(
      ask("search nanotron-3.57b-64gpu --searcher random --out " + path("x") + " --salt " + salt)
          .err,
      "--salt: expected none with a backend that is no simulator\n");
  const Answer brief = ask(search + " --instances 2 --salt " + salt_file("fifteen bytes.."));
  EXPECT_EQ(brief.code, 2);
  EXPECT_EQ(brief.err, salt + ": expected a salt of at least 16 bytes, got 15\n");
  EXPECT_FALSE(std::filesystem::exists(path("x")));
}

TEST_F(Salt, ASealedSearchIsRepeatedFromItsPlanAndItsSaltAlone) {
  const std::string salt = salt_file();
  const std::string first = path("first");
  const std::string second = path("second");
  const Answer asked = ask("search tiny-llama --searcher random --trials 4 --instances 3 --salt " +
                           salt + " --json --out " + first);
  ASSERT_EQ(asked.code, 0) << asked.err;
  const std::string again = "search --plan " + first + "/plan.json --json --out " + second;
  const Answer without = ask(again);
  EXPECT_EQ(without.code, 2);
  EXPECT_EQ(without.err, "--salt: expected the file with SHA-256 " +
                             support::sha256_hex(salt_bytes) + ", got nothing\n");
  EXPECT_EQ(ask(again + " --salt " + salt).out, asked.out);
  // Another salt cannot go on.
  const std::string other = write("other", salt_bytes + "!");
  const Answer resumed =
      ask("search tiny-llama --searcher random --trials 4 --instances 3 --salt " + other +
          " --resume --out " + first);
  EXPECT_EQ(resumed.code, 2);
  EXPECT_THAT(resumed.err, HasSubstr("plan.json#/salt_sha256: expected \""));
}

TEST(Numeric, SimulateSaysWhatDivergesAndStillTheTimeOfTheStep) {
  const std::string words =
      "simulate ads-73b --set truth.numeric=assumed-2026 --set dtype=fp8 --json --instance ";
  int diverged = 0;
  for (int instance = 0; instance < 20; ++instance) {
    const Json document = Json::parse(ask(words + std::to_string(instance)).out);
    EXPECT_EQ(document["status"], "ok");
    EXPECT_TRUE(document["step_time_s"].is_number());
    if (document["why"].is_null()) {
      EXPECT_TRUE(document["objective"]["value"].is_number());
      continue;
    }
    ++diverged;
    EXPECT_TRUE(document["objective"]["value"].is_null());
    EXPECT_THAT(document["why"].get<std::string>(), HasSubstr("training diverges with "));
    EXPECT_THAT(document["why"].get<std::string>(), HasSubstr("truth.numeric is assumed-2026"));
  }
  EXPECT_GT(diverged, 0);
  EXPECT_LT(diverged, 20);
}

}  // namespace
}  // namespace cubicbench::cli
