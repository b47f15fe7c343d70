#include "results/searches/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "results/searches/search_caption.h"
#include "results/searches/search_csv.h"
#include "results/searches/search_figure.h"
#include "results/studies/study_problem.h"
#include "scenarios/readers/scenario_reader.h"
#include "scenarios/truth/instance.h"
#include "tests/results/search_folder.h"
#include "tests/results/well_formed.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

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
  const TemporaryFolder folder;
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
  ASSERT_EQ(jobs.size(), 4U);
  EXPECT_EQ(jobs[1].plotted_at, std::nullopt);
  EXPECT_EQ(jobs[2].launch, 3);
  EXPECT_EQ(jobs[2].plotted_at, 2);
  EXPECT_EQ(jobs[2].cost_gpu_hours, 4.5);  // the hidden job was paid for
}

TEST(Curves, OfRandomSearchPoolTheJobsOfAllSeeds) {
  const TemporaryFolder folder;
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
  const TemporaryFolder folder;
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
  EXPECT_EQ(figure.x.label, "number of jobs launched (failed ones count)");
  // The least is the mean of 100 draws from 10, 0, 12 and 11, near 8.25: above half of 12, so the
  // axis is cut and says so.
  EXPECT_EQ(figure.y.label, "90th-percentile samples/s (axis starts at 7)");
  EXPECT_EQ(figure.y.min, 7.0);
  ASSERT_EQ(figure.levels.size(), 1U);
  EXPECT_EQ(figure.levels[0].label, "baseline 10.5");
  std::vector<std::string> titles;
  for (const Series& series : figure.series) titles.push_back(series.title);
  // The dots and the lines, then the legend.
  EXPECT_THAT(titles,
              ElementsAre("", "", "", "", "", "random: mean of 100 orders", "random: exact mean",
                          "evolution", "failed: out of memory later"));
  ASSERT_EQ(figure.strip.size(), 2U);
  EXPECT_EQ(figure.series[1].points, (std::vector<FigurePoint>{{1, 10}, {3, 12}, {4, 11}}));

  const CurveOptions hidden{.hide_failures = true};
  const Figure without = search_figure(
      group_of(grouped_studies(set)[0], problem.objective.direction, hidden), problem, hidden, "f");
  EXPECT_EQ(without.x.label, "number of jobs that finished (failed ones are not counted)");
  EXPECT_TRUE(without.strip.empty());
  // Now everything lies between 10 and 12, and the axis says that it does not start at zero.
  EXPECT_GT(without.y.min, 0.0);
  EXPECT_LT(without.y.min, 10.0);
  EXPECT_THAT(without.y.label, HasSubstr("(axis starts at 9."));
}

TEST(SearchCsv, HoldsEveryJobAndEveryCurve) {
  const TemporaryFolder folder;
  write_study(folder.path(), "e", study("evolution"));
  const StudySet set = read(folder.path());
  StudyProblem problem;
  problem.baseline_value = 10.5;
  const StudyGroup group = group_of(grouped_studies(set)[0], problem.objective.direction, {});
  EXPECT_EQ(search_csv(group, problem, {}),
            "series,scenario,instance,searcher,seed,launch,trial,round,state,reason,value,"
            "true_value,best_so_far,cumulative_cost_gpu_hours,plotted_at\n"
            "baseline,made-up,0,,,,,,,,,10.5,,,\n"
            "job,made-up,0,evolution,0,1,0,0,complete,,10,9.5,10,2,1\n"
            "job,made-up,0,evolution,0,2,1,0,fail,oom_late,,,10,2.5,2\n"
            "job,made-up,0,evolution,0,3,2,0,complete,,12,11,12,4.5,3\n"
            "job,made-up,0,evolution,0,4,3,0,complete,,11,11.5,12,6.5,4\n"
            "frontier,made-up,0,evolution,,1,,,,,,,10,,1\n"
            "frontier,made-up,0,evolution,,2,,,,,,,10,,2\n"
            "frontier,made-up,0,evolution,,3,,,,,,,12,,3\n"
            "frontier,made-up,0,evolution,,4,,,,,,,12,,4\n");
  const CurveOptions hidden{.hide_failures = true};
  const StudyGroup without = group_of(grouped_studies(set)[0], problem.objective.direction, hidden);
  // The failed job is in no curve, but it is still a row.
  EXPECT_THAT(search_csv(without, problem, hidden),
              HasSubstr("job,made-up,0,evolution,0,2,1,0,fail,oom_late,,,10,2.5,\n"
                        "job,made-up,0,evolution,0,3,2,0,complete,,12,11,12,4.5,2\n"));
}

