#include "predictor/judging/chosen_judgement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "tests/results/judged_jobs.h"

namespace cubicbench::predictor {
namespace {

using testing::ElementsAre;

TEST(BestJudgement, IsOfTheSizeAskedForAndAsksNoSimulator) {
  const datasets::Dataset data = results::made_up_jobs(20);
  JudgedDataset judged = results::made_up_judgements(data);
  EXPECT_THAT(train_sizes(judged), ElementsAre(40, 150));
  EXPECT_EQ(best_judgement(judged), &judged.judgements[5]);      // mlp on 150
  EXPECT_EQ(best_judgement(judged, 50), &judged.judgements[4]);  // mlp on 40
  EXPECT_EQ(best_judgement(judged, 95), &judged.judgements[5]);  // as near: the larger
  EXPECT_EQ(best_judgement(judged, 150, Learnt::values), &judged.judgements[1]);  // ridge
  EXPECT_EQ(best_judgement(judged, 150, Learnt::order), &judged.judgements[5]);
  judged.judgements[4].asks_simulator = judged.judgements[5].asks_simulator = true;
  EXPECT_EQ(best_never_asking(judged, 150), &judged.judgements[1]);  // ridge, as roofline asks too
  judged.judgements = {judged.judgements[2]};
  EXPECT_EQ(best_never_asking(judged, 150), nullptr);
  EXPECT_EQ(best_judgement(judged), &judged.judgements[0]);  // there is no other
  judged.judgements.clear();
  EXPECT_EQ(best_judgement(judged), nullptr);
}

TEST(EnoughJobs, AreTheFewestThatComeClose) {
  JudgedDataset judged;
  for (const auto& [train, tau] : {std::pair{10, 0.5}, {20, 0.69}, {40, 0.695}, {80, 0.7}}) {
    Judgement of;
    of.predictor = "ridge";
    of.train = train;
    of.kendall.mean = tau;
    judged.judgements.push_back(of);
  }
  EXPECT_EQ(enough_jobs(judged), 20);
  judged.judgements.resize(1);
  EXPECT_EQ(enough_jobs(judged), 0);
}

}  // namespace
}  // namespace cubicbench::predictor
