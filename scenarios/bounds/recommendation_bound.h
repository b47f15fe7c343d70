#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "scenarios/space/completions.h"
#include "scenarios/space/space_walk.h"
#include "scenarios/truth/instance.h"
#include "sim/engine/repeated_recommendation.h"

namespace cubicbench::scenarios {

/// ValueBound's answers for a recommendation model in closed form.
///
/// A step is the join of a dense half and a half of tables, and neither reads what the other's
/// parameters say, but for the batch, the type of parameters, and the bytes of the dense side that
/// tables are placed beside. So the best of a part of a space is the best join of the halves that
/// the part allows. Which trainings diverge follows from the formats of both sides: of each side
/// halves of one recipe share their fate beside a recipe of the other, and of these only those are
/// joined that no other is worse than in every respect (sim::no_worse): each of the rest has one of
/// them that makes no join worse, hence no value. What is left out is what constraints reject, and
/// conditions that join both sides while they are open: the bound is of more configurations than
/// there are. It is at most so many ulps from the best of them as sums round, for which it is
/// loosened by a part in 10^12.
///
/// Halves that take so long that no join with them reaches what is asked for are left out before
/// they are compared. What is remembered of a part was made for some value, and serves all that are
/// no worse.
///
/// `instance` must outlive it. Not to be shared by threads.
class RecommendationBound {
 public:
  RecommendationBound(const Instance& instance, const sim::Recommendation& model);

  /// As ValueBound's. Knows nothing where more than a few thousand halves of a side are open.
  double upper_bound(std::span<const std::int64_t> configuration, std::size_t decided,
                     double reached);

 private:
  /// Halves of one side and one recipe, of which no other is better in every respect. Dense ones
  /// meet the same tables and have their values by their steps alone.
  template <typename Half>
  struct Group {
    Configuration configuration;  ///< of one of them
    std::uint32_t recipe = 0;
    std::vector<Half> halves;
  };
  struct DenseGroup : Group<sim::DenseHalf> {
    sim::Plan plan;
    sim::Seconds least;  ///< of what nothing hides of its halves
  };
  using TableGroup = Group<sim::TableHalf>;
  /// What is decided of a part, and what else its halves depend on.
  using Prefix = std::vector<std::int64_t>;
  using Groups = std::optional<std::vector<DenseGroup>>;  ///< none: too many to tell
  using Tables = std::optional<std::vector<TableGroup>>;  ///< likewise
  struct KnownGroups {
    double reached = 0.0;  ///< the value that they were made for
    Groups groups;
  };
  struct KnownTables {
    sim::Seconds longest;  ///< of the time of tables that nothing hides
    Tables tables;
  };

  const Groups& groups_of(std::span<const std::int64_t> configuration, std::size_t decided);
  const Tables& tables_of(const DenseGroup& group, sim::Seconds longest,
                          std::span<const std::int64_t> configuration, std::size_t decided);
  Groups make_groups(std::span<const std::int64_t> configuration, std::size_t decided);
  Tables make_tables(const DenseGroup& group, sim::Seconds longest,
                     std::span<const std::int64_t> configuration, std::size_t decided);
  void add_dense(const Configuration& configuration, std::vector<DenseGroup>& groups);
  void add_tables(const Configuration& configuration, sim::Bytes resident, sim::Seconds longest,
                  std::vector<TableGroup>& groups);
  bool is_worse(double a, double b) const;
  /// No longer step of a plan reaches the value that is asked for.
  sim::Seconds longest_step(const sim::Plan& plan) const;
  /// What plans share whose trainings share their fate beside any one recipe of the other side.
  std::uint32_t recipe_of(const sim::Plan& plan) const;
  /// The best value of joins of both with steps of at most `longest`; nothing where all fail.
  std::optional<double> best_of(const DenseGroup& dense, const TableGroup& tables,
                                sim::Seconds longest);
  std::optional<sim::Seconds> shortest(const DenseGroup& dense, const TableGroup& tables,
                                       sim::Seconds longest) const;

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
  double reached_ = 0.0;  ///< what is asked for
  std::map<Prefix, KnownGroups> groups_;
  std::map<Prefix, KnownTables> tables_;
  std::size_t remembered_ = 0;  ///< halves in both
};

}  // namespace cubicbench::scenarios
