#include "search/folder/campaign.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "scenarios/readers/scenario_reader.h"
#include "search/journal/journal.h"
#include "search/searchers/registry.h"
#include "support/input_error.h"
#include "tests/search/read_only_folder.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::search {
namespace {

using support::InputError;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

SearchPlan tiny_plan(std::int64_t trials) {
  SearchPlan plan;
  plan.scenarios.push_back(scenarios::read_scenario("tiny-llama"));
  plan.searchers.push_back(parse_searcher("random", "--searcher"));
  plan.trials = trials;
  return plan;
}

SearchResult run(const SearchPlan& plan, const std::filesystem::path& out, bool resume = false,
                 int threads = 1) {
  SearchRun how;
  how.out = out;
  how.resume = resume;
  how.threads = threads;
  return run_search(plan, how);
}

std::string message_of(const SearchPlan& plan, const std::filesystem::path& out,
                       bool resume = true) {
  try {
    run(plan, out, resume);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Campaign, LeavesTheSameBytesWhateverTheThreadCount) {
  const TemporaryFolder folder;
  SearchPlan plan = tiny_plan(12);
  plan.seeds = 4;
  plan.instances = 2;
  plan.slots = 3;
  const SearchResult one = run(plan, folder / "one", false, 1);
  const SearchResult two = run(plan, folder / "two", false, 2);
  const SearchResult eight = run(plan, folder / "eight", false, 8);
  const auto files = files_below(folder / "one");
  EXPECT_EQ(files.size(), 2U + 2U * 8U);  // plan, list of the finished, journal and truth a study
  EXPECT_EQ(files, files_below(folder / "two"));
  EXPECT_EQ(files, files_below(folder / "eight"));
  ASSERT_EQ(one.studies.size(), 8U);
  EXPECT_EQ(one.studies[0].study, "tiny-llama.0.random.0");
  EXPECT_EQ(one.studies[3].study, "tiny-llama.0.random.3");
  EXPECT_EQ(one.studies[4].study, "tiny-llama.1.random.0");
  for (std::size_t i = 0; i < one.studies.size(); ++i) {
    EXPECT_EQ(one.studies[i].study, two.studies[i].study);
    EXPECT_EQ(one.studies[i].cost_gpu_hours, eight.studies[i].cost_gpu_hours);
    EXPECT_EQ(one.studies[i].trials, 12);
  }
}

TEST(Campaign, ResumesFromACutAtEveryByte) {
  const TemporaryFolder folder;
  SearchPlan plan = tiny_plan(4);
  plan.slots = 2;
  run(plan, folder / "out");
  const std::map<std::string, std::string> whole = files_below(folder / "out");
  for (const std::string name :
       {"journals/tiny-llama.0.random.0.jsonl", "truth/tiny-llama.0.random.0.jsonl"}) {
    const std::string& text = whole.at(name);
    for (std::size_t length = 0; length <= text.size(); ++length) {
      write_text(folder / "out" / name, std::string_view(text).substr(0, length));
      const SearchResult result = run(plan, folder / "out", true);
      ASSERT_EQ(files_below(folder / "out"), whole) << name << " cut to " << length << " bytes";
      ASSERT_EQ(result.studies.front().trials, 4);
    }
  }
}

TEST(Campaign, BeginsStudiesThatAreMissing) {
  const TemporaryFolder folder;
  SearchPlan plan = tiny_plan(3);
  plan.seeds = 2;
  run(plan, folder / "out");
  const auto whole = files_below(folder / "out");
  std::filesystem::remove(folder / "out/journals/tiny-llama.0.random.1.jsonl");
  std::filesystem::remove_all(folder / "out/truth");
  write_text(folder / "out/plan.json.1-0.tmp", "half");
  write_text(folder / "out/journals/x.jsonl.tmp", "half");
  run(plan, folder / "out", true);
  EXPECT_EQ(files_below(folder / "out"), whole);
}

TEST(Campaign, NamesTheLineOfDamage) {
  const TemporaryFolder folder;
  const SearchPlan plan = tiny_plan(4);
  run(plan, folder / "out");
  const std::filesystem::path journal = folder / "out/journals/tiny-llama.0.random.0.jsonl";
  const std::string text = read_text(journal);
  const auto damaged = [&](std::string_view from, std::string_view to, std::size_t after) {
    std::string copy = text;
    copy.replace(copy.find(from, after), from.size(), to);
    return copy;
  };
  const std::size_t second = text.find('\n') + 1;
  const std::size_t third = text.find('\n', second) + 1;
  const std::size_t last = text.rfind('\n', text.size() - 2) + 1;
  struct Case {
    const char* name;
    std::string text;
    const char* message;
  };
  for (const Case& c : {
           Case{"no JSON in the middle", damaged("{", "[", third),
                ".jsonl:3: expected a line of JSON, got [\"trial\":1"},
           Case{"another trial", damaged("\"trial\":1", "\"trial\":7", third),
                ".jsonl:3#/trial: expected 1, got 7"},
           Case{"another key", damaged("\"round\"", "\"ground\"", third),
                ".jsonl:3#/round: expected 0, got nothing"},
           Case{"a wrong key in the last line", damaged("\"round\"", "\"ground\"", last),
                ".jsonl:5#/round: expected 0, got nothing"},
           Case{"other spacing", damaged("\"trial\":1", "\"trial\": 1", third),
                ".jsonl:3: expected the line byte for byte as written"},
           Case{"a line too many", text + text.substr(last),
                ".jsonl:6: expected the end of the study, got another line"},
           Case{"a line removed", text.substr(0, second) + text.substr(third),
                ".jsonl:2#/trial: expected 0, got 1"},
           Case{"another seed", damaged("\"seed\":0", "\"seed\":1", 0),
                ".jsonl:1#/seed: expected 0, got 1"},
           Case{"another slot count", damaged("\"slots\":1", "\"slots\":2", 0),
                ".jsonl:1#/options/slots: expected 1, got 2"},
       }) {
    SCOPED_TRACE(c.name);
    write_text(journal, c.text);
    EXPECT_THAT(message_of(plan, folder / "out"), HasSubstr(c.message));
    EXPECT_EQ(read_text(journal), c.text);  // what is refused is left as it was
  }
}

TEST(Campaign, RefusesToResumeAnotherSearch) {
  const TemporaryFolder folder;
  SearchPlan plan = tiny_plan(2);
  run(plan, folder / "out");
  plan.telling = Telling::bytes;
  EXPECT_THAT(message_of(plan, folder / "out"),
              HasSubstr("plan.json#/telling: expected \"bytes\", got \"reason\""));
  plan.telling = Telling::reason;
  plan.trials = 3;
  EXPECT_THAT(message_of(plan, folder / "out"),
              HasSubstr("plan.json#/scenarios/0/trials: expected 3, got 2"));
  plan.trials = 2;
  plan.slots = 2;
  EXPECT_THAT(message_of(plan, folder / "out"), HasSubstr("plan.json#/slots: expected 2, got 1"));
  plan.telling = Telling::bytes;
  const std::string all = message_of(plan, folder / "out");
  EXPECT_THAT(all,
              HasSubstr("plan.json#/slots: expected 2, got 1, which --resume cannot change\n"));
  EXPECT_THAT(all, HasSubstr("plan.json#/telling: expected \"bytes\", got \"reason\""));
  plan.telling = Telling::reason;
  plan.slots = 1;
  plan.scenarios[0] =
      scenarios::read_scenario("tiny-llama", std::vector<std::string>{"job.steps=100"});
  EXPECT_THAT(message_of(plan, folder / "out"),
              HasSubstr("plan.json#/scenarios/0/scenario_sha256: expected \""));
}

TEST(Campaign, RefusesToResumeWhatAnotherVersionOrTruthMade) {
  const TemporaryFolder folder;
  const SearchPlan plan = tiny_plan(2);
  run(plan, folder / "out");
  const std::string version = CUBICBENCH_VERSION;
  const std::string study = "tiny-llama.0.random.0.jsonl";
  const std::string line = ":1#/version: expected \"" + version + "\", got \"0.0.9\"";
  for (const auto& [file, message] : std::map<std::string, std::string>{
           {"plan.json",
            "#/version: expected " + version + ", the version of this program, got \"0.0.9\""},
           {"journals/" + study, line},
           {"truth/" + study, line}}) {
    const std::filesystem::path path = folder / "out" / file;
    const std::string text = read_text(path);
    std::string other = text;
    write_text(path, other.replace(other.find(version), version.size(), "0.0.9"));
    const auto before = files_below(folder / "out");
    EXPECT_EQ(message_of(plan, folder / "out"), path.string() + message);
    EXPECT_EQ(files_below(folder / "out"), before);  // what is refused is left as it was
    write_text(path, text);
  }
  const std::filesystem::path path = folder / "out/plan.json";
  std::string text = read_text(path);
  const std::size_t truth = text.find("\"", text.find("truth_sha256") + 15) + 1;
  write_text(path, text.replace(truth, 64, std::string(64, '0')));
  EXPECT_THAT(message_of(plan, folder / "out"),
              AllOf(StartsWith(path.string() + "#/scenarios/0/truth_sha256/0: expected \""),
                    HasSubstr("got \"0000"), EndsWith(", another truth than this program's")));
}

TEST(Campaign, RefusesAFolderThatIsNotEmptyAndOneThatIsNoSearch) {
  const TemporaryFolder folder;
  const SearchPlan plan = tiny_plan(2);
  write_text(folder / "out/notes.txt", "mine");
  EXPECT_THAT(message_of(plan, folder / "out", false),
              HasSubstr("out: expected a new or empty folder, got one with \"notes.txt\""));
  EXPECT_THAT(message_of(plan, folder / "out", true), HasSubstr("and no plan.json"));
  EXPECT_EQ(files_below(folder / "out").size(), 1U);
  run(plan, folder / "other");
  EXPECT_THAT(message_of(plan, folder / "other", false), HasSubstr("or --resume to go on"));
  write_text(folder / "other/journals/stray.0.random.0.jsonl", "");
  EXPECT_THAT(message_of(plan, folder / "other", true),
              HasSubstr("stray.0.random.0.jsonl: expected a study of plan.json"));
}

TEST(Campaign, ResumingAFolderThatIsMissingEmptyOrTemporaryStartsAfresh) {
  const TemporaryFolder folder;
  const SearchPlan plan = tiny_plan(2);
  run(plan, folder / "whole");
  const auto whole = files_below(folder / "whole");
  run(plan, folder / "missing/below", true);
  EXPECT_EQ(files_below(folder / "missing/below"), whole);
  std::filesystem::create_directories(folder / "empty");
  run(plan, folder / "empty", true);
  EXPECT_EQ(files_below(folder / "empty"), whole);
  write_text(folder / "temporary/plan.json.tmp", "{");
  run(plan, folder / "temporary", true);
  EXPECT_EQ(files_below(folder / "temporary"), whole);
}

TEST(Campaign, StopsAfterTheRunningLineAndGoesOn) {
  const TemporaryFolder folder;
  SearchPlan plan = tiny_plan(6);
  plan.slots = 2;
  plan.seeds = 2;
  run(plan, folder / "whole");
  for (int lines = 0; lines <= 12; ++lines) {
    SCOPED_TRACE(lines);
    std::filesystem::remove_all(folder / "out");
    std::filesystem::create_directories(folder / "out");
    std::atomic<bool> stop = lines == 0;
    SearchRun how;
    how.out = folder / "out";
    how.threads = 1;
    how.stop = &stop;
    std::int64_t done = 0;
    how.progress = [&](const SearchProgress& progress) {
      done = progress.launches_done;
      stop = stop || done >= lines;
      EXPECT_EQ(progress.launches_total, 12);
    };
    EXPECT_TRUE(run_search(plan, how).stopped);
    EXPECT_EQ(done, lines);
    for (const auto& [name, text] : files_below(folder / "out")) {
      if (name == "finished.json") continue;  // lists what is finished so far
      const std::string whole = read_text(folder / "whole" / name);
      EXPECT_EQ(text, whole.substr(0, text.size())) << name;
    }
    EXPECT_FALSE(run(plan, folder / "out", true).stopped);
    EXPECT_EQ(files_below(folder / "out"), files_below(folder / "whole"));
  }
}

TEST(Campaign, OneStudyThatCannotGoOnIsNamed) {
  const TemporaryFolder folder;
  SearchPlan plan = tiny_plan(3);
  plan.seeds = 6;
  run(plan, folder / "out");
  const auto whole = files_below(folder / "out");
  write_text(folder / "out/journals/tiny-llama.0.random.3.jsonl", "{}\n{}\n");
  EXPECT_THAT(message_of(plan, folder / "out"), HasSubstr("random.3.jsonl:1#/schema"));
  std::filesystem::remove(folder / "out/journals/tiny-llama.0.random.3.jsonl");
  run(plan, folder / "out", true, 2);
  EXPECT_EQ(files_below(folder / "out"), whole);
}

TEST(Campaign, AStudyThatCannotBeWrittenEndsTheSearch) {
  const TemporaryFolder folder;
  SearchPlan plan = tiny_plan(3);
  plan.seeds = 3;
  run(plan, folder / "out");
  const auto whole = files_below(folder / "out");
  const std::filesystem::path journal = folder / "out/journals/tiny-llama.0.random.1.jsonl";
  std::filesystem::remove(journal);
  std::filesystem::create_directory(journal);
  EXPECT_THROW(run(plan, folder / "out", true), support::OutputError);
  EXPECT_THROW(run(plan, folder / "out", true, 2), support::OutputError);
  std::filesystem::remove(journal);
  run(plan, folder / "out", true);
  EXPECT_EQ(files_below(folder / "out"), whole);
}

TEST(Campaign, RefusesASpaceWithoutAConfiguration) {
  const TemporaryFolder folder;
  SearchPlan plan = tiny_plan(1);
  plan.scenarios[0].space = scenarios::SearchSpace::build(
                                {{.name = "micro_batch",
                                  .type = scenarios::ParameterType::integer,
                                  .values = {1, 2},
                                  .when = {}}},
                                {{.name = "none", .require = "micro_batch > 2"}}, sim::Plan{}, {})
                                .space;
  EXPECT_EQ(message_of(plan, folder / "out"),
            "tiny-llama#/space/constraints: expected a configuration that they allow, got none");
}

TEST(Campaign, RefusesPlansThatCannotBe) {
  const TemporaryFolder folder;
  SearchPlan plan;
  plan.trials = 0;
  plan.slots = 0;
  plan.seeds = -1;
  plan.instances = 0;
  EXPECT_EQ(message_of(plan, folder / "out"),
            "SCENARIO: expected a scenario, got none\n"
            "--searcher: expected a searcher, got none\n"
            "--trials: expected an integer >= 1, got 0\n"
            "--seeds: expected an integer >= 1, got -1\n"
            "--instances: expected an integer >= 1, got 0\n"
            "--slots: expected an integer >= 1, got 0");
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));

