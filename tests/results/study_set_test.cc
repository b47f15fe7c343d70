#include "results/study_set.h"

#include <gtest/gtest.h>

#include <functional>

#include "scenarios/input_error.h"
#include "tests/results/search_folder.h"

namespace cubicbench::results {
namespace {

namespace fs = std::filesystem;

const WrittenStudy three{.launches = {{.value = 10.0, .cost = 0.5, .truth = 9.0},
                                      {.value = 0.0, .reason = "oom_init", .cost = 0.25},
                                      {.value = 12.0, .truth = 11.0}}};

StudySet read(const std::vector<fs::path>& folders) { return read_study_set(folders); }

TEST(StudySet, HoldsWhatTheJournalAndTheTruthSay) {
  const ScratchFolder folder("study_set");
  write_study(folder.path(), "a", three);
  const StudySet set = read({folder.path()});
  ASSERT_EQ(set.studies.size(), 1U);
  EXPECT_TRUE(set.notes.empty());
  const StudyResult& study = set.studies.front();
  EXPECT_EQ(name_of(study), "made-up.0.random.0");
  EXPECT_EQ(study.trials, 3);
  EXPECT_EQ(values_of(study), (Values{10.0, std::nullopt, 12.0}));
  EXPECT_EQ(study.launches[0].true_value, 9.0);
  EXPECT_EQ(study.launches[1].true_value, std::nullopt);
  EXPECT_EQ(study.launches[1].reason, scenarios::Reason::oom_init);
  EXPECT_EQ(study.launches[1].cost_gpu_hours, 0.25);
  const std::vector<std::pair<std::string, std::string>> config{
      {"micro_batch", "2"}, {"sharding", "full_shard"}, {"compile", "true"}};
  EXPECT_EQ(study.launches[2].config, config);
  EXPECT_EQ(best_launch(study, scenarios::Direction::maximize), 2U);
  EXPECT_EQ(best_launch(study, scenarios::Direction::minimize), 0U);
}

TEST(StudySet, JoinsFoldersInOneOrder) {
  const ScratchFolder folder("study_set_two");
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
  const ScratchFolder folder("study_set_torn");
  WrittenStudy study = three;
  study.trials = 150;
  write_study(folder.path(), "a", study);
  const fs::path journal = folder.path() / "journals" / "a.jsonl";
  write_text(journal, read_text(journal) + R"({"trial":3,"att)");
  const StudySet set = read({folder.path()});
  EXPECT_EQ(set.studies.front().launches.size(), 3U);
  ASSERT_EQ(set.notes.size(), 1U);
  EXPECT_EQ(set.notes.front(),
            "Study made-up.0.random.0 has 3 of 150 launches: it goes on, was stopped, or its "
            "searcher had no more to propose. A last line that was not written to its end is left "
            "out.");
}

/// The message of reading `folders`, in which the scratch folder is called F.
std::string message_of(const fs::path& scratch, const std::vector<fs::path>& folders) {
  try {
    read(folders);
  } catch (const scenarios::InputError& error) {
    std::string text = error.what();
    for (std::size_t at = 0; (at = text.find(scratch.string())) != std::string::npos;) {
      text.replace(at, scratch.string().size(), "F");
    }
    return text;
  }
  return "no error";
}

TEST(StudySet, SaysEverythingThatIsWrong) {
  const ScratchFolder folder("study_set_bad");
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
            "F/empty/journals: expected a journal (*.jsonl), got none");
  EXPECT_EQ(message_of(f, {f / "one", f / "twin"}),
            "F/twin/journals/b.jsonl: is the same study as F/one/journals/a.jsonl");
  EXPECT_EQ(message_of(f, {f / "one", f / "physics"}),
            "F/physics/journals/c.jsonl:1: expected the truth_sha256 of F/one/journals/a.jsonl, "
            "got another: their results cannot be compared");
  EXPECT_EQ(message_of(f, {f / "one", f / "problem"}),
            "F/problem/journals/d.jsonl:1: expected the scenario_sha256 of "
            "F/one/journals/a.jsonl, got another: the two scenarios called \"made-up\" differ");
}

TEST(StudySet, RefusesDamagedTruth) {
  const ScratchFolder folder("study_set_truth");
  write_study(folder.path(), "a", three);
  const fs::path truth = folder.path() / "truth" / "a.jsonl";
  WrittenStudy other = three;
  other.truth_sha256 = "8888";
  write_text(truth, header_line(other, "truth"));
  EXPECT_EQ(message_of(folder.path(), {folder.path()}),
            "F/truth/a.jsonl:1: expected the truth_sha256 of the journal of the same name, got "
            "another");
  write_text(truth, header_line(three, "truth") + "{\"trial\":-1,\"attempt\":0}\nnothing\n");
  EXPECT_EQ(message_of(folder.path(), {folder.path()}),
            "F/truth/a.jsonl:2#/trial: expected an integer >= 0, got -1\n"
            "F/truth/a.jsonl:3: expected a line of JSON, got damage");
  write_text(truth, "");
  EXPECT_EQ(message_of(folder.path(), {folder.path()}),
            "F/truth/a.jsonl:1: expected a header, got none");
}

}  // namespace
}  // namespace cubicbench::results