TEST(LabelOf, NamesPercentileAndUnit) {
  using scenarios::Metric;
  EXPECT_EQ(label_of({Metric::tokens_per_s, 50.0}), "50th-percentile tokens/s");
  EXPECT_EQ(label_of({Metric::step_time_s, 1.0}), "1st-percentile step time (s)");
  EXPECT_EQ(label_of({Metric::mfu, 12.0}), "12th-percentile MFU");
  EXPECT_EQ(label_of({Metric::samples_per_s, 99.5}), "99.5th-percentile samples/s");
}

StudyResult result_of(const std::string& scenario) {
  StudyResult result;
  result.scenario = scenario;
  result.truth_sha256 = "7777";
  result.objective = {scenarios::Metric::step_time_s, 90.0, scenarios::Direction::minimize};
  return result;
}

TEST(ProblemOf, KnowsTheObjectiveFromTheStudyAndNotFromTheLibrary) {
  for (const char* const name : {"made-up", "tiny-llama"}) {  // the second is another of that name
    const StudyProblem problem = problem_of(result_of(name));
    EXPECT_EQ(problem.objective, result_of(name).objective);
    EXPECT_EQ(problem.label, "90th-percentile step time (s)");
    EXPECT_EQ(problem.baseline_value, std::nullopt);
    EXPECT_TRUE(problem.baseline.empty());
  }
  EXPECT_THAT(problem_of(result_of("made-up")).note, HasSubstr("made-up is not in the library"));
  EXPECT_THAT(problem_of(result_of("tiny-llama")).note,
              HasSubstr("is not the one that was searched"));
}

TEST(ProblemOf, KnowsTheBaselineOfTheScenarioThatWasSearched) {
  const scenarios::Scenario scenario = scenarios::read_scenario("tiny-llama");
  StudyResult result = result_of("tiny-llama");
  result.scenario_sha256 = scenario.sha256;
  result.truth_sha256 = truth_sha256(scenarios::Instance(scenario, 0));
  const StudyProblem problem = problem_of(result);
  EXPECT_EQ(problem.note, "");
  EXPECT_TRUE(problem.baseline_value.has_value());
  EXPECT_FALSE(problem.baseline.empty());
  // Another physics, and none at all.
  result.truth_sha256 = "7777";
  EXPECT_EQ(problem_of(result).baseline_value, std::nullopt);
  EXPECT_THAT(problem_of(result).note, HasSubstr("answers otherwise"));
  result.truth_sha256 = "";
  EXPECT_TRUE(problem_of(result).real);
  EXPECT_EQ(problem_of(result).baseline_value, std::nullopt);
  EXPECT_EQ(problem_of(result).baseline, problem.baseline);
  EXPECT_THAT(problem_of(result).note, HasSubstr("real runs"));
}

/// The page on the studies in `folder`.
std::string page_of(const fs::path& folder, const ReportOptions& options = {}) {
  write_report(read(folder), folder / "page.html", options);
  return read_text(folder / "page.html");
}

TEST(Report, OfAMinimisedMetricFollowsTheLeast) {
  const TemporaryFolder folder;
  WrittenStudy written = study("evolution");
  written.objective = {scenarios::Metric::step_time_s, 50.0, scenarios::Direction::minimize};
  write_study(folder.path(), "e", written);
  const std::string html = page_of(folder.path());
  EXPECT_THAT(html, HasSubstr("50th-percentile step time (s)"));
  EXPECT_THAT(html, HasSubstr("Trial 0 of seed 0: measured 10.0"));
  EXPECT_THAT(read_text(folder.path() / "page.made-up.csv"),
              HasSubstr("\nfrontier,made-up,0,evolution,,4,,,,,,,10,,4\n"));
}

