#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "scenarios/readers/scenario_reader.h"
#include "search/folder/campaign.h"
#include "search/folder/plan_reader.h"
#include "search/journal/journal.h"
#include "search/journal/truth_line.h"
#include "support/input_error.h"
#include "support/sha256.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::search {
namespace {

using testing::HasSubstr;

const std::string salt = "a salt of 24 bytes in all";
const std::string salt_sha256 = support::sha256_hex(salt);

void seal(SearchPlan& plan, const std::string& bytes) {
  const auto made = std::make_shared<const scenarios::Seal>(bytes);
  plan.salt_sha256 = made->salt_sha256();
  for (scenarios::Scenario& scenario : plan.scenarios) scenario.seal = made;
}

SearchPlan open_plan() {
  SearchPlan plan;
  plan.scenarios.push_back(scenarios::read_scenario("tiny-llama"));
  plan.searchers.push_back(parse_searcher("random", "--searcher"));
  plan.trials = 5;
  plan.instances = 3;
  return plan;
}

SearchPlan sealed_plan(const std::string& bytes = salt) {
  SearchPlan plan = open_plan();
  seal(plan, bytes);
  return plan;
}

SearchRun into(const std::filesystem::path& out, bool resume = false) {
  SearchRun run;
  run.out = out;
  run.resume = resume;
  run.threads = 2;
  return run;
}

std::string message_of(const SearchPlan& plan, const SearchRun& run) {
  try {
    run_search(plan, run);
  } catch (const support::InputError& error) {
    return error.what();
  }
  return "";
}

std::string journal_of(int instance) {
  return "journals/tiny-llama." + std::to_string(instance) + ".random.0.jsonl";
}

TEST(SealedSearch, SaysTheHashAndNeverTheSalt) {
  const TemporaryFolder folder;
  run_search(sealed_plan(), into(folder / "out"));
  auto files = files_below(folder / "out");
  ASSERT_EQ(files.size(), 8U);
  EXPECT_EQ(files.at("finished.json").find(salt), std::string::npos);
  files.erase("finished.json");
  for (const auto& [name, text] : files) {
    EXPECT_EQ(text.find(salt), std::string::npos) << name;
    const bool nominal = name.find(".0.random") != std::string::npos;
    EXPECT_EQ(text.find(salt_sha256) == std::string::npos, nominal) << name;
  }
  EXPECT_THAT(files.at("plan.json"),
              HasSubstr("\"instances\": 3,\n  \"salt_sha256\": \"" + salt_sha256 + "\",\n"));
  EXPECT_THAT(files.at(journal_of(1)),
              HasSubstr("\"instance\":1,\"salt_sha256\":\"" + salt_sha256 + "\",\"searcher\":"));
  EXPECT_THAT(files.at("truth/tiny-llama.2.random.0.jsonl"),
              HasSubstr("\"instance\":2,\"salt_sha256\":\"" + salt_sha256 + "\"}\n"));
}

TEST(SealedSearch, LeavesInstanceZeroAsItIs) {
  const TemporaryFolder folder;
  run_search(sealed_plan(), into(folder / "sealed"));
  run_search(open_plan(), into(folder / "open"));
  auto sealed = files_below(folder / "sealed");
  auto open = files_below(folder / "open");
  EXPECT_EQ(sealed.at(journal_of(0)), open.at(journal_of(0)));
  EXPECT_NE(sealed.at(journal_of(1)), open.at(journal_of(1)));
  EXPECT_EQ(open.at("plan.json").find("salt"), std::string::npos);
  EXPECT_EQ(open.at(journal_of(1)).find("salt"), std::string::npos);
}

TEST(SealedSearch, IsReadBack) {
  const TemporaryFolder folder;
  run_search(sealed_plan(), into(folder / "out"));
  EXPECT_EQ(read_journal(folder / "out" / journal_of(1)).header.salt_sha256, salt_sha256);
  EXPECT_EQ(read_journal(folder / "out" / journal_of(0)).header.salt_sha256, "");
  EXPECT_EQ(read_truth(folder / "out/truth/tiny-llama.1.random.0.jsonl").header.salt_sha256,
            salt_sha256);
  EXPECT_EQ(read_asked_search(folder / "out/plan.json").salt_sha256, salt_sha256);
  EXPECT_EQ(read_plan((folder / "out/plan.json").string()).salt_sha256, salt_sha256);
}

TEST(SealedSearch, ResumesWithItsSaltOnly) {
  const TemporaryFolder folder;
  run_search(sealed_plan(), into(folder / "out"));
  const auto whole = files_below(folder / "out");
  const std::string half = whole.at(journal_of(2));
  write_text(folder / "out" / journal_of(2), half.substr(0, half.size() / 2));
  EXPECT_THAT(message_of(sealed_plan(salt + "!"), into(folder / "out", true)),
              HasSubstr("plan.json#/salt_sha256: expected \""));
  EXPECT_THAT(
      message_of(open_plan(), into(folder / "out", true)),
      HasSubstr("plan.json#/salt_sha256: expected nothing, got \"" + salt_sha256.substr(0, 40)));
  EXPECT_EQ(message_of(sealed_plan(), into(folder / "out", true)), "");
  EXPECT_EQ(files_below(folder / "out"), whole);
}

TEST(SealedSearch, AsksForWhatItCannotDoWithout) {
  const TemporaryFolder folder;
  SearchPlan nominal = sealed_plan();
  nominal.instances = 1;
  EXPECT_EQ(message_of(nominal, into(folder / "out")),
            "--salt: expected --instances of at least 2 with it, got 1: instance 0 has the nominal "
            "constants, whatever the salt");
  SearchPlan planned = open_plan();  // a plan.json said so, and nobody brought the salt
  planned.salt_sha256 = salt_sha256;
  EXPECT_EQ(message_of(planned, into(folder / "out")),
            "--salt: expected the file with SHA-256 " + salt_sha256 + ", got nothing");
  SearchPlan other = sealed_plan("another salt of 26 bytes..");
  const std::string found = other.salt_sha256;
  other.salt_sha256 = salt_sha256;
  EXPECT_EQ(message_of(other, into(folder / "out")),
            "--salt: expected the file with SHA-256 " + salt_sha256 + ", got " + found);
  SearchPlan commands = sealed_plan();
  commands.instances = 1;
  commands.backend = "command:true";
  EXPECT_EQ(message_of(commands, into(folder / "out")),
            "--salt: expected none with a backend that is no simulator");
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

}  // namespace
}  // namespace cubicbench::search
