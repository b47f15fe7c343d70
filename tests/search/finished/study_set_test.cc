#include "search/finished/study_set.h"

#include <gtest/gtest.h>

#include <functional>

#include "support/input_error.h"
#include "tests/search/written_search.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::search {
namespace {

namespace fs = std::filesystem;

const WrittenStudy three{.launches = {{.value = 10.0, .cost = 0.5, .truth = 9.0},
                                      {.value = 0.0, .reason = "oom_init", .cost = 0.25},
                                      {.value = 12.0, .truth = 11.0}}};

StudySet read(const std::vector<fs::path>& folders) { return read_study_set(folders); }

TEST(StudySet, HoldsWhatTheJournalAndTheTruthSay) {
  const TemporaryFolder folder;
  write_study(folder.path(), "a", three);
  const StudySet set = read({folder.path()});
  ASSERT_EQ(set.studies.size(), 1U);
  EXPECT_TRUE(set.notes.empty());
  const StudyResult& study = set.studies.front();
  EXPECT_EQ(name_of(study), "made-up.0.random.0");
  EXPECT_EQ(study.trials, 3);
  EXPECT_EQ(study.launches[0].value, 10.0);
  EXPECT_EQ(study.launches[1].value, std::nullopt);
  EXPECT_EQ(study.launches[2].value, 12.0);
  EXPECT_EQ(study.launches[0].true_value(), 9.0);
  EXPECT_EQ(study.launches[1].true_value(), std::nullopt);
  EXPECT_EQ(study.launches[1].reason, scenarios::Reason::oom_init);
  EXPECT_EQ(study.launches[1].cost_gpu_hours, 0.25);
  const std::vector<std::pair<std::string, std::string>> config{
      {"micro_batch", "2"}, {"sharding", "full_shard"}, {"compile", "true"}};
  EXPECT_EQ(study.config_of(study.launches[2]), config);
}

TEST(StudySet, JoinsFoldersInOneOrder) {
  const TemporaryFolder folder;
  WrittenStudy later = three;
  later.seed = 1;
  WrittenStudy other = three;
  other.searcher = "evolution";
  write_study(folder.path() / "x", "a", later);
  write_study(folder.path() / "x", "b", three);
  write_study(folder.path() / "y", "a", other);
  const StudySet set = read({folder.path() / "x", folder.path() / "y"});
  ASSERT_EQ(set.studies.size(), 3U);
  EXPECT_EQ(name_of(set.studies[0]), "made-up.0.evolution.0");
  EXPECT_EQ(name_of(set.studies[1]), "made-up.0.random.0");
  EXPECT_EQ(name_of(set.studies[2]), "made-up.0.random.1");
}

TEST(StudySet, ReadsAnUnfinishedStudyAsFarAsItGoes) {
  const TemporaryFolder folder;
  WrittenStudy study = three;
  study.trials = 150;
  write_study(folder.path(), "a", study);
  const fs::path journal = folder.path() / "journals" / "a.jsonl";
  write_text(journal, read_text(journal) + R"({"trial":3,"att)");
  const StudySet set = read({folder.path()});
  EXPECT_EQ(set.studies.front().launches.size(), 3U);
  EXPECT_EQ(set.notes,
            (std::vector<std::string>{
                "made-up: 1 of 1 study has fewer launches than asked for: made-up.0.random.0 (3 of "
                "150). The search goes on, was stopped, or the searcher had no more to propose.",
                "Of made-up.0.random.0 a last line that was not written to its end is left out."}));
}

/// The message of reading `folders`, in which `parent` is called F.
std::string message_of(const fs::path& parent, const std::vector<fs::path>& folders) {
  try {
    read(folders);
  } catch (const support::InputError& error) {
    std::string text = error.what();
    for (std::size_t at = 0; (at = text.find(parent.string())) != std::string::npos;) {
      text.replace(at, parent.string().size(), "F");
    }
    return text;
  }
  return "no error";
}

TEST(StudySet, SaysWhatHasNotBegun) {
  const TemporaryFolder folder;
  for (int seed = 0; seed < 3; ++seed) {
    WrittenStudy study = three;
    study.seed = seed;
    write_study(folder.path(), std::to_string(seed), study);
  }
  EXPECT_TRUE(read({folder.path()}).notes.empty());
  fs::remove(folder.path() / "journals" / "1.jsonl");
  EXPECT_EQ(
      read({folder.path()}).notes,
      (std::vector<std::string>{"made-up: 1 of 3 studies has not begun: made-up.0.random.1."}));
  // Killed between the file and its header, or within the header.
  for (const char* const begun : {"", "{\"schema\":\"cubic"}) {
    write_text(folder.path() / "journals" / "2.jsonl", begun);
    const StudySet set = read({folder.path()});
    EXPECT_EQ(set.studies.size(), 1U);
    EXPECT_EQ(set.notes, (std::vector<std::string>{"made-up: 2 of 3 studies have not begun: "
                                                   "made-up.0.random.1, made-up.0.random.2."}));
  }
}

TEST(StudySet, ListsAFewOfMany) {
  AskedSearch asked;
  asked.scenarios.resize(1);
  asked.scenarios[0].name = "a";
  asked.searchers = {"random", "sobol"};
  asked.seeds = 10;
  asked.instances = 2;
  EXPECT_EQ(unfinished_notes(asked, {}),
            (std::vector<std::string>{"a: 40 of 40 studies have not begun: a.0.random.0, "
                                      "a.0.random.1, a.0.random.2, a.0.random.3 and 36 more."}));
}

TEST(StudySet, HasTheObjectiveOfThePlan) {
  const TemporaryFolder folder;
  WrittenStudy study = three;
  study.objective = {scenarios::Metric::step_time_s, 90.0, scenarios::Direction::minimize};
  write_study(folder.path(), "a", study);
  EXPECT_EQ(read({folder.path()}).studies.front().objective, study.objective);
}

TEST(StudySet, NamesWhatDiffersBetweenStudiesOfOneSearcher) {
  const TemporaryFolder folder;
  WrittenStudy drop = three;
  drop.telling = "drop";
  WrittenStudy wide = three;
  wide.slots = 4;
  wide.trials = 5;
  WrittenStudy other = three;
  other.searcher = "sobol";
  WrittenStudy permuted = other;
  permuted.permute = true;
  write_study(folder.path() / "a", "a", three);
  write_study(folder.path() / "a", "b", other);
  write_study(folder.path() / "d", "a", permuted);
  write_study(folder.path() / "b", "a", drop);
  write_study(folder.path() / "c", "a", wide);
  std::vector<std::string> series;
  for (const StudyResult& study :
       read({folder.path() / "a", folder.path() / "b", folder.path() / "c", folder.path() / "d"})
           .studies) {
    series.push_back(study.series);
  }
  EXPECT_EQ(series, (std::vector<std::string>{"random (3 launches, slots 1, telling drop)",
                                              "random (3 launches, slots 1, telling reason)",
                                              "random (5 launches, slots 4, telling reason)",
                                              "sobol", "sobol (permuted)"}));
}

TEST(StudySet, SaysEverythingThatIsWrong) {
  const TemporaryFolder folder;
  const fs::path& f = folder.path();
  fs::create_directories(f / "empty");
  write_study(f / "one", "a", three);
  write_study(f / "twin", "b", three);
  WrittenStudy physics = three;
  physics.seed = 1;
  physics.truth_sha256 = "8888";
  write_study(f / "physics", "c", physics);
  WrittenStudy problem = three;
  problem.seed = 2;
  problem.scenario_sha256 = "6666";
  write_study(f / "problem", "d", problem);
  EXPECT_EQ(message_of(f, {f / "missing", f / "empty"}),
            "F/missing: expected the folder of a search, got none\n"
            "F/empty: expected the folder of a search, got one without plan.json");
  fs::remove_all(f / "empty");
  write_text(f / "empty" / "plan.json", read_text(f / "one" / "plan.json"));
  EXPECT_EQ(message_of(f, {f / "empty"}),
            "F/empty/journals: expected a journal (*.jsonl), got none");
  write_text(f / "empty" / "plan.json", "{}");
  EXPECT_EQ(message_of(f, {f / "empty"}),
            "F/empty/plan.json#/schema: expected \"cubicbench.plan/1\", got nothing");
  EXPECT_EQ(message_of(f, {f / "one", f / "twin"}),
            "F/twin/journals/b.jsonl: is the same study as F/one/journals/a.jsonl: scenario, "
            "instance, searcher, seed, launches, slots, telling, backend, --start, --permute and "
            "--warm-start are "
            "equal");
  write_text(f / "stray" / "plan.json", read_text(f / "one" / "plan.json"));
  write_text(f / "stray" / "journals" / "c.jsonl",
             read_text(f / "physics" / "journals" / "c.jsonl"));
  EXPECT_EQ(message_of(f, {f / "stray"}),
            "F/stray/journals/c.jsonl:1: expected a study of plan.json, got another one");
  EXPECT_EQ(message_of(f, {f / "one", f / "physics"}),
            "F/physics/journals/c.jsonl:1: expected the truth_sha256 of F/one/journals/a.jsonl, "
            "got another: their results cannot be compared");
  EXPECT_EQ(message_of(f, {f / "one", f / "problem"}),
            "F/problem/journals/d.jsonl:1: expected the scenario_sha256 of "
            "F/one/journals/a.jsonl, got another: the two scenarios called \"made-up\" differ");
}

TEST(StudySet, RefusesDamagedTruth) {
  const TemporaryFolder folder;
  write_study(folder.path(), "a", three);
  const fs::path truth = folder.path() / "truth" / "a.jsonl";
  WrittenStudy other = three;
  other.truth_sha256 = "8888";
  write_text(truth, header_line(other, "truth"));
  EXPECT_EQ(message_of(folder.path(), {folder.path()}),
            "F/truth/a.jsonl:1: expected the truth_sha256 of the journal of the same name, got "
            "another");
  write_text(truth, header_line(three, "truth") + "nothing\n");
  EXPECT_EQ(message_of(folder.path(), {folder.path()}),
            "F/truth/a.jsonl:2: expected a line of JSON, got damage");
  write_text(truth, "");
  EXPECT_EQ(message_of(folder.path(), {folder.path()}),
            "F/truth/a.jsonl:1: expected a header, got none");
}

}  // namespace
}  // namespace cubicbench::search
