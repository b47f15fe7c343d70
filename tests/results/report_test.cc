#include "results/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "results/search_figure.h"
#include "results/search_table.h"
#include "results/study_problem.h"
#include "scenarios/scenario_reader.h"
#include "tests/results/search_folder.h"
#include "tests/results/well_formed.h"

namespace cubicbench::results {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// Four jobs: 10, out of memory, 12, 11.
WrittenStudy study(const std::string& searcher, int seed = 0) {
  return {.searcher = searcher,
          .seed = seed,
          .launches = {{.value = 10.0, .cost = 2.0, .truth = 9.5},
                       {.value = 0.0, .reason = "oom_late", .cost = 0.5},
                       {.value = 12.0, .cost = 2.0, .truth = 11.0},
                       {.value = 11.0, .cost = 2.0, .truth = 11.5}}};
}

StudySet read(const fs::path& folder) { return read_study_set(std::array{folder}); }

TEST(Curves, CountFailuresUnlessTheyAreHidden) {
  const ScratchFolder folder("curves");
  write_study(folder.path(), "e", study("evolution"));
  const StudySet set = read(folder.path());
  const auto groups = grouped_studies(set);
  ASSERT_EQ(groups.size(), 1U);
  const StudyGroup shown = group_of(groups[0], scenarios::Direction::maximize, {});
  EXPECT_EQ(shown.searchers[0].frontier, (Values{10.0, 10.0, 12.0, 12.0}));
  EXPECT_TRUE(shown.searchers[0].low.empty());
  const StudyGroup hidden =
      group_of(groups[0], scenarios::Direction::maximize, {.hide_failures = true});
  EXPECT_EQ(hidden.searchers[0].frontier, (Values{10.0, 12.0, 12.0}));
  const auto jobs = jobs_of(set.studies[0], scenarios::Direction::maximize, true);
  ASSERT_EQ(jobs.size(), 3U);
  EXPECT_EQ(jobs[1].launch, 2);
  EXPECT_EQ(jobs[1].cost_gpu_hours, 4.5);  // the hidden job was paid for
}

TEST(Curves, OfRandomSearchPoolTheJobsOfAllSeeds) {
  const ScratchFolder folder("curves_random");
  write_study(folder.path(), "r", study("random"));
  write_study(folder.path(), "e", study("evolution"));
  WrittenStudy second = study("random", 1);
  for (WrittenLaunch& launch : second.launches) launch.value *= 2.0;
  write_study(folder.path(), "s", second);
  const StudySet set = read(folder.path());
  const StudyGroup group =
      group_of(grouped_studies(set)[0], scenarios::Direction::maximize, {.permutations = 10});
  ASSERT_EQ(group.searchers.size(), 2U);
  EXPECT_EQ(group.searchers[0].searcher, "random");  // first, before evolution
  const SearcherCurves& random = group.searchers[0];
  EXPECT_TRUE(random.frontier.empty());
  ASSERT_EQ(random.exact_mean.size(), 4U);
  // One of 10, 0, 12, 11, 20, 0, 24, 22.
  EXPECT_DOUBLE_EQ(random.exact_mean[0], 99.0 / 8.0);
  EXPECT_EQ(random.permutation_mean.size(), 4U);
  EXPECT_EQ(random.low.size(), 4U);
}

TEST(SearchFigure, SaysWhatItShows) {
  const ScratchFolder folder("search_figure");
  write_study(folder.path(), "r", study("random"));
  write_study(folder.path(), "e", study("evolution"));
  const StudySet set = read(folder.path());
  StudyProblem problem;
  problem.objective.percentile = 90.0;
  problem.objective.metric = scenarios::Metric::samples_per_s;
  problem.label = label_of(problem.objective);
  problem.baseline_value = 10.5;
  const CurveOptions options{};
  const StudyGroup group = group_of(grouped_studies(set)[0], problem.objective.direction, options);
  const Figure figure = search_figure(group, problem, options, "f");
  EXPECT_EQ(figure.x_label, "number of jobs launched (failed ones count)");
  // The least is the mean of 100 draws from 10, 0, 12 and 11, near 8.25: above half of 12, so the
  // axis is cut and says so.
  EXPECT_EQ(figure.y_label, "90th-percentile samples/s (axis starts at 7)");
  EXPECT_EQ(figure.y_min, 7.0);
  ASSERT_EQ(figure.levels.size(), 1U);
  EXPECT_EQ(figure.levels[0].label, "baseline 10.5");
  std::vector<std::string> titles;
  for (const Series& series : figure.series) titles.push_back(series.title);
  EXPECT_THAT(titles, ElementsAre("random: jobs of seed 0", "evolution: jobs of seed 0",
                                  "random: best so far, mean of 100 orders",
                                  "random: best so far, exact mean", "evolution: best so far",
                                  "failed: out of memory later"));
  ASSERT_EQ(figure.strip.size(), 2U);
  EXPECT_EQ(figure.series[1].points, (std::vector<FigurePoint>{{1, 10}, {3, 12}, {4, 11}}));

  const CurveOptions hidden{.hide_failures = true};
  const Figure without = search_figure(
      group_of(grouped_studies(set)[0], problem.objective.direction, hidden), problem, hidden, "f");
  EXPECT_EQ(without.x_label, "number of jobs that finished (failed ones are not counted)");
  EXPECT_TRUE(without.strip.empty());
  // Now everything lies between 10 and 12, and the axis says that it does not start at zero.
  EXPECT_GT(without.y_min, 0.0);
  EXPECT_LT(without.y_min, 10.0);
  EXPECT_THAT(without.y_label, HasSubstr("(axis starts at 9."));
}

TEST(SearchTable, HoldsEveryJobAndEveryCurve) {
  const ScratchFolder folder("search_table");
  write_study(folder.path(), "e", study("evolution"));
  const StudySet set = read(folder.path());
  StudyProblem problem;
  problem.baseline_value = 10.5;
  const StudyGroup group = group_of(grouped_studies(set)[0], problem.objective.direction, {});
  EXPECT_EQ(search_table(group, problem, {}),
            "series,scenario,instance,searcher,seed,launch,trial,round,state,reason,value,"
            "true_value,best_so_far,cumulative_cost_gpu_hours\n"
            "baseline,made-up,0,,,,,,,,,10.5,,\n"
            "job,made-up,0,evolution,0,1,0,0,complete,,10,9.5,10,2\n"
            "job,made-up,0,evolution,0,2,1,0,fail,oom_late,,,10,2.5\n"
            "job,made-up,0,evolution,0,3,2,0,complete,,12,11,12,4.5\n"
            "job,made-up,0,evolution,0,4,3,0,complete,,11,11.5,12,6.5\n"
            "frontier,made-up,0,evolution,,1,,,,,,,10,\n"
            "frontier,made-up,0,evolution,,2,,,,,,,10,\n"
            "frontier,made-up,0,evolution,,3,,,,,,,12,\n"
            "frontier,made-up,0,evolution,,4,,,,,,,12,\n");
}

TEST(LabelOf, NamesPercentileAndUnit) {
  using scenarios::Metric;
  EXPECT_EQ(label_of({Metric::tokens_per_s, 50.0}), "50th-percentile tokens/s");
  EXPECT_EQ(label_of({Metric::step_time_s, 1.0}), "1st-percentile step time (s)");
  EXPECT_EQ(label_of({Metric::mfu, 12.0}), "12th-percentile MFU");
  EXPECT_EQ(label_of({Metric::samples_per_s, 99.5}), "99.5th-percentile samples/s");
}

TEST(ProblemOf, KnowsTheBaselineOfTheScenarioThatWasSearched) {
  StudyResult result;
  result.scenario = "made-up";
  EXPECT_THAT(problem_of(result).note, HasSubstr("made-up is not in the library"));
  EXPECT_EQ(problem_of(result).label, "objective");
  result.scenario = "tiny-llama";
  result.scenario_sha256 = "0";
  EXPECT_THAT(problem_of(result).note, HasSubstr("is not the one that was searched"));
  EXPECT_EQ(problem_of(result).baseline_value, std::nullopt);
  EXPECT_EQ(problem_of(result).label, label_of(scenarios::read_scenario("tiny-llama").objective));
}

TEST(Report, IsWellFormedWhateverNamesHold) {
  const ScratchFolder folder("report_names");
  WrittenStudy odd = study("external:python3 <x> & \"y\"");
  odd.scenario = "a<b>&\"c\"/../d";
  write_study(folder.path() / "in", "odd", odd);
  WrittenStudy none = study("random");
  none.scenario = "none-succeeds";
  for (WrittenLaunch& launch : none.launches) launch = {.value = 0.0, .reason = "invalid"};
  write_study(folder.path() / "in", "none", none);
  const fs::path page = folder.path() / "out.html";
  EXPECT_THAT(write_report(read(folder.path() / "in"), page),
              ElementsAre("out.html", "out.a-b---c-----d.svg", "out.a-b---c-----d.csv",
                          "out.none-succeeds.svg", "out.none-succeeds.csv"));
  const std::string html = read_text(page);
  EXPECT_EQ(xml_problem(html), "");
  EXPECT_EQ(xml_problem(read_text(folder.path() / "out.none-succeeds.svg")), "");
  EXPECT_THAT(html, HasSubstr("a&lt;b&gt;&amp;&quot;c&quot;/../d"));
  EXPECT_THAT(html, Not(HasSubstr("python3 <x>")));
  EXPECT_THAT(html, HasSubstr("No launch succeeded."));
  EXPECT_THAT(html, HasSubstr("<p>Objective. "));
}

TEST(Report, NeedsNothingElseAndTellsHowToMakeItAgain) {
  const ScratchFolder folder("report_page");
  write_study(folder.path() / "in", "r", study("random"));
  write_study(folder.path() / "in", "e", study("evolution"));
  const StudySet set = read(folder.path() / "in");
  write_report(set, folder.path() / "page.html");
  const std::string html = read_text(folder.path() / "page.html");
  for (const char* absent : {"<script", "<link", "<img", "@import", "url(", "src=", "href=\"http",
                             CUBICBENCH_BINARY_DIR}) {
    EXPECT_THAT(html, Not(HasSubstr(absent)));
  }
  for (const char* present :
       {"<svg role=\"img\"", "prefers-color-scheme: dark", "viewport",
        "cubicbench search made-up --searcher evolution,random --trials 4 --seeds 1 --out DIR\n"
        "cubicbench report DIR --out page.html",
        "cubicbench simulate made-up --set micro_batch=2 --set sharding=full_shard --set "
        "compile=true",
        "Trial 2 of seed 0: measured 12.0, 11.0 without noise.", "oom_late", "25.0 %", "7.7 %",
        "href=\"page.made-up.svg\"", "href=\"page.made-up.csv\"",
        "made-up is not in the library"}) {
    EXPECT_THAT(html, HasSubstr(present));
  }
}

TEST(Report, IsTheSameBytesEachTime) {
  const ScratchFolder folder("report_twice");
  write_study(folder.path() / "in", "r", study("random"));
  WrittenStudy other = study("random");
  other.instance = 1;
  write_study(folder.path() / "in", "s", other);
  for (const char* run : {"one", "two"}) {
    fs::create_directories(folder.path() / run);
    EXPECT_THAT(write_report(read(folder.path() / "in"), folder.path() / run / "p.html"),
                ElementsAre("p.html", "p.made-up.0.svg", "p.made-up.0.csv", "p.made-up.1.svg",
                            "p.made-up.1.csv"));
  }
  for (const char* file : {"p.html", "p.made-up.0.svg", "p.made-up.0.csv", "p.made-up.1.svg"}) {
    const std::string text = read_text(folder.path() / "one" / file);
    EXPECT_GT(text.size(), 100U);
    EXPECT_EQ(text, read_text(folder.path() / "two" / file)) << file;
  }
}

}  // namespace
}  // namespace cubicbench::results
