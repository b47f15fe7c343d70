#include "results/prediction/physics_note.h"

#include <cstdint>

#include "results/document/number_text.h"

namespace cubicbench::results {

std::string physics_note(const predictor::JudgedDataset& judged) {
  const auto count = [](std::int64_t jobs) { return grouped(static_cast<std::uint64_t>(jobs)); };
  std::string text = "The simulator has no answer for " + count(judged.jobs_without_physics) +
                     " of " + count(judged.rows) + " jobs";
  if (!judged.no_physics_reason.empty()) text += " (the first: " + judged.no_physics_reason + ")";
  return text +
         ": there roofline predicts the median of its training jobs, and hybrid is boosted trees "
         "on "
         "what is known at launch.";
}

}  // namespace cubicbench::results
