#include "sim/network/traffic.h"

#include <algorithm>
#include <bit>

#include "sim/base/check.h"

namespace cubicbench::sim {
namespace {

bool is_power_of_two(std::int64_t number) {
  return std::has_single_bit(static_cast<std::uint64_t>(number));
}

bool is_in(Collective op, std::initializer_list<Collective> ops) {
  return std::find(ops.begin(), ops.end(), op) != ops.end();
}

constexpr std::initializer_list<Collective> halves{Collective::all_gather,
                                                   Collective::reduce_scatter};

/// The flows of one collective, as they are written down.
class Writer {
 public:
  Writer(Collective op, Bytes size, const Group& group)
      : op_(op), size_(size), n_(group.ranks), r_(group.ranks_per_node), nodes_(nodes_of(group)) {}

  void write(Algorithm algorithm) {
    switch (algorithm) {
      case Algorithm::ring:
        return ring();
      case Algorithm::tree:
        return tree();
      case Algorithm::nvls:
        return nvls();
      case Algorithm::nvls_tree:
        return nvls_tree();
      case Algorithm::in_network:
        return in_network();
      case Algorithm::pat:
        return pat();
      case Algorithm::recursive_doubling:
        return recursive_doubling();
      case Algorithm::hierarchical:
        return hierarchical();
      case Algorithm::direct:
        return direct();
    }
  }

  std::vector<Flow> take() { return std::move(flows_); }

 private:
  void ring() {
    const double n = real(n_);
    switch (op_) {
      case Collective::all_reduce:
        return ring(everyone(), 2.0 * (n - 1.0) / n * size_, 0);
      case Collective::all_gather:
      case Collective::reduce_scatter:
        return ring(everyone(), (n - 1.0) / n * size_, 0);
      case Collective::send_receive:
        return ring(everyone(), size_, 0);
      case Collective::broadcast:
        return chain(everyone(), 0);
      case Collective::all_to_all:
        break;
    }
  }

  /// A chain in each node below trees between nodes; each tree has half of the data and a rank of
  /// its own to leave the node by.
  void tree() {
    for (int which = 0; which < 2; ++which) {
      const auto parent = which == 0 ? first_tree_parent : second_tree_parent;
      for (std::int64_t node = 0; node < nodes_; ++node) {
        const std::int64_t above = parent(node, nodes_);
        if (above != no_parent) edge(door(node, which), door(above, which));
        for (std::int64_t rank = node * r_; rank < end_of(node); ++rank) {
          if (rank != door(node, which)) edge(rank, towards(rank, door(node, which)));
        }
      }
    }
  }

  void nvls() {
    const double n = real(n_);
    for (std::int64_t rank = 0; rank < n_; ++rank) {
      const bool gathers = op_ != Collective::reduce_scatter;
      const bool reduces = op_ != Collective::all_gather;
      if (reduces) through_switch(rank, size_, size_ / n, 0);
      if (gathers) through_switch(rank, size_ / n, size_, 1);
    }
  }

  void nvls_tree() {
    const Bytes part = size_ / real(r_);
    for (std::int64_t rank = 0; rank < n_; ++rank) {
      through_switch(rank, size_, part, 0);
      const std::int64_t index = rank % r_;
      const auto parent = index % 2 == 0 ? first_tree_parent : second_tree_parent;
      const std::int64_t above = parent(rank / r_, nodes_);
      if (above != no_parent) {
        send(rank, above * r_ + index, part, 1);
        send(above * r_ + index, rank, part, 2);
      }
      through_switch(rank, part, size_, 3);
    }
  }

  void in_network() {
    const Bytes part = size_ / real(r_);
    for (std::int64_t rank = 0; rank < n_; ++rank) {
      const std::int64_t first = rank / r_ * r_;
      for (std::int64_t peer = first; peer < first + r_; ++peer) {
        send(rank, peer, part, 0);
        send(rank, peer, part, 2);
      }
      send(rank, in_fabric_switch, part, 1);
      send(in_fabric_switch, rank, part, 1);
    }
  }

