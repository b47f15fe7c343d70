#include "search/folder/merge.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/problem/table_scenario.h"
#include "search/backends/backend_factory.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/new_folder.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::search {
namespace {

namespace fs = std::filesystem;
using support::InputError;
using support::OutputError;
using testing::HasSubstr;

SearchPlan plan_of(const std::vector<std::string>& names, std::int64_t trials) {
  SearchPlan plan;
  for (const std::string& name : names) plan.scenarios.push_back(datasets::read_scenario(name));
  plan.backend = usual_backend(plan.scenarios);
  for (const char* const searcher : {"random", "evolution:population=4:sample=2", "corner"}) {
    plan.searchers.push_back(parse_searcher(searcher, "test"));
  }
  plan.trials = trials;
  plan.seeds = 3;
  plan.permute = true;
  return plan;
}

SearchResult run(const SearchPlan& plan, const fs::path& out, bool resume = false) {
  SearchRun how;
  how.out = out;
  how.resume = resume;
  how.threads = 1;
  return run_search(plan, how);
}

/// Runs every shard; their folders.
std::vector<fs::path> run_shards(SearchPlan plan, const TemporaryFolder& folder, std::int64_t of) {
  std::vector<fs::path> shards;
  for (std::int64_t index = 1; index <= of; ++index) {
    plan.shard = {.index = index, .of = of};
    shards.push_back(folder / ("shard" + std::to_string(index)));
    run(plan, shards.back());
  }
  return shards;
}

std::string message_of(const std::vector<fs::path>& shards, const fs::path& out) {
  try {
    merge_searches(shards, out);
  } catch (const InputError& error) {
    EXPECT_FALSE(fs::exists(out));
    EXPECT_FALSE(fs::exists(out.string() + ".tmp"));
    return error.what();
  }
  return "";
}

void expect_same(const SearchResult& one, const SearchResult& other) {
  ASSERT_EQ(one.studies.size(), other.studies.size());
  for (std::size_t i = 0; i < one.studies.size(); ++i) {
    const StudySummary& a = one.studies[i];
    const StudySummary& b = other.studies[i];
    EXPECT_EQ(a.study, b.study);
    EXPECT_EQ(a.searcher, b.searcher);
    EXPECT_EQ(a.trials, b.trials);
    EXPECT_EQ(a.failed, b.failed);
    EXPECT_EQ(a.cost_gpu_hours, b.cost_gpu_hours);
    ASSERT_EQ(a.best.has_value(), b.best.has_value());
    if (!a.best) continue;
    EXPECT_EQ(a.best->trial, b.best->trial);
    EXPECT_EQ(a.best->value, b.best->value);
    EXPECT_EQ(a.best->config, b.best->config);
  }
}

TEST(Merge, GivesTheBytesOfTheWholeSearch) {
  struct Case {
    const char* name;
    std::vector<std::string> scenarios;
    std::int64_t instances;
    std::int64_t slots;
    std::int64_t shards;
  };
  for (const Case& c : {Case{"two models, two instances", {"tiny-llama", "tiny-gpt"}, 2, 1, 3},
                        Case{"slots", {"tiny-llama"}, 1, 3, 2},
                        Case{"a table, whose corners end early", {"nanotron-1.34b-16gpu"}, 1, 1, 4},
                        Case{"more shards than studies", {"tiny-llama"}, 1, 1, 10}}) {
    SCOPED_TRACE(c.name);
    const TemporaryFolder folder;
    SearchPlan plan = plan_of(c.scenarios, 15);
    plan.instances = c.instances;
    plan.slots = c.slots;
    const SearchResult whole = run(plan, folder / "whole");
    std::vector<fs::path> shards = run_shards(plan, folder, c.shards);
    EXPECT_THAT(read_text(shards[0] / "plan.json"),
                HasSubstr("\"shard\": \"1/" + std::to_string(c.shards) + "\""));
    std::swap(shards.front(), shards.back());  // in whatever order they are named
    const MergedSearch merged = merge_searches(shards, folder / "merged");
    EXPECT_EQ(files_below(folder / "merged"), files_below(folder / "whole"));
    EXPECT_FALSE(fs::exists(folder / "merged.tmp"));
    expect_same(merged.result, whole);
    // It is that search: it can be resumed, and has nothing to do.
    expect_same(run(plan, folder / "merged", true), whole);
    EXPECT_EQ(files_below(folder / "merged"), files_below(folder / "whole"));
  }
}

TEST(Merge, AShardResumes) {
  const TemporaryFolder folder;
  SearchPlan plan = plan_of({"tiny-llama"}, 6);
  plan.shard = {.index = 2, .of = 3};
  const SearchResult result = run(plan, folder / "out");
  ASSERT_EQ(result.studies.size(), 3U);
  EXPECT_EQ(result.studies[0].study, "tiny-llama.0.random.1");
  const auto whole = files_below(folder / "out");
  for (const auto& [path, text] : whole) {
    if (path != "plan.json") write_text(folder / "out" / path, text.substr(0, text.size() / 3));
  }
  run(plan, folder / "out", true);
  EXPECT_EQ(files_below(folder / "out"), whole);
  plan.shard = {.index = 3, .of = 3};
  try {
    run(plan, folder / "out", true);
    FAIL() << "expected an error";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("plan.json#/shard: expected \"3/3\", got \"2/3\""));
  }
}