TEST(Report, OfRealRunsClaimsNoTruth) {
  const TemporaryFolder folder;
  const scenarios::Scenario scenario = scenarios::read_scenario("tiny-llama");
  WrittenStudy real = study("random");
  real.scenario = scenario.name;
  real.scenario_sha256 = scenario.sha256;
  real.truth_sha256 = "";
  real.backend = "command:./run.sh";
  for (WrittenLaunch& launch : real.launches) launch.truth = 0.0;
  write_study(folder.path(), "r", real);
  const std::string html = page_of(folder.path());
  for (const char* const absent :
       {"noise-free", "same bytes", "The same without noise", "Gain over", ">baseline "}) {
    EXPECT_THAT(html, Not(HasSubstr(absent)));
  }
  for (const char* const present :
       {"Each dot is what one real run measured.", "These were real runs", "none: real runs",
        "Real runs measure something else each time", "--backend command:./run.sh"}) {
    EXPECT_THAT(html, HasSubstr(present));
  }
}

TEST(Report, OfASimulatedSearchWithoutItsTruthClaimsNone) {
  const TemporaryFolder folder;
  write_study(folder.path(), "r", study("random"));
  fs::remove_all(folder.path() / "truth");
  const std::string html = page_of(folder.path());
  EXPECT_THAT(html, Not(HasSubstr("The same without noise")));
  EXPECT_THAT(html, HasSubstr("what it is without noise was not kept"));
}

TEST(Report, SaysWhatIsMissing) {
  const TemporaryFolder folder;
  for (int seed = 0; seed < 3; ++seed) {
    write_study(folder.path(), std::to_string(seed), study("sobol", seed));
  }
  fs::remove(folder.path() / "journals" / "2.jsonl");
  EXPECT_THAT(page_of(folder.path()),
              HasSubstr("made-up: 1 of 3 studies has not begun: made-up.0.sobol.2."));
}

TEST(Report, SaysWhereLinesEnd) {
  const TemporaryFolder folder;
  WrittenStudy many = study("evolution", 1);
  for (WrittenLaunch& launch : many.launches) launch.value = 9.0;
  write_study(folder.path(), "a", study("evolution"));
  write_study(folder.path(), "b", study("sobol"));
  write_study(folder.path(), "c", many);
  const ReportOptions hidden{.curves = {.hide_failures = true}, .title = "t", .commands = {}};
  // Of evolution one seed has four jobs that succeeded, the other three; sobol has three.
  EXPECT_THAT(page_of(folder.path(), hidden),
              HasSubstr("A line goes as far as there are jobs, a median as far as at least half of "
                        "the seeds have that many jobs that succeeded, and is over those that do: "
                        "sobol at 3."));
  EXPECT_THAT(page_of(folder.path()), Not(HasSubstr("A line goes as far as")));
}

TEST(Report, WithoutASuccessSaysSoInTheFigure) {
  const TemporaryFolder folder;
  WrittenStudy failed = study("evolution");
  for (WrittenLaunch& launch : failed.launches) launch = {.value = 0.0, .reason = "timeout"};
  write_study(folder.path(), "a", failed);
  failed.seed = 1;
  write_study(folder.path(), "b", failed);
  const StudySet set = read(folder.path());
  for (const bool hide : {false, true}) {
    const CurveOptions options{.hide_failures = hide};
    const StudyGroup group =
        group_of(grouped_studies(set)[0], scenarios::Direction::maximize, options);
    const Figure figure = search_figure(group, {}, options, "f");
    EXPECT_EQ(figure.message, "no launch succeeded");
    EXPECT_EQ(figure.x.max, 4.0);
    EXPECT_EQ(figure.y.min, 0.0);
    EXPECT_GE(figure.y.max, 1.0);
    for (const Series& series : figure.series) EXPECT_TRUE(series.points.empty());
    EXPECT_EQ(figure.strip.empty(), hide);
    EXPECT_THAT(svg_of(figure), HasSubstr("no launch succeeded"));
  }
}

