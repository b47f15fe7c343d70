#include "results/chosen_judgement.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <tuple>

namespace cubicbench::results {
namespace {

using predictor::Judgement;

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
  const auto rank = [&](const Judgement& of) {
    return std::tuple(!of.privileged, wanted(of, learnt), -std::abs(of.train - asked), of.train,
                      of.kendall.mean);
  };
  const Judgement* best = nullptr;
  for (const Judgement& of : judged.judgements) {
    if (best == nullptr || rank(of) > rank(*best)) best = &of;
  }
  return best;
}

}  // namespace cubicbench::results
