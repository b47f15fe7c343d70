#include "predictor/judging/chosen_judgement.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <tuple>

namespace cubicbench::predictor {
namespace {

bool wanted(const Judgement& of, Learnt learnt) {
  return learnt == Learnt::anything || of.calibrated == (learnt == Learnt::values);
}

}  // namespace

std::vector<Judgements> by_predictor(const JudgedDataset& judged) {
  std::vector<Judgements> all;
  for (const Judgement& of : judged.judgements) {
    const auto found = std::ranges::find(
        all, of.predictor, [](const Judgements& some) { return some.front()->predictor; });
    (found == all.end() ? all.emplace_back() : *found).push_back(&of);
  }
  for (Judgements& some : all) std::ranges::stable_sort(some, {}, &Judgement::train);
  return all;
}

std::vector<std::int64_t> train_sizes(const JudgedDataset& judged) {
  std::set<std::int64_t> sizes;
  for (const Judgement& of : judged.judgements) sizes.insert(of.train);
  return {sizes.begin(), sizes.end()};
}

const Judgement* best_judgement(const JudgedDataset& judged, std::optional<std::int64_t> train,
                                Learnt learnt) {
  const std::vector<std::int64_t> sizes = train_sizes(judged);
  if (sizes.empty()) return nullptr;
  const std::int64_t asked = train.value_or(sizes.back());
  return &*std::ranges::max_element(judged.judgements, {}, [&](const Judgement& of) {
    return std::tuple(!of.privileged, wanted(of, learnt), -std::abs(of.train - asked), of.train,
                      of.kendall.mean);
  });
}

const Judgement* best_never_asking(const JudgedDataset& judged, std::int64_t train) {
  const auto found = std::ranges::max_element(judged.judgements, {}, [&](const Judgement& of) {
    return std::tuple(!of.asks_simulator, -std::abs(of.train - train), of.train, of.kendall.mean);
  });
  return found == judged.judgements.end() || found->asks_simulator ? nullptr : &*found;
}

std::int64_t enough_jobs(const JudgedDataset& judged) {
  const std::vector<std::int64_t> sizes = train_sizes(judged);
  if (sizes.size() < 2) return 0;
  const Judgement* const best = best_judgement(judged);
  constexpr double close_enough = 0.02;  // of tau
  for (const std::int64_t size : sizes) {
    const Judgement* const of = best_judgement(judged, size);
    if (of->kendall.mean >= best->kendall.mean - close_enough) return of->train;
  }
  return sizes.back();
}

}  // namespace cubicbench::predictor
