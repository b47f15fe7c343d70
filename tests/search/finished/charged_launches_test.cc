#include "search/finished/charged_launches.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <optional>
#include <vector>

#include "search/finished/regret.h"
#include "support/input_error.h"
#include "tests/search/written_search.h"
#include "tests/temporary_folder.h"

namespace cubicbench::search {
namespace {

/// The study, as it is read from its journal.
StudyResult study_of(const WrittenStudy& written) {
  const TemporaryFolder folder;
  write_study(folder / "out", "one", written);
  const std::array folders{folder / "out"};
  return read_study_set(folders).studies.front();
}

std::vector<std::optional<std::size_t>> whole(const StudyResult& study) {
  std::vector<std::optional<std::size_t>> launches;
  for (const ChargedPlace& place : charged_places(study)) launches.push_back(place.whole);
  return launches;
}

TEST(ChargedPlaces, OfWholeLaunchesAreTheLaunches) {
  const StudyResult study =
      study_of({.launches = {{.value = 1.0}, {.value = 0.0, .reason = "infra"}, {.value = 2.0}}});
  EXPECT_EQ(whole(study), (std::vector<std::optional<std::size_t>>{0, 1, 2}));
  EXPECT_EQ(charged_after(study), (std::vector<double>{1.0, 2.0, 3.0}));
  EXPECT_EQ(charged(study), 3.0);
  EXPECT_EQ(charged_places(study)[1].ended, 2U);
}

// After a launch at 1/4 (0.34375), another (0.6875) and a third (1.03125) a whole one ends at
// 2.03125, in place 3; one more short one (2.375) changes nothing.
TEST(ChargedPlaces, CountShortLaunchesInPart) {
  const StudyResult study = study_of({.trials = 3,
                                      .launches = {{.value = 9.0, .fidelity = 0.25},
                                                   {.value = 8.0, .fidelity = 0.25},
                                                   {.value = 7.0, .fidelity = 0.25},
                                                   {.value = 5.0},
                                                   {.value = 6.0, .fidelity = 0.25}}});
  EXPECT_EQ(charged_after(study), (std::vector<double>{0.34375, 0.6875, 1.03125, 2.03125, 2.375}));
  EXPECT_EQ(whole(study), (std::vector<std::optional<std::size_t>>{std::nullopt, std::nullopt, 3}));
  EXPECT_EQ(charged_places(study)[0].ended, 2U);
  EXPECT_EQ(charged_places(study)[1].ended, 3U);
  EXPECT_EQ(charged_places(study)[2].ended, 5U);
  EXPECT_EQ(longest({&study}), 3U);
}

TEST(ChargedPlaces, OfNoLaunchAreNone) {
  EXPECT_TRUE(charged_places(StudyResult{}).empty());
  EXPECT_EQ(charged(StudyResult{}), 0.0);
}

TEST(ShortLaunches, AreNothingThatAStudyFound) {
  const StudyResult study = study_of({.trials = 3,
                                      .launches = {{.value = 9.0, .fidelity = 0.25},
                                                   {.value = 8.0, .fidelity = 0.25},
                                                   {.value = 7.0, .fidelity = 0.25},
                                                   {.value = 5.0}}});
  const auto recommended = recommendations(study);
  ASSERT_EQ(recommended.size(), 3U);
  EXPECT_FALSE(recommended[0]);
  EXPECT_FALSE(recommended[1]);
  ASSERT_TRUE(recommended[2]);
  EXPECT_EQ(*recommended[2], (Recommendation{.launch = 3, .measured = 5.0}));
}

TEST(ShortLaunches, LeaveLessThanALaunchOfAStudyThatHasEnded) {
  const TemporaryFolder folder;
  const WrittenStudy ended{.searcher = "hyperband",
                           .trials = 2,
                           .launches = {{.value = 9.0, .fidelity = 0.25}, {.value = 5.0}}};
  const WrittenStudy goes_on{
      .searcher = "hyperband",
      .seed = 1,
      .trials = 2,
      .launches = {{.value = 9.0, .fidelity = 0.25}, {.value = 8.0, .fidelity = 0.25}}};
  write_study(folder / "out", "ended", ended);
  write_study(folder / "out", "goes-on", goes_on);
  const std::array folders{folder / "out"};
  const StudySet set = read_study_set(folders);
  ASSERT_EQ(set.notes.size(), 1U);
  EXPECT_EQ(set.notes.front(),
            "made-up: 1 of 2 studies has fewer launches than asked for: made-up.0.hyperband.1 "
            "(0.6875 of 2). The search goes on, was stopped, or the searcher had no more to "
            "propose.");
}

}  // namespace
}  // namespace cubicbench::search
