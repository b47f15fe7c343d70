#include "results/prediction/prediction_figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/results/judged_jobs.h"
#include "tests/results/well_formed.h"

namespace cubicbench::results {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> titles_of(const Figure& figure) {
  std::vector<std::string> titles;
  for (const Series& series : figure.series) {
    if (!series.title.empty()) titles.push_back(series.title);
  }
  return titles;
}

/// The one block of a document.
const Drawing& drawing_of(const Document& document) {
  EXPECT_EQ(document.blocks.size(), 1U);
  return std::get<Drawing>(document.blocks.at(0).content);
}

Drawing scatter_of(const datasets::Dataset& data, const predictor::JudgedDataset& judged,
                   const predictor::Judgement& shown) {
  return scatter_drawing(data, judged, shown, {.figure_id = "s", .file_stem = "p.s"});
}

Drawing learning_curves_of(const predictor::JudgedDataset& judged) {
  Document document;
  add_learning_curves(judged, {.figure_id = "t", .file_stem = "p.t"}, document);
  return drawing_of(document);
}

Drawing job_times_of(const datasets::Dataset& data) {
  Document document;
  add_job_times(data, {.figure_id = "j", .file_stem = "p.j"}, document);
  return drawing_of(document);
}

TEST(TargetText, SpeaksOfTheWholeJob) {
  datasets::Dataset data;
  EXPECT_EQ(target_text(data), "tokens/s per GPU");
  EXPECT_EQ(whole_job_unit(data), "tokens/s");
  datasets::Job job;
  job.gpus = 64;
  EXPECT_EQ(whole_job(data, job, 2.0), 128.0);
  data.target = "samples_per_s";
  EXPECT_EQ(whole_job_unit(data), "samples/s");
  EXPECT_EQ(whole_job(data, job, 2.0), 2.0);
  data.target = "step_time_s";
  EXPECT_EQ(target_text(data), "step time s");
}

/// Three timed jobs, 8, 8 and 16 GPUs, predicted at 100, 50 and 100 a GPU.
struct ThreeJobs {
  ThreeJobs() {
    for (const auto& [gpus, value] : {std::pair{8, 100.0}, {8, 200.0}, {16, 200.0}}) {
      datasets::Job job;
      job.id = "j" + std::to_string(data.jobs.size());
      job.gpus = gpus;
      job.value = value;
      data.jobs.push_back(job);
    }
    of.predictor = "ridge";
    of.repeats = 1;
    of.first_repeat = {{0, sim::log(100.0)}, {1, sim::log(50.0)}, {2, sim::log(100.0)}};
  }
  Drawing scatter() const { return scatter_of(data, judged, of); }

