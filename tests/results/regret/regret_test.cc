#include "search/finished/regret.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "datasets/exhaustive/enumerate.h"
#include "datasets/problem/table_scenario.h"
#include "results/document/cell_text.h"
#include "results/document/json.h"
#include "results/regret/regret_figure.h"
#include "results/searches/report.h"
#include "scenarios/readers/scenario_reader.h"
#include "search/backends/simulated_backends.h"
#include "search/finished/study_truth.h"
#include "support/input_error.h"
#include "support/json/canonical.h"
#include "support/json/json_document.h"
#include "tests/search/written_search.h"
#include "tests/temporary_folder.h"

namespace cubicbench::results {
namespace {

using datasets::Replacement;
using search::best_quantile;
using search::expected_best;
using search::ideal_random;
using search::RandomCurve;
using search::regret_scale;
using search::RegretScale;

namespace fs = std::filesystem;
using scenarios::Direction;
using scenarios::Reason;
using scenarios::TrueValue;
using testing::ElementsAre;
using testing::HasSubstr;

/// All of the space of `study` runs, evenly from 0 to 40: the median is 20, the optimum 40.
datasets::Enumeration space_of(const search::WrittenStudy& study) {
  datasets::Enumeration space;
  space.scenario = study.scenario;
  space.scenario_sha256 = study.scenario_sha256;
  space.truth_sha256 = study.truth_sha256;
  space.instance = study.instance;
  space.configurations = 4097;
  for (std::size_t i = 0; i < datasets::quantile_count; ++i) {
    space.quantiles.push_back(static_cast<double>(i) * 40.0 / 4096.0);
  }
  const bool maximize = study.objective.direction == Direction::maximize;
  space.optimum = datasets::Optimum{.value = maximize ? 40.0 : 0.0,
                                    .configs = {},
                                    .count = 1,
                                    .certified = true,
                                    .bound = maximize ? 40.0 : 0.0};
  for (std::int64_t k = 1; k <= 4; ++k) {
    const double best = 40.0 * static_cast<double>(k) / static_cast<double>(k + 1);
    const auto value_of = [&](double share) {
      const auto from_worst =
          datasets::best_rank(4097, static_cast<std::uint64_t>(k), share, Replacement::without) - 1;
      return space.quantiles[maximize ? from_worst : 4096 - from_worst];
    };
    const datasets::BestQuantiles quantiles{
        .p05 = value_of(0.05), .p25 = value_of(0.25), .p75 = value_of(0.75), .p95 = value_of(0.95)};
    space.best_of_k.push_back({.k = k,
                               .with_replacement = maximize ? best : 40.0 - best,
                               .without_replacement = maximize ? best : 40.0 - best,
                               .with_quantiles = quantiles,
                               .without_quantiles = quantiles});
  }
  return space;
}

TEST(Regret, IsZeroAtTheOptimumAndOneAtTheMedian) {
  const RegretScale more{.best = 40.0, .reference = 20.0, .failure = 0.0};
  EXPECT_EQ(regret_of(40.0, more), 0.0);
  EXPECT_EQ(regret_of(20.0, more), 1.0);
  EXPECT_EQ(regret_of(35.0, more), 0.25);
  EXPECT_EQ(regret_of(0.0, more), 2.0);
  EXPECT_EQ(regret_of(41.0, more), -0.05);  // what noise makes better than the optimum
  // Seconds: 10 at best, 20 at the median, 50 at worst.
  const RegretScale less{.best = 10.0, .reference = 20.0, .failure = 50.0};
  EXPECT_EQ(regret_of(10.0, less), 0.0);
  EXPECT_EQ(regret_of(20.0, less), 1.0);
  EXPECT_EQ(regret_of(12.5, less), 0.25);
  EXPECT_EQ(regret_of(50.0, less), 4.0);
}

TEST(Regret, HasAScaleOnlyWhereOptimumAndMedianAreKnown) {
  const datasets::Enumeration space = space_of({});
  EXPECT_EQ(regret_scale(space, Direction::maximize),
            (RegretScale{.best = 40.0, .reference = 20.0, .failure = 0.0}));
  datasets::Enumeration least = space;
  least.optimum->value = 0.0;
  EXPECT_EQ(regret_scale(least, Direction::minimize),
            (RegretScale{.best = 0.0, .reference = 20.0, .failure = 40.0}));
  datasets::Enumeration cut = space;
  cut.optimum->certified = false;
  EXPECT_EQ(regret_scale(cut, Direction::maximize), std::nullopt);
  cut.optimum.reset();
  EXPECT_EQ(regret_scale(cut, Direction::maximize), std::nullopt);
  datasets::Enumeration flat = space;
  flat.optimum->value = 20.0;  // half of the space is as good
  EXPECT_EQ(regret_scale(flat, Direction::maximize), std::nullopt);
  datasets::Enumeration bounded = space;
  bounded.quantiles.clear();
  EXPECT_EQ(regret_scale(bounded, Direction::maximize), std::nullopt);
}

search::StudyLaunch launch(search::StudyResult& study, int trial, std::optional<double> value) {
  search::StudyLaunch launch;
  launch.trial = trial;
  launch.value = value;
  launch.config = study.configs.keep({{"micro_batch", std::to_string(trial)}});
  if (!value) launch.state = scenarios::TrialState::fail;
  return launch;
}

TEST(Regret, IsOfTheConfigurationWhoseMeasurementsHaveTheBestMean) {
  search::StudyResult study;
  study.launches = {launch(study, 0, 30.0), launch(study, 1, 40.0), launch(study, 2, 20.0),
                    launch(study, 3, 34.0)};
  study.launches[2].config = study.launches[1].config;  // measured again: 30 on average
  const auto at = [](std::size_t position, double measured) {
    return search::Recommendation{.launch = position, .measured = measured};
  };
  // Of equal means that of the lowest trial.
  EXPECT_THAT(recommendations(study),
              ElementsAre(at(0, 30.0), at(1, 40.0), at(0, 30.0), at(3, 34.0)));
  study.stated = study.config_of(study.launches[2]);
  EXPECT_EQ(recommendations(study).back(), at(1, 30.0));
  study.stated = search::ConfigText{{"micro_batch", "77"}};
  EXPECT_THROW(recommendations(study), support::InputError);
}

TEST(Regret, IsOfTheConfigurationWithTheBestMeasuredValue) {
  search::StudyResult study;
  study.launches = {launch(study, 0, std::nullopt), launch(study, 2, 30.0), launch(study, 1, 30.0),
                    launch(study, 3, 38.0), launch(study, 4, 36.0)};
  // The two equal ones ended in another order than they began: the lower trial counts.
  const auto at = [](std::size_t position, double measured) {
    return search::Recommendation{.launch = position, .measured = measured};
  };
  EXPECT_THAT(recommendations(study),
              ElementsAre(std::nullopt, at(1, 30.0), at(2, 30.0), at(3, 38.0), at(3, 38.0)));
  search::StudyResult less = study;
  less.objective.direction = Direction::minimize;
  EXPECT_THAT(recommendations(less),
              ElementsAre(std::nullopt, at(1, 30.0), at(2, 30.0), at(2, 30.0), at(2, 30.0)));
  const RegretScale scale{.best = 40.0, .reference = 20.0, .failure = 0.0};
  // Trial 3 measured best by luck, and without noise does not end in time.
  const std::vector<std::optional<TrueValue>> truths{
      TrueValue{.reason = Reason::oom_init, .value = 0.0},
      TrueValue{.reason = Reason::none, .value = 28.0},
      TrueValue{.reason = Reason::none, .value = 32.0},
      TrueValue{.reason = Reason::timeout, .value = 0.0},
      TrueValue{.reason = Reason::none, .value = 40.0}};
  const auto regret = study_regret(study, recommendations(study), truths, scale);
  ASSERT_TRUE(regret);
  EXPECT_THAT(regret->recommended, ElementsAre(2.0, 0.6, 0.4, 2.0, 2.0));
  EXPECT_THAT(regret->observed, ElementsAre(2.0, 0.5, 0.5, 0.1, 0.1));
  // What is never recommended need not be known, anything else must.
  std::vector<std::optional<TrueValue>> some = truths;
  some[4].reset();
  EXPECT_TRUE(study_regret(study, recommendations(study), some, scale));
  some[2].reset();
  EXPECT_FALSE(study_regret(study, recommendations(study), some, scale));
  EXPECT_FALSE(study_regret({}, {}, {}, scale));
}

TEST(RegretText, HasFourDigitsAndTellsZeroFromNearly) {
  EXPECT_EQ(regret_text(0.0), "0");
  EXPECT_EQ(regret_text(1.2345), "1.234");
  EXPECT_EQ(regret_text(0.03125), "0.0312");
  EXPECT_EQ(regret_text(-0.0625),
            "\xE2\x88\x92"
            "0.0625");
  EXPECT_EQ(regret_text(3.14e-5), "3.1e-05");
  EXPECT_EQ(regret_text(9.96e-5), "1.0e-04");
}

/// Four launches of a made-up scenario: 30 (28 without noise), out of memory, 39 (36), 38 (39).
search::WrittenStudy study(int seed = 0) {
  return {.searcher = "evolution",
          .seed = seed,
          .launches = {{.value = 30.0, .cost = 2.0, .truth = 28.0},
                       {.value = 0.0, .reason = "oom_late", .cost = 0.5},
                       {.value = 39.0, .cost = 2.0, .truth = 36.0},
                       {.value = 38.0, .cost = 2.0, .truth = 39.0}}};
}

GivenSpaces spaces_of(const search::WrittenStudy& written) {
  return {{.space = space_of(written), .file = "made-up.json"}};
}

/// The only problem of the set.
SearchedProblem problem_in(const search::StudySet& set, const GivenSpaces& given) {
  return searched_problem(grouped_studies(set).front(), given, {});
}

/// The cell of the only row about the problem's series `i`.
Cell cell(const SearchedProblem& problem, std::size_t i, std::string_view key) {
  const std::vector<SeriesEnd> ends{problem.series[i].end};
  return chosen(table_of<SeriesEnd>(ends, series_fields()), {key}).rows[0][0];
}

TEST(SearchedProblem, MeasuresSeedsTogether) {
  const TemporaryFolder folder;
  search::WrittenStudy second = study(1);
  second.launches[2].truth = 40.0;
  write_study(folder.path(), "a", study());
  write_study(folder.path(), "b", second);
  const search::StudySet set = search::read_study_set(std::array{folder.path()});
  const SearchedProblem problem = problem_in(set, spaces_of(study()));
  ASSERT_EQ(problem.series.size(), 1U);
  const SearchedSeries& series = problem.series[0];
  EXPECT_EQ(series.end.name, "evolution");
  EXPECT_THAT(series.end.ends[0].curve->recommended, ElementsAre(0.6, 0.6, 0.2, 0.2));
  EXPECT_THAT(series.end.ends[1].curve->recommended, ElementsAre(0.6, 0.6, 0.0, 0.0));
  EXPECT_THAT(series.mean, ElementsAre(0.6, 0.6, 0.1, 0.1));
  EXPECT_THAT(series.low, ElementsAre(0.6, 0.6, 0.05, testing::DoubleEq(0.05)));
  EXPECT_THAT(series.high[3], testing::DoubleEq(0.15));
  EXPECT_EQ(cell_text(cell(problem, 0, "regret"), Show::figure, Spacing::roomy),
            "0.1000 (0.0500 to 0.1500)");
  EXPECT_EQ(cell_text(cell(problem, 0, "observed_regret"), Show::figure, Spacing::roomy), "0.0500");
  // The best of four is at 32 of 40 on average: (40 - 32) / 20.
  EXPECT_EQ(json_of(cell(problem, 0, "random_regret")).dump(),
            R"({"mean":0.4,"low":0.4,"high":0.4})");
  EXPECT_EQ(cell_text(cell(problem, 0, "random_regret"), Show::figure, Spacing::roomy), "0.4000");
  EXPECT_EQ(cell(problem, 0, "share_within_1_percent"), Cell(0.5));
  EXPECT_EQ(cell(problem, 0, "share_within_5_percent"), Cell(0.5));
  EXPECT_EQ(cell(problem, 0, "failed_share"), Cell(0.25));
  const auto text_of = [&](const char* key) {
    return cell_text(cell(problem, 0, key), Show::figure, Spacing::roomy);
  };
  EXPECT_EQ(text_of("measured"), "39.0 (39.0 to 39.0)");
  EXPECT_EQ(text_of("true_value"), "38.0 (36.0 to 40.0)");
  EXPECT_EQ(std::get<Record>(cell(problem, 0, "true_value").value()).number, 38.0);
  EXPECT_EQ(cell(problem, 0, "best"), Cell(39.0));
  const RandomCurve& random = problem.yardstick.random;
  EXPECT_EQ(random.mean.size(), 4U);
  EXPECT_DOUBLE_EQ(random.mean[0], 1.0);
  // One draw is within a rank of 5 % with a probability of 5 %: a regret of (40 - 38) / 20.
  EXPECT_NEAR(random.p05[0], 0.1, 1e-3);
  EXPECT_NEAR(random.p95[0], 1.9, 1e-3);
}

TEST(StudyEnd, GainsOverTheBaseline) {
  search::StudyResult result;
  result.launches = {launch(result, 0, 30.0)};
  result.launches[0].truth = TrueValue{.reason = Reason::none, .value = 36.0};
  EXPECT_EQ(end_of(result, {}).gain, std::nullopt);
  EXPECT_EQ(end_of(result, {.baseline = 18.0}).gain, 1.0);
  result.objective.direction = Direction::minimize;
  EXPECT_EQ(end_of(result, {.baseline = 72.0}).gain, 0.5);
  EXPECT_EQ(end_of(result, {.baseline = 0.0}).gain, std::nullopt);
  SeriesEnd series{.name = "s", .ends = {}};
  for (const double gain : {-0.5, 0.25, 1.0}) {
    series.ends.push_back({.study = &result, .gain = gain});
  }
  const Table table =
      chosen(table_of<SeriesEnd>(std::vector{series}, series_fields()), {"gain_over_baseline"});
  EXPECT_EQ(json_of(table.rows[0][0]).dump(), R"({"mean":0.25,"low":-0.125,"high":0.625})");
  EXPECT_EQ(cell_text(table.rows[0][0], Show::figure, Spacing::roomy), "+25.0 %");
}

TEST(SearchedProblem, WhereLessIsBetterAFailureIsTheWorstOfTheSpace) {
  const TemporaryFolder folder;
  search::WrittenStudy written = study();
  written.objective = {scenarios::Metric::step_time_s, 50.0, Direction::minimize};
  written.launches[0] = {.value = 0.0, .reason = "oom_init"};
  write_study(folder.path(), "a", written);
  const search::StudySet set = search::read_study_set(std::array{folder.path()});
  const SearchedProblem problem = problem_in(set, spaces_of(written));
  // Nothing, nothing, 39 (36 without noise), 38 (39) of 0 at best, 20 at the median, 40 at worst.
  EXPECT_THAT(problem.series[0].end.ends[0].curve->recommended, ElementsAre(2.0, 2.0, 1.8, 1.95));
}

TEST(StudyTally, TellsFailuresAndDuplicatesApart) {
  search::StudyResult result;
  const auto run = [&](int trial, const char* micro_batch, Reason reason, double cost) {
    search::StudyLaunch one =
        launch(result, trial, reason == Reason::none ? std::optional(1.0) : std::nullopt);
    one.config = result.configs.keep({{"micro_batch", micro_batch}});
    one.reason = reason;
    one.cost_gpu_hours = cost;
    result.launches.push_back(one);
  };
  run(0, "1", Reason::none, 4.0);
  run(1, "2", Reason::infra, 1.0);
  run(1, "2", Reason::none, 4.0);  // the same trial again: no proposal
  run(2, "1", Reason::none, 4.0);
  run(3, "8", Reason::oom_init, 0.5);
  run(4, "8", Reason::oom_init, 0.25);
  StudyTally tally;
  add(tally_of(result), tally);
  EXPECT_EQ(tally.all, (LaunchCount{.launches = 6, .gpu_hours = 13.75}));
  EXPECT_EQ(tally.failed, (LaunchCount{.launches = 3, .gpu_hours = 1.75}));
  EXPECT_EQ(tally.failed_by_reason.at(Reason::infra),
            (LaunchCount{.launches = 1, .gpu_hours = 1.0}));
  EXPECT_EQ(tally.failed_by_reason.at(Reason::oom_init),
            (LaunchCount{.launches = 2, .gpu_hours = 0.75}));
  EXPECT_EQ(tally.trials, 5);
  EXPECT_EQ(tally.duplicates, 2);
  add(tally_of(result), tally);  // the same proposals by another study
  EXPECT_EQ(tally.all.launches, 12);
  EXPECT_EQ(tally.trials, 10);
  EXPECT_EQ(tally.duplicates, 4);
}

TEST(SearchedProblem, TakesReplacementFromTheStudiesOfRandomSearch) {
  const TemporaryFolder folder;
  search::WrittenStudy again = study();
  again.searcher = "random:replacement=1";
  write_study(folder.path(), "a", again);
  EXPECT_EQ(problem_in(search::read_study_set(std::array{folder.path()}), {}).replacement,
            Replacement::with);
  again.searcher = "random";
  write_study(folder.path(), "b", again);
  EXPECT_EQ(problem_in(search::read_study_set(std::array{folder.path()}), {}).replacement,
            Replacement::without);
}

TEST(RegretFigure, DrawsEachSeriesAndRandomSearchExactly) {
  const TemporaryFolder folder;
  write_study(folder.path(), "a", study());
  search::WrittenStudy optimal = study(1);
  optimal.launches[2].truth = 40.0;
  write_study(folder.path(), "b", optimal);
  const search::StudySet set = search::read_study_set(std::array{folder.path()});
  const SearchedProblem problem = problem_in(set, spaces_of(study()));
  const Figure figure = regret_figure(problem, "f");
  EXPECT_EQ(figure.y.scale, AxisScale::log10);
  EXPECT_EQ(figure.x.max, 4.0);
  std::vector<std::string> titles;
  for (const Series& series : figure.series) titles.push_back(series.label);
  EXPECT_THAT(titles, ElementsAre("", "", "", "evolution", "exact random"));
  EXPECT_EQ(figure.series[3].points.back(), (FigurePoint{4.0, 0.1}));
  EXPECT_NEAR(figure.series[4].points.back().y, 0.4, 1e-12);
  const search::RandomCurve& random = problem.yardstick.random;
  EXPECT_LT(random.p75[1], random.p95[1]);
  for (std::size_t k = 0; k < random.mean.size(); ++k) {
    const auto shown = [&](double regret) {
      return std::clamp(regret, figure.y.min, figure.y.max);
    };
    EXPECT_EQ(figure.series[0].points[k].y, shown(random.p05[k])) << k;
    EXPECT_EQ(figure.series[0].points[k].y_high, shown(random.p95[k])) << k;
    EXPECT_EQ(figure.series[1].points[k].y, shown(random.p25[k])) << k;
    EXPECT_EQ(figure.series[1].points[k].y_high, shown(random.p75[k])) << k;
  }
  // Nothing is drawn outside of the axis: a regret of 0 lies on its edge.
  for (const Series& series : figure.series) {
    for (const FigurePoint& point : series.points) {
      EXPECT_GE(point.y, figure.y.min);
      EXPECT_LE(std::max(point.y, point.y_high), figure.y.max);
    }
  }
  EXPECT_THAT(svg_of(figure), HasSubstr("exact random"));
  EXPECT_THAT(regret_csv(problem),
              HasSubstr("series,scenario,instance,searcher,seed,launches,value,regret,"
                        "observed_regret\n"
                        "optimum,made-up,0,,,,40,0,\n"
                        "median,made-up,0,,,,20,1,\n"
                        "random_mean,made-up,0,,,1,20,1,\n"));
  // The value of a regret R is 40 - 20 R, of its quantiles too.
  const auto row_of = [](const char* series, double regret) {
    return std::string(series) + ",made-up,0,,,2," + support::shortest(40.0 - 20.0 * regret) + "," +
           support::shortest(regret) + ",\n";
  };
  EXPECT_THAT(regret_csv(problem), HasSubstr(row_of("random_p25", random.p25[1])));
  EXPECT_THAT(regret_csv(problem), HasSubstr(row_of("random_p95", random.p95[1])));
  EXPECT_THAT(regret_csv(problem), HasSubstr("study,made-up,0,evolution,0,4,,0.2,0.05\n"));
  EXPECT_THAT(regret_csv(problem), HasSubstr("\nmean,made-up,0,evolution,,4,,0.1,\n"));
}

TEST(KnownSpaces, SayWhyNothingIsKnownAndWhichCommandHelps) {
  const TemporaryFolder folder;
  search::WrittenStudy written = study();
  written.instance = 2;
  write_study(folder.path(), "a", written);
  const search::StudySet set = search::read_study_set(std::array{folder.path()});
  const KnownSpace unknown = known_space({}, grouped_studies(set).front());
  EXPECT_FALSE(unknown.space);
  EXPECT_THAT(unknown.note, HasSubstr("The optimum of made-up, instance 2 is not known here"));
  EXPECT_EQ(unknown.command,
            "cubicbench enumerate ./made-up.json --instance 2 --out made-up.2.json");
  EXPECT_TRUE(known_space(spaces_of(written), grouped_studies(set).front()).space);

  search::WrittenStudy real = study();
  real.backend = "command:./run.sh";
  real.truth_sha256 = "";
  for (search::WrittenLaunch& one : real.launches) one.truth = 0.0;
  write_study(folder.path() / "real", "a", real);
  const search::StudySet runs = search::read_study_set(std::array{folder.path() / "real"});
  EXPECT_THAT(known_space({}, grouped_studies(runs).front()).note,
              HasSubstr("real runs, whose optimum nobody knows"));
}

TEST(KnownSpaces, RefuseWhatIsOfAnotherTruth) {
  const TemporaryFolder folder;
  write_study(folder.path(), "a", study());
  const search::StudySet set = search::read_study_set(std::array{folder.path()});
  require_use(spaces_of(study()), set);
  search::WrittenStudy stale = study();
  stale.truth_sha256 = "8888";
  EXPECT_FALSE(known_space(spaces_of(stale), grouped_studies(set).front()).space);
  try {
    require_use(spaces_of(stale), set);
    FAIL();
  } catch (const support::InputError& error) {
    EXPECT_STREQ(error.what(),
                 "made-up.json: expected an enumeration of what these studies searched, got one of "
                 "another truth (truth_sha256 differs: the simulator has changed)");
  }
}

TEST(KnownSpaces, NeverUseAnOptimumThatIsNotCertified) {
  const TemporaryFolder folder;
  write_study(folder.path(), "a", study());
  const search::StudySet set = search::read_study_set(std::array{folder.path()});
  datasets::Enumeration space = space_of(study());
  space.optimum->certified = false;
  const KnownSpace known =
      known_space({{.space = space, .file = "made-up.json"}}, grouped_studies(set).front());
  EXPECT_FALSE(known.space);
  EXPECT_EQ(known.note,
            "There is no regret of made-up: its optimum is only known to a bound (made-up.json).");
}

TEST(KnownSpaces, ValueSmallSpacesThemselves) {
  const scenarios::Scenario scenario = scenarios::read_scenario("tiny-llama");
  const scenarios::Instance instance(scenario, 0);
  search::StudyResult result;
  result.scenario = scenario.name;
  result.scenario_sha256 = scenario.sha256;
  result.truth_sha256 = truth_sha256(instance);
  result.backend = "simulator";
  result.launches = {launch(result, 0, 1.0), launch(result, 1, 2.0)};
  const KnownSpace known = known_space({}, {&result});
  ASSERT_TRUE(known.space) << known.note;
  EXPECT_EQ(known.space->configurations, scenario.space.count());
  EXPECT_EQ(known.space->best_of_k.size(), 2U);
  EXPECT_EQ(known.space->optimum->value, known.space->quantiles.back());
  EXPECT_THAT(known.note, HasSubstr("all 1,530 configurations, valued as this was made"));
  // A file that says too little does not hide what can be known without it.
  datasets::Enumeration bounds = *known.space;
  bounds.quantiles.clear();
  const KnownSpace better = known_space({{.space = bounds, .file = "bounds.json"}}, {&result});
  ASSERT_TRUE(better.space) << better.note;
  EXPECT_EQ(better.space->quantiles, known.space->quantiles);
  EXPECT_THAT(better.note,
              HasSubstr("bounds.json says too little: its optimum is certified, but "));
  result.truth_sha256 = "another physics";
  EXPECT_THAT(known_space({}, {&result}).note, HasSubstr("answers otherwise"));
}

/// Not the unsealed instance of the same number, which is another one.
TEST(KnownSpaces, SayThatASealedInstanceNeedsItsSalt) {
  search::StudyResult result;
  result.scenario = "tiny-llama";
  result.scenario_sha256 = scenarios::read_scenario("tiny-llama").sha256;
  result.truth_sha256 = "7777";
  result.instance = 1;
  result.salt_sha256 = "1234";
  result.backend = "simulator";
  const KnownSpace unknown = known_space({}, {&result});
  EXPECT_FALSE(unknown.space);
  EXPECT_THAT(unknown.note, HasSubstr("the instance is sealed, so that it takes its salt"));
  EXPECT_EQ(unknown.command,
            "cubicbench enumerate tiny-llama --instance 1 --salt SALT --out tiny-llama.1.json");
  datasets::Enumeration space = space_of({});
  space.scenario_sha256 = result.scenario_sha256;
  space.instance = 1;
  EXPECT_TRUE(known_space({{.space = space, .file = "sealed.json"}}, {&result}).space);
  search::StudySet set;
  set.studies = {result};
  space.truth_sha256 = "8888";
  try {
    require_use({{.space = space, .file = "open.json"}}, set);
    FAIL();
  } catch (const support::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the instance is sealed, with a salt of its own"));
  }
}

TEST(KnownSpaces, KnowTheTruthOfATableOfRuns) {
  const scenarios::Scenario scenario = datasets::read_scenario("nanotron-3.57b-16gpu");
  search::StudyResult result;
  result.scenario = scenario.name;
  result.scenario_sha256 = scenario.sha256;
  result.truth_sha256 = search::outcomes_sha256(scenario);
  result.backend = "table";
  scenarios::Configuration configuration(scenario.space.size());
  scenario.space.configuration_at(7, configuration);
  search::StudyLaunch one = launch(result, 0, 1.0);
  search::ConfigText config;
  for (const auto& [setting, code] : scenario.space.to_assignment(configuration)) {
    config.emplace_back(setting->name, scenarios::format_setting(*setting, code));
  }
  one.config = result.configs.keep(config);
  result.launches = {one};
  const KnownSpace known = known_space({}, {&result});
  ASSERT_TRUE(known.space) << known.note;
  EXPECT_EQ(known.space->configurations, 103U);
  const auto truths = launch_truths(result);
  ASSERT_EQ(truths.size(), 1U);
  ASSERT_TRUE(truths[0]);
  // The mean over the runs of that configuration that ended.
  double sum = 0.0;
  double ended = 0.0;
  for (const scenarios::TrialOutcome& run : scenario.measured->of_configuration[7]) {
    if (!run.value) continue;
    sum += *run.value;
    ended += 1.0;
  }
  EXPECT_EQ(truths[0]->reason == Reason::none, ended > 0.0);
  EXPECT_EQ(truths[0]->value, ended > 0.0 ? sum / ended : 0.0);
}

/// Against the plain way: every value by itself, sorted, and expected_best() of all of them.
TEST(SmallSpace, EqualsThePlainWay) {
  const scenarios::Scenario scenario = scenarios::read_scenario("gpt3-175b");
  const scenarios::Instance instance(scenario, 1);
  const datasets::Enumeration space = datasets::value_small_space(instance, "t", 40);
  EXPECT_EQ(space.truth_sha256, "t");
  sim::Workspace workspace;
  std::vector<double> values;
  std::vector<double> all;
  scenarios::Configuration configuration(scenario.space.size());
  for (std::uint64_t number = 0; number < scenario.space.count(); ++number) {
    scenario.space.configuration_at(number, configuration);
    const TrueValue value = instance.true_value(configuration, workspace);
    all.push_back(value.reason == Reason::none ? value.value : 0.0);
    if (value.reason == Reason::none) values.push_back(value.value);
  }
  std::sort(values.begin(), values.end());
  std::uint64_t failed = 0;
  for (const auto& [reason, count] : space.failures) failed += count;
  EXPECT_EQ(failed, all.size() - values.size());
  EXPECT_EQ(space.optimum->value, values.back());
  ASSERT_EQ(space.quantiles.size(), datasets::quantile_count);
  EXPECT_EQ(space.quantiles[2048], values[(values.size() + 1) / 2 - 1]);
  const std::vector<double> best = expected_best(all, 40, Direction::maximize);
  ASSERT_EQ(space.best_of_k.size(), 40U);
  for (std::size_t k = 0; k < best.size(); ++k) {
    EXPECT_NEAR(space.best_of_k[k].without_replacement / best[k], 1.0, 1e-12) << k;
    EXPECT_LE(space.best_of_k[k].with_replacement, space.best_of_k[k].without_replacement);
  }
}

/// Quantiles of random search against the exact ones over all configurations.
TEST(SmallSpace, HasTheQuantilesOfRandomSearch) {
  const scenarios::Scenario scenario = scenarios::read_scenario("tiny-llama");
  const scenarios::Instance instance(scenario, 0);
  const datasets::Enumeration space = datasets::value_small_space(instance, "t", 30);
  sim::Workspace workspace;
  std::vector<double> all;
  scenarios::Configuration configuration(scenario.space.size());
  for (std::uint64_t number = 0; number < scenario.space.count(); ++number) {
    scenario.space.configuration_at(number, configuration);
    const TrueValue value = instance.true_value(configuration, workspace);
    all.push_back(value.reason == Reason::none ? value.value : 0.0);
  }
  const RandomCurve random = ideal_random(space, 30, Replacement::without);
  EXPECT_EQ(random.p05, best_quantile(all, 30, 0.05, Direction::maximize));
  EXPECT_EQ(random.p25, best_quantile(all, 30, 0.25, Direction::maximize));
  EXPECT_EQ(random.p75, best_quantile(all, 30, 0.75, Direction::maximize));
  EXPECT_EQ(random.p95, best_quantile(all, 30, 0.95, Direction::maximize));
}

TEST(ProblemsJson, HasEveryNumberOfTheTables) {
  const TemporaryFolder folder;
  write_study(folder.path(), "a", study());
  const search::StudySet set = search::read_study_set(std::array{folder.path()});
  const nlohmann::ordered_json document =
      problems_json(searched_problems(set, spaces_of(study()), {}));
  ASSERT_EQ(document.size(), 1U);
  EXPECT_EQ(document[0]["optimum"]["value"], 40.0);
  EXPECT_EQ(document[0]["optimum"]["median"], 20.0);
  const nlohmann::ordered_json& searcher = document[0]["searchers"][0];
  EXPECT_EQ(support::line_text(searcher["failures"]),
            "{\"oom_late\":{\"launches\":1,\"cost_gpu_hours\":0.5}}\n");
  std::vector<std::string> keys;
  for (const auto& [key, value] : searcher.items()) keys.push_back(key);
  EXPECT_THAT(keys, ElementsAre("searcher", "studies", "launches", "failed", "failures", "trials",
                                "duplicates", "cost_gpu_hours", "failed_gpu_hours",
                                "gain_over_baseline", "regret", "observed_regret", "random_regret",
                                "share_within_1_percent", "share_within_5_percent"));
  EXPECT_EQ(searcher["launches"], 4);
  EXPECT_EQ(searcher["failed"], 1);
  EXPECT_EQ(searcher["cost_gpu_hours"], 6.5);
  EXPECT_EQ(searcher["failed_gpu_hours"], 0.5);
  EXPECT_EQ(searcher["regret"]["mean"], 0.2);
  EXPECT_EQ(searcher["random_regret"]["mean"], 0.4);
  EXPECT_EQ(searcher["share_within_1_percent"], 0.0);
  EXPECT_TRUE(searcher["gain_over_baseline"].is_null());
  // Nothing is made up where nothing is known.
  const nlohmann::ordered_json unknown = problems_json(searched_problems(set, {}, {}));
  EXPECT_TRUE(unknown[0]["optimum"]["value"].is_null());
  EXPECT_TRUE(unknown[0]["searchers"][0]["regret"].is_null());
}

}  // namespace
}  // namespace cubicbench::results
