#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace cubicbench::results {

/// What is asked of a comparison.
enum class Question { not_worse, better };

/// Names of the questions, in the order of the enumerators.
inline constexpr std::string_view question_names[] = {"not-worse", "better"};

enum class Verdict { better, not_worse, worse, undecided };

std::string_view name_of(Verdict verdict);

/// The question, and how sure the answer must be.
struct Terms {
  Question question = Question::not_worse;
  double margin = 0.01;  ///< a loss of score below which the candidate counts as not worse
  double alpha = 0.01;   ///< probability that each verdict is wrong
  /// The bounds hold however often seeds were added and looked at (anytime_bounds()), which takes
  /// more of them; else for a number of seeds that was fixed before (sign_flip_test()).
  bool anytime = false;
};

/// A difference of scores, candidate less baseline, of which each bound is wrong with a probability
/// of at most alpha; nothing where there are too few pairs.
struct Difference {
  double mean = 0.0;
  double sd = 0.0;  ///< of the differences; 0 of one
  std::size_t count = 0;
  std::optional<double> low{};
  std::optional<double> high{};
  double p = 1.0;  ///< two-sided, of no difference
};

/// Of differences that are independent of each other. Requires one.
Difference difference_of(std::span<const double> differences, const Terms& terms);

/// `better` where the difference is above 0, `worse` where it is below 0 and a loss of the margin
/// or more is possible, `not_worse` where such a loss is excluded; of the question `better` the
/// latter only where a gain of the margin is excluded too, as a gain is what may yet be found.
/// `undecided` where the bounds allow more than one of these.
Verdict verdict_of(const Difference& difference, const Terms& terms);

/// Whether the verdict answers the question with no: worse, or of the question `better` not worse
/// and not better either. Undecided is no no.
bool is_no(Verdict verdict, const Terms& terms);

/// What a comparison could see, by the normal approximation with the standard error that it had.
struct Power {
  double at_margin = 0.0;            ///< probability of `worse` where the true loss is the margin
  double smallest_difference = 0.0;  ///< the least loss that is called `worse` with 90 %
};

/// Nothing of fewer than two differences.
std::optional<Power> power_of(const Difference& difference, const Terms& terms);

/// How many pairs would decide with a probability of 90 %, if mean and standard deviation stay what
/// they are: more than there are, and at least as many as have bounds at all. Nothing of fewer than
/// two differences.
std::optional<std::int64_t> pairs_needed(const Difference& difference, const Terms& terms);

/// How many seeds the next round of a comparison adds that has `done` and may have `most`: as many
/// as have bounds at all first, then a quarter more each. Looks cost nothing, runs of the program
/// do.
std::int64_t next_round(std::int64_t done, std::int64_t most, double alpha);

}  // namespace cubicbench::results