TEST(Merge, RefusesWhatIsNoSetOfShards) {
  const TemporaryFolder folder;
  SearchPlan plan = plan_of({"tiny-llama"}, 4);
  const std::vector<fs::path> shards = run_shards(plan, folder, 3);
  const fs::path out = folder / "merged";
  run(plan, folder / "whole");
  plan.slots = 2;
  plan.shard = {.index = 3, .of = 3};
  run(plan, folder / "foreign");
  plan.slots = 1;
  plan.shard = {.index = 3, .of = 4};
  run(plan, folder / "quarter");
  fs::copy(shards[0], folder / "copy", fs::copy_options::recursive);

  EXPECT_EQ(message_of({shards[0], shards[2]}, out), "merge: expected shard 2/3 too, got none");
  EXPECT_EQ(message_of({shards[0], shards[1], shards[0], shards[2]}, out),
            shards[0].string() + ": expected each shard once, got this folder twice");
  EXPECT_EQ(message_of({shards[0], shards[1], folder / "copy"}, out),
            (folder / "copy").string() + ": expected each shard once, got 1/3 again, as in " +
                shards[0].string() + "\nmerge: expected shard 3/3 too, got none");
  EXPECT_EQ(message_of({shards[0], shards[1], folder / "foreign"}, out),
            (folder / "foreign/plan.json").string() +
                "#/slots: expected 1, got 2, another search than " + shards[0].string());
  EXPECT_EQ(message_of({shards[0], shards[1], folder / "quarter"}, out),
            (folder / "quarter/plan.json").string() + "#/shard: expected a part of 3 as in " +
                shards[0].string() + ", got 3/4");
  EXPECT_EQ(message_of({folder / "whole"}, out),
            (folder / "whole/plan.json").string() +
                "#/shard: expected I/N, a part of a search, got all of it");
  EXPECT_EQ(message_of({folder / "nowhere"}, out),
            (folder / "nowhere").string() +
                ": expected the folder of a search, got one without plan.json, or none");
  write_text(folder / "full/mine.txt", "precious");
  EXPECT_THROW(merge_searches(shards, folder / "full"), InputError);
  EXPECT_EQ(files_below(folder / "full").size(), 1U);
  // What another version made is not put together.
  const std::string text = read_text(shards[0] / "plan.json");
  std::string older = text;
  const std::string version = CUBICBENCH_VERSION;
  write_text(shards[0] / "plan.json", older.replace(older.find(version), version.size(), "0.0.9"));
  EXPECT_EQ(message_of(shards, out), (shards[0] / "plan.json").string() + "#/version: expected " +
                                         version + ", the version of this program, got \"0.0.9\"");
  // Nor parts that two truths made.
  std::string other = text;
  const std::size_t truth = other.find("\"", other.find("truth_sha256") + 15) + 1;
  write_text(shards[0] / "plan.json", other.replace(truth, 64, std::string(64, '0')));
  EXPECT_THAT(message_of(shards, out),
              AllOf(HasSubstr("plan.json#/scenarios/0/truth_sha256/0: expected \"000"),
                    HasSubstr(", another search than " + shards[0].string())));
}

TEST(Merge, RemovesOnlyWhatAMergeLeft) {
  const TemporaryFolder folder;
  const std::vector<fs::path> shards = run_shards(plan_of({"tiny-llama"}, 2), folder, 2);
  const fs::path out = folder / "merged";
  write_text(folder / "merged.tmp/mine.txt", "precious");
  try {
    merge_searches(shards, out);
    FAIL() << "expected an error";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("merged.tmp: expected none, or what was left when a command was ended"));
  }
  EXPECT_EQ(read_text(folder / "merged.tmp/mine.txt"), "precious");
  EXPECT_FALSE(fs::exists(out));
  fs::remove_all(folder / "merged.tmp");
  write_text(folder / "merged.tmp/in-progress", "");
  write_text(folder / "merged.tmp/whole/journals/half.jsonl", "{");
  fs::create_directory(out);  // an empty one will do
  merge_searches(shards, out);
  EXPECT_FALSE(fs::exists(folder / "merged.tmp"));
  EXPECT_FALSE(fs::exists(out / "in-progress"));
  EXPECT_FALSE(fs::exists(out / "journals/half.jsonl"));
}

