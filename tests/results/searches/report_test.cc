#include "results/searches/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "results/document/html.h"
#include "results/searches/search_figure.h"
#include "scenarios/readers/scenario_reader.h"
#include "scenarios/truth/instance.h"
#include "tests/results/page_text.h"
#include "tests/results/well_formed.h"
#include "tests/search/written_search.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::results {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// Four jobs: 10, out of memory, 12, 11.
search::WrittenStudy study(const std::string& searcher, int seed = 0) {
  return {.searcher = searcher,
          .seed = seed,
          .launches = {{.value = 10.0, .cost = 2.0, .truth = 9.5},
                       {.value = 0.0, .reason = "oom_late", .cost = 0.5},
                       {.value = 12.0, .cost = 2.0, .truth = 11.0},
                       {.value = 11.0, .cost = 2.0, .truth = 11.5}}};
}

search::StudySet read(const fs::path& folder) { return search::read_study_set(std::array{folder}); }

/// The only problem of the set.
SearchedProblem problem_of(const search::StudySet& set, const CurveOptions& options = {}) {
  return searched_problem(grouped_studies(set).front(), {}, options);
}

TEST(Curves, CountFailuresUnlessTheyAreHidden) {
  const TemporaryFolder folder;
  write_study(folder.path(), "e", study("evolution"));
  const search::StudySet set = read(folder.path());
  const auto groups = grouped_studies(set);
  ASSERT_EQ(groups.size(), 1U);
  const std::vector<SearcherCurves> shown = searcher_curves(groups[0], {});
  EXPECT_EQ(shown[0].frontier, (search::Values{10.0, 10.0, 12.0, 12.0}));
  EXPECT_TRUE(shown[0].low.empty());
  const std::vector<SearcherCurves> hidden = searcher_curves(groups[0], {.hide_failures = true});
  EXPECT_EQ(hidden[0].frontier, (search::Values{10.0, 12.0, 12.0}));
  const auto jobs = jobs_of(set.studies[0], true);
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
  search::WrittenStudy second = study("random", 1);
  for (search::WrittenLaunch& launch : second.launches) launch.value *= 2.0;
  write_study(folder.path(), "s", second);
  const search::StudySet set = read(folder.path());
  const auto all = searcher_curves(grouped_studies(set)[0], {.permutations = 10});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].series, "random");  // first, before evolution
  const SearcherCurves& random = all[0];
  EXPECT_TRUE(random.frontier.empty());
  ASSERT_EQ(random.exact_mean.size(), 4U);
  // One of 10, 0, 12, 11, 20, 0, 24, 22.
  EXPECT_DOUBLE_EQ(random.exact_mean[0], 99.0 / 8.0);
  EXPECT_EQ(random.permutation_mean.size(), 4U);
  const std::vector<double> pool{10.0, 0.0, 12.0, 11.0, 20.0, 0.0, 24.0, 22.0};
  EXPECT_EQ(random.low, search::best_quantile(pool, 4, 0.25, scenarios::Direction::maximize));
  EXPECT_EQ(random.high, search::best_quantile(pool, 4, 0.75, scenarios::Direction::maximize));
  EXPECT_LT(random.low[0], random.high[0]);
}