  /// A gather tells far ones first; rank i sends its parts at offsets 0, 2d, 4d, .. to rank i + d.
  void pat() {
    const Bytes part = size_ / real(n_);
    int phase = 0;
    const auto levels = std::bit_width(static_cast<std::uint64_t>(n_ - 1));
    for (int level = static_cast<int>(levels) - 1; level >= 0; --level, ++phase) {
      const std::int64_t distance = std::int64_t{1} << level;
      const std::int64_t parts = (n_ - distance + 2 * distance - 1) / (2 * distance);
      for (std::int64_t rank = 0; rank < n_; ++rank) {
        const std::int64_t peer = (rank + distance) % n_;
        if (op_ == Collective::all_gather) {
          send(rank, peer, real(parts) * part, phase);
        } else {
          send(peer, rank, real(parts) * part, static_cast<int>(levels) - 1 - phase);
        }
      }
    }
  }

  void recursive_doubling() {
    const std::int64_t core =
        static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(n_)));
    const int levels = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(core))) - 1;
    for (std::int64_t rank = core; rank < n_; ++rank) {
      send(rank, rank - core, size_, 0);
      send(rank - core, rank, size_, levels + 1);
    }
    for (int level = 0; level < levels; ++level) {
      const std::int64_t distance = std::int64_t{1} << level;
      const Bytes bytes = op_ == Collective::all_reduce ? size_ : real(distance) / real(n_) * size_;
      const int phase = op_ == Collective::reduce_scatter ? levels - 1 - level : level + 1;
      for (std::int64_t rank = 0; rank < core; ++rank) send(rank, rank ^ distance, bytes, phase);
    }
  }

  void hierarchical() {
    const double r = real(r_);
    const double nodes = real(nodes_);
    const Bytes inside = (r - 1.0) / r * size_;
    const Bytes across = (nodes - 1.0) / nodes * (size_ / r);
    switch (op_) {
      case Collective::all_reduce:
        rings_in_nodes(inside, 0);
        rings_between_nodes(2.0 * across, 1);
        return rings_in_nodes(inside, 2);
      case Collective::all_gather:
        rings_between_nodes(across, 0);
        return rings_in_nodes(inside, 1);
      case Collective::reduce_scatter:
        rings_in_nodes(inside, 0);
        return rings_between_nodes(across, 1);
      case Collective::broadcast:
        chain(every(r_, 0, nodes_), 0);
        for (std::int64_t node = 0; node < nodes_; ++node) chain(every(1, node * r_, r_), 1);
        return;
      case Collective::all_to_all:
        return exchange_by_rails();
      case Collective::send_receive:
        break;
    }
  }

  void direct() {
    if (op_ == Collective::send_receive) return ring();
    const Bytes part = op_ == Collective::broadcast ? size_ : size_ / real(n_);
    const std::int64_t senders = op_ == Collective::broadcast ? 1 : n_;
    for (std::int64_t from = 0; from < senders; ++from) {
      for (std::int64_t to = 0; to < n_; ++to) {
        send(from, to, part, 0);
        if (op_ == Collective::all_reduce) send(from, to, part, 1);
      }
    }
  }

  using Ranks = std::vector<std::int64_t>;

  void send(std::int64_t from, std::int64_t to, Bytes bytes, int phase) {
    if (from != to && bytes > Bytes{}) flows_.push_back({from, to, bytes, phase});
  }

  /// `count` ranks from `first` on, `stride` apart.
  static Ranks every(std::int64_t stride, std::int64_t first, std::int64_t count) {
    Ranks ranks;
    for (std::int64_t i = 0; i < count; ++i) ranks.push_back(first + i * stride);
    return ranks;
  }
  Ranks everyone() const { return every(1, 0, n_); }

  void ring(const Ranks& ranks, Bytes bytes, int phase) {
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      send(ranks[i], ranks[(i + 1) % ranks.size()], bytes, phase);
    }
  }

  /// All of the buffer from the first to the last.
  void chain(const Ranks& ranks, int phase) {
    for (std::size_t i = 1; i < ranks.size(); ++i) send(ranks[i - 1], ranks[i], size_, phase);
  }

  void rings_in_nodes(Bytes bytes, int phase) {
    for (std::int64_t node = 0; node < nodes_; ++node) ring(every(1, node * r_, r_), bytes, phase);
  }
  void rings_between_nodes(Bytes bytes, int phase) {
    for (std::int64_t index = 0; index < r_; ++index) ring(every(r_, index, nodes_), bytes, phase);
  }

  std::int64_t end_of(std::int64_t node) const { return std::min((node + 1) * r_, n_); }

  /// The rank by which tree `which` leaves `node`.
  std::int64_t door(std::int64_t node, int which) const {
    return std::min(node * r_ + which % r_, end_of(node) - 1);
  }
  static std::int64_t towards(std::int64_t rank, std::int64_t goal) {
    return rank < goal ? rank + 1 : rank - 1;
  }

  /// An edge of a tree, half of the data: up to reduce, down to tell.
  void edge(std::int64_t child, std::int64_t parent) {
    send(child, parent, size_ / 2.0, 0);
    send(parent, child, size_ / 2.0, 1);
  }

  void through_switch(std::int64_t rank, Bytes up, Bytes down, int phase) {
    send(rank, in_domain_switch, up, phase);
    send(in_domain_switch, rank, down, phase);
  }

  /// First to the rank of the own node on the receiver's rail, then along the rail.
  void exchange_by_rails() {
    for (std::int64_t rank = 0; rank < n_; ++rank) {
      const std::int64_t first = rank / r_ * r_;
      for (std::int64_t i = 0; i < r_; ++i) send(rank, first + i, size_ / real(r_), 0);
      for (std::int64_t node = 0; node < nodes_; ++node) {
        send(rank, node * r_ + rank % r_, size_ / real(nodes_), 1);
      }
    }
  }

  Collective op_;
  Bytes size_;
  std::int64_t n_;
  std::int64_t r_;
  std::int64_t nodes_;
  std::vector<Flow> flows_;
};

}  // namespace