TEST(Merge, RemovesWhatAMergeLeftThatWasKilledAtOnceOrAtTheEnd) {
  const TemporaryFolder folder;
  const std::vector<fs::path> shards = run_shards(plan_of({"tiny-llama"}, 2), folder, 2);
  const fs::path out = folder / "merged";
  fs::create_directory(folder / "merged.tmp");
  merge_searches(shards, out);
  EXPECT_FALSE(fs::exists(folder / "merged.tmp"));
  write_text(folder / "merged.tmp/in-progress", "");
  EXPECT_THROW(merge_searches(shards, out), InputError);
  EXPECT_FALSE(fs::exists(folder / "merged.tmp"));
  EXPECT_TRUE(fs::exists(out / "plan.json"));
}

TEST(Merge, LeavesTheFolderOfALivingMergeAlone) {
  const TemporaryFolder folder;
  const std::vector<fs::path> shards = run_shards(plan_of({"tiny-llama"}, 2), folder, 2);
  support::NewFolder other(folder / "merged", "out");
  other.make();
  EXPECT_THROW(merge_searches(shards, folder / "merged"), OutputError);
  EXPECT_TRUE(fs::exists(folder / "merged.tmp"));
}

TEST(Merge, WritesOnlyBelowItsFolder) {
  const TemporaryFolder folder;
  const std::vector<fs::path> shards = run_shards(plan_of({"tiny-llama"}, 2), folder, 2);
  for (const char* name : {"../../evil/tiny", "/tmp/tiny", "tiny@1/../x", "a/b@3", ""}) {
    std::string plan = read_text(shards[1] / "plan.json");
    const std::string before = "\"scenario\": \"";
    const std::size_t at = plan.find(before) + before.size();
    plan.replace(at, plan.find('"', at) - at, name);
    write_text(shards[1] / "plan.json", plan);
    try {
      merge_searches(shards, folder / "merged");
      FAIL() << "expected an error";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("plan.json#/scenarios/0/scenario: expected ")) << name;
    }
  }
}

TEST(Merge, RefusesTheWorkingFolder) {
  const TemporaryFolder folder;
  const std::vector<fs::path> shards = run_shards(plan_of({"tiny-llama"}, 2), folder, 2);
  fs::create_directory(folder / "here");
  const fs::path before = fs::current_path();
  fs::current_path(folder / "here");
  try {
    merge_searches(shards, ".");
    ADD_FAILURE() << "expected an error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), ".: expected a new or empty folder, got the one we are in");
  }
  fs::current_path(before);
  EXPECT_TRUE(fs::is_empty(folder / "here"));
}

TEST(Merge, RefusesStudiesThatAreNotFinished) {
  const TemporaryFolder folder;
  const SearchPlan plan = plan_of({"nanotron-1.34b-16gpu"}, 15);
  const std::vector<fs::path> shards = run_shards(plan, folder, 2);
  const fs::path out = folder / "merged";
  const fs::path journal = shards[0] / "journals/nanotron-1.34b-16gpu.0.random.0.jsonl";
  const fs::path early = shards[0] / "journals/nanotron-1.34b-16gpu.0.corner.0.jsonl";
  const std::string text = read_text(journal);
  const std::string corners = read_text(early);
  const std::string goes_on = "; the search of this shard goes on with --resume";

  write_text(journal, text.substr(0, text.rfind('\n', text.size() - 2) + 1));  // a line less
  EXPECT_EQ(message_of(shards, out),
            journal.string() + ": expected a finished study of 15 launches, got 14" + goes_on);
  write_text(journal, text.substr(0, text.size() - 9));  // a torn one
  EXPECT_THAT(message_of(shards, out), HasSubstr("got 14" + goes_on));
  fs::remove(journal);
  EXPECT_THAT(message_of(shards, out), HasSubstr("got 0" + goes_on));
  write_text(journal, text);
  // Ending early is in order, but not so early.
  write_text(early, corners.substr(0, corners.rfind('\n', corners.size() - 2) + 1));
  EXPECT_THAT(message_of(shards, out), HasSubstr("corner.0.jsonl: expected a finished study"));
  write_text(early, corners);
  std::string other = text;
  other.replace(other.find("\"seed\":0"), 8, "\"seed\":2");
  write_text(journal, other);
  EXPECT_EQ(message_of(shards, out),
            journal.string() + ":1: expected the study that plan.json says, got another");
  write_text(journal, text);
  write_text(shards[1] / "journals" / journal.filename(), text);
  EXPECT_EQ(message_of(shards, out), (shards[1] / "journals" / journal.filename()).string() +
                                         ": expected a study of shard 2/2, got another file");
}

TEST(Merge, WaitsForNobody) {
  const TemporaryFolder folder;
  const std::vector<fs::path> shards = run_shards(plan_of({"tiny-llama"}, 2), folder, 2);
  const support::FileDescriptor busy(::open((shards[1] / "plan.json").c_str(), O_RDONLY));
  ASSERT_EQ(::flock(busy.get(), LOCK_EX), 0);
  EXPECT_THROW(merge_searches(shards, folder / "merged"), support::OutputError);
  EXPECT_FALSE(fs::exists(folder / "merged"));
}

}  // namespace
}  // namespace cubicbench::search
