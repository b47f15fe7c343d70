#include "support/table_problems.h"

#include <utility>

namespace cubicbench::support {

void TableProblems::add(std::string where, std::string text) {
  ++count_;
  if (shown_.size() < shown_max) {
    shown_.push_back({.where = std::move(where), .text = std::move(text)});
  }
}

void TableProblems::throw_if_any() const {
  std::vector<Problem> problems = shown_;
  if (count_ > shown_.size()) {
    problems.push_back(
        {.where = file_,
         .text = "and " + std::to_string(count_ - shown_.size()) + " more problems"});
  }
  support::throw_if_any(problems);
}

}  // namespace cubicbench::support
