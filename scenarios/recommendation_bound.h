#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "scenarios/changing_plan.h"
#include "scenarios/completions.h"
#include "scenarios/instance.h"
#include "sim/engine/repeated_recommendation.h"

namespace cubicbench::scenarios {

/// ValueBound's answers for a recommendation model in closed form.
///
/// A step is the join of a dense half and a half of tables, and neither reads what the other's
/// parameters say, but for the batch, the type of parameters, and the bytes of the dense side that
/// tables are placed beside. So the best of a part of a space is the best join of the halves that
/// the part allows, and of these only those that no other is worse than in every respect
/// (sim::no_worse): each of the rest has one of them that makes no join worse, hence no value. What
/// is left out is what constraints reject, and conditions that join both sides while they are open:
/// the bound is of more configurations than there are. It is at most so many ulps from the best of
/// them as sums round, for which it is loosened by a part in 10^12.
///
/// `instance` must outlive it. Not to be shared by threads.
class RecommendationBound {
 public:
  RecommendationBound(const Instance& instance, const sim::Recommendation& model);

  /// As ValueBound's. Knows nothing where more than a few thousand halves of a side are open.
  double upper_bound(std::span<const std::int64_t> configuration, std::size_t decided);

 private:
  /// Dense halves that meet the same tables and have their values by their steps alone.
  struct Group {
    sim::Plan plan;               ///< of one of them, with tables that no training diverges with
    Configuration configuration;  ///< of one of them, parameters of tables open
    std::vector<sim::DenseHalf> halves;
  };
  /// What is decided of a part, and what else its halves depend on.
  using Prefix = std::vector<std::int64_t>;
  using Groups = std::optional<std::vector<Group>>;           ///< none: too many to tell
  using Tables = std::optional<std::vector<sim::TableHalf>>;  ///< likewise

  const Groups& groups_of(std::span<const std::int64_t> configuration, std::size_t decided);
  const Tables& tables_of(const Group& group, std::span<const std::int64_t> configuration,
                          std::size_t decided);
  Groups make_groups(std::span<const std::int64_t> configuration, std::size_t decided);
  Tables make_tables(const Group& group, std::span<const std::int64_t> configuration,
                     std::size_t decided);
  void add_dense(const Configuration& configuration, std::vector<Group>& groups);
  std::optional<sim::Seconds> shortest(const sim::DenseHalf& dense,
                                       const std::vector<sim::TableHalf>& tables) const;

  const Instance& instance_;
  const SearchSpace& space_;
  sim::RepeatedRecommendation steps_;
  ChangingPlan plan_;
  std::vector<bool> of_dense_;
  std::vector<bool> of_tables_;
  std::vector<bool> shared_;  ///< of both
  bool sides_mix_ = false;    ///< a condition of one side reads the other
  Completions open_dense_;
  Completions open_tables_;
  std::map<Prefix, Groups> groups_;
  std::map<Prefix, Tables> tables_;
  std::size_t remembered_ = 0;  ///< halves in both
};

}  // namespace cubicbench::scenarios