TEST(Report, TellsTwelveSeriesApart) {
  const TemporaryFolder folder;
  for (int i = 0; i < 13; ++i) {
    const std::string name = "evolution:sample=" + std::to_string(10 + i);
    write_study(folder.path(), std::to_string(i), study(name));
  }
  const StudySet set = read(folder.path());
  const StudyGroup group = group_of(grouped_studies(set)[0], scenarios::Direction::maximize, {});
  const Figure figure = search_figure(group, {}, {}, "f");
  std::set<std::string> titles;
  std::set<std::pair<std::string, int>> lines;
  std::set<std::pair<std::string, PointMark>> dots;
  for (const Series& series : figure.series) {
    if (series.style != SeriesStyle::marked_line) continue;
    titles.insert(series.title);
    lines.insert({series.color, series.dash});
    dots.insert({series.color, series.mark});
  }
  EXPECT_EQ(titles.size(), 13U);  // one entry each
  EXPECT_EQ(lines.size(), 12U);
  EXPECT_EQ(dots.size(), 12U);
  EXPECT_THAT(search_caption(group, {}, {}),
              HasSubstr("After 12 series colours, dashes and marks begin again."));
}

TEST(Report, ListsTheFoldersThatWereAsked) {
  const TemporaryFolder folder;
  WrittenStudy other = study("random");
  other.scenario = "second";
  write_study(folder.path() / "a", "r", study("random"));
  write_study(folder.path() / "a", "s", other);
  WrittenStudy drop = study("random");
  drop.telling = "drop";
  write_study(folder.path() / "b b", "r", drop);
  write_report(read_study_set(std::array{folder.path() / "a" / "", folder.path() / "b b"}),
               folder.path() / "page.html");
  EXPECT_THAT(
      read_text(folder.path() / "page.html"),
      HasSubstr("<pre>cubicbench search made-up second --searcher random --trials 4 --seeds 1 "
                "--out a\n"
                "cubicbench search made-up --searcher random --trials 4 --seeds 1 --telling drop "
                "--out &#39;b b&#39;\n"
                "cubicbench report a &#39;b b&#39; --out page.html</pre>"));
}

TEST(Report, IsWellFormedWhateverNamesHold) {
  const TemporaryFolder folder;
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
  EXPECT_THAT(html, HasSubstr("<p>50th-percentile tokens/s. "));
}

TEST(Report, NeedsNothingElseAndTellsHowToMakeItAgain) {
  const TemporaryFolder folder;
  write_study(folder.path() / "in", "r", study("random"));
  write_study(folder.path() / "in", "e", study("evolution"));
  const StudySet set = read(folder.path() / "in");
  write_report(set, folder.path() / "page.html");
  const std::string html = read_text(folder.path() / "page.html");
  for (const char* absent : {"<script", "<link", "<img", "@import", "url(", "src=", "href=\"http",
                             folder.path().c_str()}) {
    EXPECT_THAT(html, Not(HasSubstr(absent)));
  }
  for (const char* present :
       {"<svg role=\"img\"", "prefers-color-scheme: dark", "viewport",
        "cubicbench search made-up --searcher random,evolution --trials 4 --seeds 1 --out in\n"
        "cubicbench report in --out page.html",
        "cubicbench simulate made-up --set micro_batch=2 --set sharding=full_shard --set "
        "compile=true",
        "Trial 2 of seed 0: measured 12.0, 11.0 without noise.", "oom_late", "25.0 %", "7.7 %",
        "href=\"page.made-up.svg\"", "href=\"page.made-up.csv\"",
        "made-up is not in the library"}) {
    EXPECT_THAT(html, HasSubstr(present));
  }
}

TEST(Report, IsTheSameBytesEachTime) {
  const TemporaryFolder folder;
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