std::int64_t first_tree_parent(std::int64_t node, std::int64_t nodes) {
  SIM_ASSERT(node >= 0 && node < nodes, node, nodes);
  if (node == 0) return no_parent;
  const std::int64_t lowest = node & -node;
  const std::int64_t parent = (node ^ lowest) | lowest << 1;
  return parent < nodes ? parent : node ^ lowest;
}

std::int64_t second_tree_parent(std::int64_t node, std::int64_t nodes) {
  const bool shifts = nodes % 2 == 1;
  const auto map = [&](std::int64_t from, std::int64_t by) {
    return shifts ? (from + by + nodes) % nodes : nodes - 1 - from;
  };
  const std::int64_t parent = first_tree_parent(map(node, -1), nodes);
  return parent == no_parent ? no_parent : map(parent, 1);
}

bool has_traffic(Collective op, Algorithm algorithm, const Group& group) {
  const bool equal = group.ranks % group.ranks_per_node == 0;
  const bool one_domain = nodes_of(group) == 1;
  const bool reduces_all = op == Collective::all_reduce;
  switch (algorithm) {
    case Algorithm::ring:
      return op != Collective::all_to_all;
    case Algorithm::tree:
      return reduces_all;
    case Algorithm::nvls:
      return one_domain && (reduces_all || is_in(op, halves));
    case Algorithm::nvls_tree:
    case Algorithm::in_network:
      return equal && reduces_all;
    case Algorithm::pat:
      return group.ranks_per_node == 1 && is_in(op, halves);
    case Algorithm::recursive_doubling:
      return (one_domain || is_power_of_two(group.ranks_per_node)) &&
             (reduces_all || (is_in(op, halves) && is_power_of_two(group.ranks)));
    case Algorithm::hierarchical:
      return equal && op != Collective::send_receive;
    case Algorithm::direct:
      return true;
  }
  return false;
}

std::vector<Flow> traffic(Collective op, Algorithm algorithm, Bytes size, const Group& group) {
  SIM_ASSERT(has_traffic(op, algorithm, group), op, algorithm, group.ranks);
  if (group.ranks < 2) return {};
  Writer writer(op, size, group);
  writer.write(algorithm);
  return writer.take();
}

}  // namespace cubicbench::sim
