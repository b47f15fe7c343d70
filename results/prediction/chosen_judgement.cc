#include "results/prediction/chosen_judgement.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <tuple>

namespace cubicbench::results {
namespace {

using predictor::Judgement;

/// The first of those with the greatest rank; null where `eligible` is none.
template <typename Eligible, typename Rank>
const Judgement* greatest(const predictor::JudgedDataset& judged, Eligible eligible, Rank rank) {
  const Judgement* best = nullptr;
  for (const Judgement& of : judged.judgements) {
    if (eligible(of) && (best == nullptr || rank(of) > rank(*best))) best = &of;
  }
  return best;
}

bool wanted(const Judgement& of, Learnt learnt) {
  return learnt == Learnt::anything || of.calibrated == (learnt == Learnt::values);
}

}  // namespace

std::vector<std::int64_t> train_sizes(const predictor::JudgedDataset& judged) {
  std::set<std::int64_t> sizes;
  for (const Judgement& of : judged.judgements) sizes.insert(of.train);
  return {sizes.begin(), sizes.end()};
}

const Judgement* best_judgement(const predictor::JudgedDataset& judged,
                                std::optional<std::int64_t> train, Learnt learnt) {
  const std::vector<std::int64_t> sizes = train_sizes(judged);
  if (sizes.empty()) return nullptr;
  const std::int64_t asked = train.value_or(sizes.back());
  return greatest(
      judged, [](const Judgement&) { return true; },
      [&](const Judgement& of) {
        return std::tuple(!of.privileged, wanted(of, learnt), -std::abs(of.train - asked), of.train,
                          of.kendall.mean);
      });
}

const Judgement* best_never_asking(const predictor::JudgedDataset& judged, std::int64_t train) {
  return greatest(
      judged, [](const Judgement& of) { return !of.asks_simulator; },
      [&](const Judgement& of) {
        return std::tuple(-std::abs(of.train - train), of.train, of.kendall.mean);
      });
}

}  // namespace cubicbench::results