  plan = tiny_plan(1);
  plan.scenarios.push_back(plan.scenarios.front());
  plan.searchers.push_back(plan.searchers.front());
  EXPECT_EQ(message_of(plan, folder / "out"),
            "SCENARIO: expected each one once, got tiny-llama twice\n"
            "--searcher: expected each one once, got random twice");

  for (const std::int64_t first : {std::int64_t{-1}, std::int64_t{2'147'483'648}}) {
    plan = tiny_plan(1);
    plan.first_seed = first;
    plan.first_instance = first;
    const std::string expected = "expected an integer in [0, 2147483647], got ";
    EXPECT_EQ(message_of(plan, folder / "out"), "--seed: " + expected + std::to_string(first) +
                                                    "\n--instance: " + expected +
                                                    std::to_string(first));
  }

  // A study that is driven from outside has one instance, and another option for it.
  plan = tiny_plan(1);
  plan.scenarios.front().seal = std::make_shared<scenarios::Seal>(std::string(32, 'x'));
  plan.salt_sha256 = plan.scenarios.front().seal->salt_sha256();
  const std::string nominal = ": instance 0 has the nominal constants, whatever the salt";
  EXPECT_EQ(message_of(plan, folder / "out"),
            "--salt: expected --instances of at least 2 with it, got 1" + nominal);
  plan.searchers = {outside_searcher("mine", "--as")};
  EXPECT_EQ(message_of(plan, folder / "out"),
            "--salt: expected --instance of at least 1 with it, got 0" + nominal);

  plan = tiny_plan(1);
  plan.backend = "cluster";
  EXPECT_EQ(message_of(plan, folder / "out"),
            "--backend: expected simulator, table, recorded:DIR, command:CMD or slurm:TEMPLATE, "
            "got \"cluster\"");
}

TEST(Campaign, RefusesMoreStudiesThanItCanHoldBeforeItMakesThem) {
  const TemporaryFolder folder;
  SearchPlan plan = tiny_plan(1);
  plan.seeds = 1'000'000;
  plan.instances = 1'000'000;
  EXPECT_EQ(message_of(plan, folder / "out"),
            "--seeds, --instances: expected at most 1000000 studies, got 1 scenarios x 1000000 "
            "instances x 1 searchers x 1000000 seeds");
  plan.instances = 1;
  plan.seeds = 1'000'001;
  EXPECT_THAT(message_of(plan, folder / "out"), HasSubstr("1 searchers x 1000001 seeds"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

TEST(Campaign, AStopWhileInstancesAreMadeEndsIt) {
  const TemporaryFolder folder;
  SearchPlan plan = tiny_plan(1);
  plan.instances = 1'000'000;  // minutes of work, were it not stopped
  const std::atomic<bool> stop = true;
  SearchRun how;
  how.out = folder / "out";
  how.stop = &stop;
  const SearchResult result = run_search(plan, how);
  EXPECT_TRUE(result.stopped);
  EXPECT_TRUE(result.studies.empty());
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

TEST(Campaign, AFinishedOneIsResumedWhereNothingCanBeWritten) {
  const TemporaryFolder folder;
  const SearchPlan plan = tiny_plan(3);
  run(plan, folder / "out");
  const auto whole = files_below(folder / "out");
  {
    const ReadOnlyFolder read_only(folder.path());
    const SearchResult again = run(plan, folder / "out", true);
    ASSERT_EQ(again.studies.size(), 1U);
    EXPECT_EQ(again.studies[0].trials, 3);
  }
  EXPECT_EQ(files_below(folder / "out"), whole);
}

TEST(Campaign, SyncChangesNoByte) {
  const TemporaryFolder folder;
  const SearchPlan plan = tiny_plan(2);
  run(plan, folder / "plain");
  SearchRun how;
  how.out = folder / "synced";
  how.sync = true;
  run_search(plan, how);
  EXPECT_EQ(files_below(folder / "plain"), files_below(folder / "synced"));
}

}  // namespace
}  // namespace cubicbench::search
