#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace cubicbench::sim {

struct CollectiveCall;
struct Group;
class Cheapest;
class FlowWriter;
class LoadWriter;

enum class Collective : std::uint8_t {
  all_gather,
  reduce_scatter,
  all_reduce,
  all_to_all,
  broadcast,
  send_receive,  ///< every rank to the next
};
constexpr std::size_t collective_count = 6;

/// Gathers and scatters: one half of an all-reduce.
constexpr bool is_half(Collective op) {
  return op == Collective::all_gather || op == Collective::reduce_scatter;
}

/// As NCCL names them, and three that it has not.
enum class Algorithm : std::uint8_t {
  ring,
  tree,                ///< double binary tree
  nvls,                ///< reduction in the NVSwitch of one domain
  nvls_tree,           ///< the same in each domain, trees between them
  in_network,          ///< reduction in the switches between nodes (SHARP, NCCL's CollNet)
  pat,                 ///< parallel aggregated trees, one rank a node
  recursive_doubling,  ///< exchange with partners at distances 1, 2, 4, ...
  hierarchical,        ///< a ring in each domain around a ring between them
  direct,              ///< every pair for itself
};

/// What the flows of a collective add up to, in units of its size.
struct Multiples {
  double ranks = 0.0;     ///< sent by ranks
  double switches = 0.0;  ///< sent by switches that reduce or copy
  double across = 0.0;    ///< of both, what passes an adapter: between domains, or to the fabric
};

/// What is waited for, one after the other, by a collective that was asked for by its algorithm.
struct CriticalPath {
  double inside = 0.0;     ///< steps in domains
  double between = 0.0;    ///< and between them
  bool in_switch = false;  ///< bytes in a domain move as fast as its switch reduces
  bool in_turn = false;    ///< bytes in domains and between them move in phases of their own
  /// What ranks send of that which passes adapters: half, where switches of the fabric answer.
  double from_ranks = 1.0;
};

/// All that tells one collective algorithm from another: costs, volumes, flows and loads follow.
/// Each is defined in a file of its own in algorithms/.
struct CollectiveAlgorithm {
  /// Whether it is a way to run `op` on `group`, as far as who sends what is concerned.
  bool (*is_way)(Collective op, const Group& group);
  /// The sums of `flows` in closed form.
  Multiples (*moved)(Collective op, const Group& group);
  /// Writes who sends what to whom.
  void (*flows)(FlowWriter& to);
  /// Counts it as a library spreads it over its channels; nothing: flow by flow.
  void (*load)(LoadWriter& to) = nullptr;
  /// Offers what libraries have of it, where they choose it by themselves.
  void (*offer)(const CollectiveCall& call, Cheapest& cheapest) = nullptr;
  /// Where they do not, the path of Eq. C-13 of docs/models.md.
  std::optional<CriticalPath> (*path)(const CollectiveCall& call) = nullptr;
};

namespace algorithms {
extern const CollectiveAlgorithm ring, tree, nvls, nvls_tree, in_network, pat, recursive_doubling,
    hierarchical, direct;

/// By Algorithm.
inline constexpr std::array all{
    &ring,         &tree,  &nvls, &nvls_tree, &in_network, &pat, &recursive_doubling,
    &hierarchical, &direct};
}  // namespace algorithms

inline constexpr std::size_t algorithm_count = algorithms::all.size();

/// Those that libraries choose among in one domain or between several. Of equally cheap ones they
/// take the first.
inline std::span<const Algorithm> chosen_algorithms(Collective op, bool is_spread) {
  using enum Algorithm;
  static constexpr std::array reductions_inside{ring, nvls};
  static constexpr std::array reductions_between{tree, nvls_tree, ring};
  static constexpr std::array passed_on{ring};
  static constexpr std::array by_pairs{direct};
  if (op == Collective::all_to_all || op == Collective::send_receive) return by_pairs;
  if (op != Collective::all_reduce) return passed_on;
  return is_spread ? std::span<const Algorithm>(reductions_between) : reductions_inside;
}

inline const CollectiveAlgorithm& parts_of(Algorithm algorithm) {
  return *algorithms::all[static_cast<std::size_t>(algorithm)];
}

}  // namespace cubicbench::sim
