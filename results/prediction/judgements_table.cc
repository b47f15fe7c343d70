#include "results/prediction/judgements_table.h"

#include <cstdint>
#include <map>
#include <vector>

#include "results/layout/columns.h"
#include "results/document/number_text.h"
#include "results/document/paragraph.h"

namespace cubicbench::results {
namespace {

using predictor::JudgedDataset;
using predictor::Judgement;

constexpr int correlation_digits = 3;

std::string count(std::int64_t value) { return grouped(static_cast<std::uint64_t>(value)); }

std::vector<std::string> cells(const std::string& name, const Judgement& of) {
  return {name,
          of.predictor + (of.privileged ? "*" : ""),
          count(of.train),
          count(of.test),
          fixed(of.kendall.mean, correlation_digits),
          fixed(of.spearman.mean, correlation_digits),
          fixed(of.pearson_log.mean, correlation_digits)};
}

/// The judgements of every predictor with most training jobs, in the order of the first.
std::vector<const Judgement*> largest(const JudgedDataset& judged) {
  std::vector<const Judgement*> kept;
  std::map<std::string, std::size_t> places;
  for (const Judgement& judgement : judged.judgements) {
    const auto [place, fresh] = places.emplace(judgement.predictor, kept.size());
    if (fresh) {
      kept.push_back(&judgement);
    } else if (judgement.train > kept[place->second]->train) {
      kept[place->second] = &judgement;
    }
  }
  return kept;
}

}  // namespace

std::string judgements_table(std::span<const NamedJudgement> named) {
  if (named.empty()) return "";
  std::vector<std::vector<std::string>> rows{
      {"PREDICTION", "PREDICTOR", "TRAIN", "TEST", "KENDALL", "SPEARMAN", "PEARSON"}};
  bool any_privileged = false;
  for (const NamedJudgement& one : named) {
    std::string name = one.name;
    for (const Judgement* judgement : largest(*one.judged)) {
      rows.push_back(cells(name, *judgement));
      any_privileged = any_privileged || judgement->privileged;
      name.clear();
    }
  }
  std::string text = columns_text(rows);
  if (any_privileged) {
    text += paragraph("", 0, "* asks the simulator that made the jobs, which no cluster offers");
  }
  return text + "\n";
}

}  // namespace cubicbench::results