TEST(SearchFigure, SaysWhatItShows) {
  const TemporaryFolder folder;
  for (const char* const searcher : {"random", "evolution"}) {
    search::WrittenStudy written = study(searcher);
    written.objective = {.metric = scenarios::Metric::samples_per_s, .percentile = 90.0};
    write_study(folder.path(), searcher, written);
  }
  const search::StudySet set = read(folder.path());
  SearchedProblem problem = problem_of(set);
  problem.baseline.value = 10.5;
  const Figure figure = search_figure(problem, "f");
  EXPECT_EQ(figure.x.label, "number of jobs launched (failed ones count)");
  // The least is the mean of 100 draws from 10, 0, 12 and 11, near 8.25: above half of 12, so the
  // axis is cut and says so.
  EXPECT_EQ(figure.y.label, "P90 samples/s (axis starts at 7)");
  EXPECT_EQ(figure.y.min, 7.0);
  ASSERT_EQ(figure.levels.size(), 1U);
  EXPECT_EQ(figure.levels[0].label, "baseline 10.5");
  std::vector<std::string> titles;
  for (const Series& series : figure.series) titles.push_back(name_of(series));
  // The dots of the last, the lines, then the legend.
  EXPECT_THAT(titles, ElementsAre("", "random, mean of 100 orders", "random, exact mean",
                                  "evolution", "failed: out of memory later"));
  ASSERT_EQ(figure.strip.size(), 2U);
  EXPECT_EQ(figure.series[0].points, (std::vector<FigurePoint>{{1, 10}, {3, 12}, {4, 11}}));

  const Figure without = search_figure(problem_of(set, {.hide_failures = true}), "f");
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
  const search::StudySet set = read(folder.path());
  SearchedProblem problem = problem_of(set);
  problem.baseline.value = 10.5;
  EXPECT_EQ(search_csv(problem),
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
  // The failed job is in no curve, but it is still a row.
  EXPECT_THAT(search_csv(problem_of(set, {.hide_failures = true})),
              HasSubstr("job,made-up,0,evolution,0,2,1,0,fail,oom_late,,,10,2.5,\n"
                        "job,made-up,0,evolution,0,3,2,0,complete,,12,11,12,4.5,2\n"));
}

/// Writes the page on the studies.
std::vector<std::string> write(const search::StudySet& set, const fs::path& page,
                               const CurveOptions& options = {}) {
  const auto problems = searched_problems(set, {}, options);
  return write_page(report_document(set, problems, page, {.curves = options}), page);
}

std::string page_of(const fs::path& folder, const CurveOptions& options = {}) {
  write(read(folder), folder / "page.html", options);
  return without_tooltips(read_text(folder / "page.html"));
}

TEST(Report, OfAMinimisedMetricFollowsTheLeast) {
  const TemporaryFolder folder;
  search::WrittenStudy written = study("evolution");
  written.objective = {scenarios::Metric::step_time_s, 50.0, scenarios::Direction::minimize};
  write_study(folder.path(), "e", written);
  const std::string html = page_of(folder.path());
  EXPECT_THAT(html, HasSubstr("The objective is median step time (s)"));
  EXPECT_THAT(html, HasSubstr("evolution: trial 0 of seed 0, measured 10.0"));
  EXPECT_THAT(read_text(folder.path() / "page.made-up.csv"),
              HasSubstr("\nfrontier,made-up,0,evolution,,4,,,,,,,10,,4\n"));
}

TEST(Report, OfRealRunsClaimsNoTruth) {
  const TemporaryFolder folder;
  const scenarios::Scenario scenario = scenarios::read_scenario("tiny-llama");
  search::WrittenStudy real = study("random");
  real.scenario = scenario.name;
  real.scenario_sha256 = scenario.sha256;
  real.truth_sha256 = "";
  real.backend = "command:./run.sh";
  for (search::WrittenLaunch& launch : real.launches) launch.truth = 0.0;
  write_study(folder.path(), "r", real);
  const std::string html = page_of(folder.path());
  for (const char* const absent :
       {"noise-free", "same bytes", ">without noise<", ">gain over baseline<", ">baseline "}) {
    EXPECT_THAT(html, Not(HasSubstr(absent)));
  }
  for (const char* const present :
       {"Each dot is the measured value of one real run of ", "These were real runs",
        "none: real runs", "Real runs measure something else each time",
        "--backend command:./run.sh"}) {
    EXPECT_THAT(html, HasSubstr(present));
  }
}

TEST(Report, OfASimulatedSearchWithoutItsTruthClaimsNone) {
  const TemporaryFolder folder;
  write_study(folder.path(), "r", study("random"));
  fs::remove_all(folder.path() / "truth");
  const std::string html = page_of(folder.path());
  EXPECT_THAT(html, Not(HasSubstr(">without noise<")));
  EXPECT_THAT(html, HasSubstr("Values without noise were not kept."));
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
  search::WrittenStudy many = study("evolution", 1);
  for (search::WrittenLaunch& launch : many.launches) launch.value = 9.0;
  write_study(folder.path(), "a", study("evolution"));
  write_study(folder.path(), "b", study("sobol"));
  write_study(folder.path(), "c", many);
  const CurveOptions hidden{.hide_failures = true};
  // Of evolution one seed has four jobs that succeeded, the other three; sobol has three.
  EXPECT_THAT(page_of(folder.path(), hidden),
              HasSubstr("A line ends with its jobs. A median is over the seeds that have that many "
                        "jobs that succeeded, as long as they are at least half: sobol at 3."));
  EXPECT_THAT(page_of(folder.path()), Not(HasSubstr("A line ends with its jobs")));
}

TEST(Report, WithoutASuccessSaysSoInTheFigure) {
  const TemporaryFolder folder;
  search::WrittenStudy failed = study("evolution");
  for (search::WrittenLaunch& launch : failed.launches)
    launch = {.value = 0.0, .reason = "timeout"};
  write_study(folder.path(), "a", failed);
  failed.seed = 1;
  write_study(folder.path(), "b", failed);
  const search::StudySet set = read(folder.path());
  for (const bool hide : {false, true}) {
    const Figure figure = search_figure(problem_of(set, {.hide_failures = hide}), "f");
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
  const search::StudySet set = read(folder.path());
  const SearchedProblem problem = problem_of(set);
  const Figure figure = search_figure(problem, "f");
  std::set<std::string> titles;
  std::set<std::pair<std::string, int>> lines;
  for (const Series& series : figure.series) {
    if (series.label.empty()) continue;
    titles.insert(series.label);
    lines.insert({series.color, series.dash});
  }
  EXPECT_EQ(titles.size(), 13U);  // one entry each
  EXPECT_GE(lines.size(), 12U);
  EXPECT_THAT(search_caption(problem),
              HasSubstr("After 12 series colours, dashes and marks repeat."));
}

TEST(Report, ListsTheFoldersThatWereAsked) {
  const TemporaryFolder folder;
  search::WrittenStudy other = study("random");
  other.scenario = "second";
  write_study(folder.path() / "a", "r", study("random"));
  write_study(folder.path() / "a", "s", other);
  search::WrittenStudy drop = study("random");
  drop.telling = "drop";
  write_study(folder.path() / "b b", "r", drop);
  write(search::read_study_set(std::array{folder.path() / "a" / "", folder.path() / "b b"}),
        folder.path() / "page.html");
  EXPECT_THAT(read_text(folder.path() / "page.html"),
              HasSubstr("<pre>cubicbench search made-up second --searcher random --trials 4 "
                        "--seeds 1 --start none "
                        "--out a\n"
                        "cubicbench search made-up --searcher random --trials 4 --seeds 1 "
                        "--telling drop --start none "
                        "--out &#39;b b&#39;\n"
                        "cubicbench report a &#39;b b&#39; --out page.html</pre>"));
}

TEST(Report, IsWellFormedWhateverNamesHold) {
  const TemporaryFolder folder;
  search::WrittenStudy odd = study("external:python3 <x> & \"y\"");
  odd.scenario = "a-b";  // of scenarios only names that make files are read
  write_study(folder.path() / "in", "odd", odd);
  search::WrittenStudy none = study("random");
  none.scenario = "none-succeeds";
  for (search::WrittenLaunch& launch : none.launches) launch = {.value = 0.0, .reason = "invalid"};
  write_study(folder.path() / "in", "none", none);
  const fs::path page = folder.path() / "out.html";
  EXPECT_THAT(write(read(folder.path() / "in"), page),
              ElementsAre("out.html", "out.a-b.svg", "out.a-b.csv", "out.none-succeeds.svg",
                          "out.none-succeeds.csv"));
  const std::string html = read_text(page);
  EXPECT_EQ(xml_problem(html), "");
  EXPECT_EQ(xml_problem(read_text(folder.path() / "out.none-succeeds.svg")), "");
  EXPECT_THAT(html, Not(HasSubstr("python3 <x>")));
  EXPECT_THAT(without_tooltips(html), HasSubstr("No launch succeeded on none-succeeds."));
  EXPECT_THAT(without_tooltips(html), HasSubstr("<p>The objective is median tokens/s. "));
}

TEST(Report, NeedsNothingElseAndTellsHowToMakeItAgain) {
  const TemporaryFolder folder;
  write_study(folder.path() / "in", "r", study("random"));
  write_study(folder.path() / "in", "e", study("evolution"));
  const search::StudySet set = read(folder.path() / "in");
  write(set, folder.path() / "page.html");
  const std::string html = read_text(folder.path() / "page.html");
  for (const char* absent : {"<script", "<link", "<img", "@import", "url(", "src=", "href=\"http",
                             folder.path().c_str()}) {
    EXPECT_THAT(html, Not(HasSubstr(absent)));
  }
  for (const char* present :
       {"<svg role=\"img\"", "prefers-color-scheme: dark", "viewport",
        "cubicbench search made-up --searcher random,evolution --trials 4 --seeds 1 --start none "
        "--out in\n"
        "cubicbench report in --out page.html",
        "cubicbench simulate made-up --set micro_batch=2 --set sharding=full_shard --set "
        "compile=true",
        "trial 2 of seed 0, measured 12.0, 11.0 without noise.", "oom_late", "25.0 %", "7.7 %",
        "href=\"page.made-up.svg\"", "href=\"page.made-up.csv\"",
        "made-up that was searched is not in the library"}) {
    EXPECT_THAT(html, HasSubstr(present));
  }
}

TEST(Report, IsTheSameBytesEachTime) {
  const TemporaryFolder folder;
  write_study(folder.path() / "in", "r", study("random"));
  search::WrittenStudy other = study("random");
  other.instance = 1;
  write_study(folder.path() / "in", "s", other);
  for (const char* run : {"one", "two"}) {
    fs::create_directories(folder.path() / run);
    EXPECT_THAT(write(read(folder.path() / "in"), folder.path() / run / "p.html"),
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