  datasets::Dataset data;
  predictor::Judgement of;
  predictor::JudgedDataset judged;
};

TEST(Scatter, DividesWholeJobsByTheirMedian) {
  const ThreeJobs jobs;
  const Drawing drawing = jobs.scatter();
  EXPECT_EQ(drawing.stem, "p.s");
  const Figure& figure = drawing.figure;
  EXPECT_EQ(figure.name, "s");
  EXPECT_EQ(figure.title, "predicted against measured tokens/s, by ridge");
  EXPECT_EQ(figure.x.label, "measured tokens/s / constant");
  EXPECT_EQ(figure.y.label, "predicted tokens/s / constant");
  EXPECT_EQ(figure.x.scale, AxisScale::log10);
  EXPECT_EQ(figure.x.min, figure.y.min);
  EXPECT_THAT(titles_of(figure), ElementsAre("predicted = measured", "8 GPUs", "16 GPUs"));
  // The median of 800, 1600 and 3200 is 1600.
  EXPECT_THAT(drawing.caption, HasSubstr("divided by 1.600 k, the median of the jobs shown"));
  ASSERT_EQ(figure.series[1].points.size(), 2U);
  EXPECT_EQ(figure.series[1].points[0].x, 0.5);
  EXPECT_NEAR(figure.series[1].points[0].y, 0.5, 1e-15);
  ASSERT_EQ(figure.series[2].points.size(), 1U);
  EXPECT_EQ(figure.series[2].points[0].x, 2.0);
  EXPECT_NEAR(figure.series[2].points[0].y, 1.0, 1e-15);
  EXPECT_EQ(xml_problem(svg_of(figure)), "");
  EXPECT_THAT(drawing.csv,
              HasSubstr("job,gpus,measured,predicted,measured_plotted,predicted_plotted\n"
                        "j0,8,800,"));
  EXPECT_THAT(drawing.csv, HasSubstr("\nj2,16,3200,"));
}

TEST(Scatter, OfOrderAloneHasScores) {
  ThreeJobs jobs;
  jobs.of.calibrated = false;
  jobs.of.first_repeat = {{0, -1.0}, {1, 2.5}, {2, 0.25}};
  const Drawing drawing = jobs.scatter();
  const Figure& figure = drawing.figure;
  EXPECT_EQ(figure.y.label, "predicted score (without a unit)");
  EXPECT_EQ(figure.y.scale, AxisScale::linear);
  EXPECT_LT(figure.y.min, -1.0);
  // Scores rank rates per GPU, so these are not the whole jobs'.
  EXPECT_EQ(figure.x.label, "measured tokens/s per GPU / constant");
  EXPECT_EQ(figure.x.scale, AxisScale::linear);  // from 0.5 to 1
  EXPECT_GE(figure.x.min, 0.0);
  EXPECT_THAT(titles_of(figure), ElementsAre("8 GPUs", "16 GPUs"));
  EXPECT_THAT(drawing.csv, HasSubstr("\nj1,8,200,2.5,1,2.5\n"));
  // Of (-1, 0.5), (2.5, 1) and (0.25, 1) two pairs agree and one is tied in the measured value:
  // tau-b 2 / sqrt(2 * 3); ranks 1, 3, 2 and 1, 2.5, 2.5: rho 1.5 / sqrt(2 * 1.5).
  EXPECT_THAT(drawing.caption,
              HasSubstr("Measured values are tokens/s per GPU, divided by 200, the median of the "
                        "jobs shown. The predictor learnt only to order jobs by that value, so the "
                        "scale of its scores is arbitrary. For these points, tau is 0.816 and rho "
                        "0.866."));
}

TEST(Scatter, OfOrderAloneIsLogarithmicOverADecade) {
  ThreeJobs jobs;
  jobs.of.calibrated = false;
  jobs.data.jobs[0].value = 20.0;
  EXPECT_EQ(jobs.scatter().figure.x.scale, AxisScale::log10);
  jobs.data.jobs[0].value = 21.0;  // near zero, beside 200: a margin would go below it
  const Figure figure = jobs.scatter().figure;
  EXPECT_EQ(figure.x.scale, AxisScale::linear);
  EXPECT_EQ(figure.x.min, 0.0);
}

TEST(Scatter, PutsManySizesIntoSixColours) {
  const datasets::Dataset data = made_up_jobs(300);  // 8, 16 .. 1,024 GPUs
  const predictor::JudgedDataset judged = made_up_judgements(data);
  const Drawing drawing = scatter_of(data, judged, judged.judgements[1]);
  EXPECT_THAT(titles_of(drawing.figure),
              ElementsAre("predicted = measured", "8 to 16 GPUs", "32 GPUs", "64 GPUs",
                          "128 to 256 GPUs", "512 GPUs", "1,024 GPUs"));
  EXPECT_THAT(drawing.caption,
              HasSubstr("Each mark is one of 270 jobs of made-up <jobs> that ridge had not "
                        "seen when it learnt from 150 others (split: random; the first of "
                        "2 repeats)."));
  EXPECT_THAT(drawing.caption, HasSubstr("tau of tokens/s per GPU is 0.700 (sd 0.020)."));
}

TEST(Scatter, WithoutTestJobsSaysSo) {
  ThreeJobs jobs;
  jobs.of.first_repeat.clear();
  const Figure figure = jobs.scatter().figure;
  EXPECT_EQ(figure.message, "no job to test on");
  EXPECT_EQ(xml_problem(svg_of(figure)), "");
}

TEST(LearningCurve, IsALineInItsBandForEachPredictor) {
  const predictor::JudgedDataset judged = made_up_judgements(made_up_jobs(20));
  const Drawing drawing = learning_curves_of(judged);
  EXPECT_EQ(drawing.stem, "p.t");
  const Figure& figure = drawing.figure;
  EXPECT_EQ(figure.name, "t");
  EXPECT_EQ(figure.x.scale, AxisScale::log2);
  EXPECT_THAT(log_ticks(figure.x), ElementsAre(40.0, 150.0));
  EXPECT_EQ(figure.y.max, 1.0);
  EXPECT_LE(figure.y.min, 0.56);  // two standard deviations below ridge on 40 jobs
  std::vector<std::string> labels;
  for (const Series& series : figure.series) {
    if (!series.label.empty()) labels.push_back(series.label);
  }
  EXPECT_THAT(labels, ElementsAre("ridge", "roofline (asks the simulator)", "mlp"));
  ASSERT_EQ(figure.levels.size(), 1U);
  EXPECT_EQ(figure.levels[0].label, "noise ceiling 0.970");
  ASSERT_EQ(figure.series.size(), 6U);
  const FigurePoint& band = figure.series[0].points[1];
  EXPECT_EQ(band.x, 150.0);
  EXPECT_NEAR(band.y, 0.66, 1e-12);
  EXPECT_NEAR(band.y_high, 0.74, 1e-12);
  EXPECT_EQ(figure.series[3].points[1].y, 0.7);
  EXPECT_EQ(xml_problem(svg_of(figure)), "");
  EXPECT_THAT(
      drawing.csv,
      HasSubstr("series,predictor,privileged,train,repeats,kendall_mean,kendall_sd,low,high\n"
                "predictor,ridge,false,40,2,0.6,0.02,0.5599999999999999,0.64\n"));
  EXPECT_THAT(drawing.csv, HasSubstr("predictor,roofline,true,40,2,0.9,0.02,"));
  EXPECT_THAT(drawing.csv, HasSubstr("noise_ceiling,,,,,0.97,,,\n"));
  EXPECT_THAT(drawing.caption,
              HasSubstr("mean over 2 repeats, the band two standard deviations to either side."));
  EXPECT_THAT(drawing.caption, HasSubstr("not to be compared"));
}

TEST(LearningCurve, GoesToTheLeastTauThereIs) {
  predictor::JudgedDataset judged = made_up_judgements(made_up_jobs(20));
  judged.judgements[0].kendall = {.mean = -0.8, .sd = 0.3};
  EXPECT_EQ(learning_curves_of(judged).figure.y.min, -1.0);
}

TEST(LearningCurve, OfNothingSaysSo) {
  const Figure figure = learning_curves_of({}).figure;
  EXPECT_EQ(figure.message, "nothing was judged");
  EXPECT_EQ(xml_problem(svg_of(figure)), "");
}

TEST(JobTimes, RunFromTheFirstLaunchToTheLast) {
  datasets::Dataset data;
  data.name = "d";
  for (const auto& [when, gpus] : {std::pair{30, 64}, {10, 8}, {20, 16}}) {
    datasets::Job job;
    job.id = "t" + std::to_string(when);
    job.when = when;
    job.gpus = gpus;
    data.jobs.push_back(job);
  }
  data.jobs[2].status = datasets::JobStatus::out_of_memory;
  const Drawing drawing = job_times_of(data);
  EXPECT_EQ(drawing.stem, "p.j");
  const Figure& figure = drawing.figure;
  EXPECT_EQ(figure.y.scale, AxisScale::log2);
  EXPECT_THAT(titles_of(figure), ElementsAre("jobs that ran", "jobs that ran out of memory"));
  EXPECT_EQ(figure.series[0].points, (std::vector<FigurePoint>{{0, 8}, {1, 64}}));
  EXPECT_EQ(figure.series[1].points, (std::vector<FigurePoint>{{0.5, 16}}));
  EXPECT_EQ(drawing.csv,
            "job,when,time_plotted,gpus,status\n"
            "t10,10,0,8,ok\nt20,20,0.5,16,out_of_memory\nt30,30,1,64,ok\n");
  EXPECT_THAT(drawing.caption,
              HasSubstr("The median job of the earlier half has 8 GPUs, of the later half 64."));
  EXPECT_EQ(xml_problem(svg_of(figure)), "");
  EXPECT_THAT(drawing.caption, Not(HasSubstr("Left out")));
  data.left_out = 32;
  data.simulated = true;
  EXPECT_THAT(job_times_of(data).caption,
              HasSubstr(" Left out: 32 jobs that failed for a reason other than memory."));
  for (datasets::Job& job : data.jobs) job.when = 5;
  EXPECT_EQ(job_times_of(data).figure.message, "the launch times of these jobs are unknown");
  EXPECT_THAT(job_times_of(data).caption, Not(HasSubstr("median")));
  EXPECT_EQ(job_times_of({}).figure.message, "no job");
}

}  // namespace
}  // namespace cubicbench::results
