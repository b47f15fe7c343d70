#include "datasets/mapping/mapped_collective.h"

#include <algorithm>
#include <string_view>

#include "datasets/mapping/adapter_rate.h"
#include "datasets/mapping/library.h"
#include "datasets/mapping/measured_systems.h"
#include "datasets/mapping/network_choice.h"
#include "datasets/mapping/slice_axes.h"
#include "datasets/mapping/text_match.h"
#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

constexpr std::int64_t gpus_max = 1 << 20;

/// Asks one row's question; stops at the first thing that has no answer.
class Asking {
 public:
  explicit Asking(const CollectiveMeasurement& row) : row_(row) {}

  MappedCollective ask() {
    if (find_operation_of() && find_gpu_of() && find_numbers() && find_group() && find_network()) {
      answer_.simulated = time();
      answer_.ranks = group_.ranks;
      answer_.asked = asked();
    }
    return std::move(answer_);
  }

 private:
  bool fail(std::string reason) {
    answer_.reason = std::move(reason);
    return false;
  }

  void assume(std::string_view column) { answer_.assumed.emplace_back(column); }

  bool find_operation_of() {
    operation_ = find_operation(row_.collective);
    if (operation_ == nullptr) {
      return fail("no operation of the simulator stands for " +
                  support::in_quotes(row_.collective));
    }
    if (operation_->excluded) return fail("no collective: " + support::in_quotes(row_.collective));
    return operation_->needs.empty() || fail("needs " + operation_->needs);
  }

  /// By the GPU's own name; where there is none by the system's: clouds name machines, not GPUs. A
  /// name that nothing is known of is not another GPU because the system's name has one.
  bool find_gpu_of() {
    gpu_ = find_gpu(row_.gpu);
    if (row_.gpu.empty()) {
      gpu_ = find_gpu(row_.system);
      if (gpu_ != nullptr) assume("gpu");
    }
    if (gpu_ != nullptr && !gpu_->needs.empty()) return fail("needs " + gpu_->needs);
    if (gpu_ == nullptr || gpu_->device.empty()) {
      return fail(row_.gpu.empty()
                      ? "gpu is empty and the system does not tell it"
                      : "no network of the library stands for " + support::in_quotes(row_.gpu));
    }
    return true;
  }

  bool find_numbers() {
    if (!row_.size_bytes) return fail("size_bytes is empty");
    if (*row_.size_bytes <= 0.0) return fail("size_bytes is 0");
    if (row_.time_us && *row_.time_us <= 0.0) return fail("time_us is 0");
    if (!seconds_of(row_)) {
      return fail("none of time_us, algbw_gbps and busbw_gbps is stated above 0");
    }
    nodes_ = row_.n_nodes;
    gpus_ = row_.n_gpus;
    if (!gpus_) {
      const CountRule* const counts = find_counts(row_.system);
      if (counts == nullptr) return fail("n_gpus is empty");
      assume("n_gpus");
      gpus_ = counts->gpus;
      if (!nodes_) nodes_ = counts->nodes;
    }
    for (const auto& count : {nodes_, gpus_, row_.concurrent_groups, row_.active_gpus}) {
      if (count.value_or(1) > gpus_max) return fail("more GPUs than any machine has");
    }
    return *gpus_ > 1 || fail("one GPU exchanges nothing");
  }

  /// What the row says of its machines.
  std::string machine() const { return row_.gpu + " " + row_.system + " " + row_.interconnect; }

  /// Groups of neighbouring GPUs. Those that are active at the same time use other GPUs, each with
  /// links and an adapter of its own, and share nothing that the network has.
  bool find_group() {
    active_ =
        std::max(*gpus_, row_.active_gpus.value_or(*gpus_ * row_.concurrent_groups.value_or(1)));
    if (!row_.n_nodes) assume("n_nodes");
    domain_ = find_domain(gpu_->device, machine());
    const std::int64_t usual = domain_ == nullptr ? gpu_->gpus_per_node : domain_->gpus_per_node;
    const std::int64_t per_node =
        nodes_ ? (active_ + *nodes_ - 1) / *nodes_ : std::min(active_, usual);
    peers_ = is_board(per_node) ? static_cast<int>(per_node) - 1 : 0;
    used_ = {.gpus = peers_ > 0 ? per_node : std::max(per_node, usual), .used = per_node};
    const std::int64_t domain = domain_of_group(network_choices(), gpu_->device, *gpus_, per_node);
    const RunRule* const run = find_run(row_.source, row_.notes, row_.system);
    const std::int64_t ranks = run == nullptr || run->ranks == 0 ? *gpus_ : run->ranks;
    group_ = {.ranks = ranks, .ranks_per_node = std::min(ranks, domain)};
    return true;
  }

  /// Are nodes boards without a switch? Several nodes with as many GPUs each as such boards have
  /// are; a single one is more often part of a node of eight, and so is one that texts say is.
  bool is_board(std::int64_t per_node) const {
    if (direct_peers(network_choices(), gpu_->device, per_node) == 0) return false;
    const std::string text = machine();
    if (contains_any_case(text, "4-GPU")) return true;
    for (const std::string_view larger : {"NVSwitch", "8-GPU", "8 GPU", "DGX"}) {
      if (contains_any_case(text, larger)) return false;
    }
    const auto stated = stated_adapters(row_.interconnect);
    const bool more = stated && stated->count.value_or(0.0) > static_cast<double>(per_node);
    return nodes_.value_or(1) > 1 && !more;
  }

  bool find_network() {
    const FabricRule* fabric = nullptr;
    if (sim::nodes_of(group_) > 1) {
      fabric = find_fabric(row_.interconnect);
      if (fabric == nullptr) fabric = find_fabric(row_.system);
      assume("interconnect");
    }
    const auto chosen = choose_network(network_choices(), gpu_->device,
                                       fabric == nullptr ? "" : fabric_name(*fabric));
    if (!chosen)
      return fail("no network of the library stands for " + support::in_quotes(gpu_->device));
    network_ = chosen->network;
    take_slice();
    take_domain();
    inside_ = chosen->inside;
    between_ = chosen->between;
    take_rate(fabric != nullptr && fabric->takes_rate);
    take_library(fabric == nullptr ? "" : fabric->fabric);
    take_run();
    return true;
  }

  /// A job of tensor processing units has a torus of its own, one domain.
  void take_slice() {
    if (network_.domain != sim::DomainKind::torus) return;
    std::optional axes = slice_axes(row_.system);
    if (!axes) axes = slice_axes(row_.interconnect);
    if (axes) cut_to_slice(*axes, network_);
  }

  /// A machine may have another domain than the usual one of its GPU.
  void take_domain() {
    if (domain_ != nullptr) {
      network_.domain = sim::DomainKind::switched;
      network_.intra_bandwidth = domain_->rate;
    }
    if (peers_ > 0) {
      network_.domain = sim::DomainKind::direct;
      network_.direct_peers = peers_;
    }
  }

  bool lacks(const LibraryRule& rule, std::string_view fabric) const {
    return fabric.starts_with(rule.fabric) && is_before(row_.nccl_version, rule.before);
  }

  /// What the library of that time lacked.
  void take_library(std::string_view fabric) {
    for (const LibraryRule& rule : measured_systems().libraries) {
      if (!lacks(rule, fabric)) continue;
      network_.inter.trees = network_.inter.trees && rule.trees;
      if (!rule.nvls) network_.intra.nvls_share = 0.0;
    }
  }

  /// What the way of running adds; messages between pairs are launched by each for itself.
  void take_run() {
    const RunRule* const rule = find_run(row_.source, row_.notes, row_.system);
    if (rule == nullptr) return;
    if (!rule->nvls) network_.intra.nvls_share = 0.0;
    if (operation_->operation == sim::Collective::send_receive) return;
    network_.collective_overhead = operation_->operation == sim::Collective::all_to_all
                                       ? rule->exchange_overhead
                                       : static_cast<double>(*gpus_) * rule->overhead_rank;
  }

  /// A fabric as a library without trees uses it is another where it is listed.
  std::string fabric_name(const FabricRule& fabric) const {
    const bool trees = std::ranges::none_of(
        measured_systems().libraries,
        [&](const LibraryRule& rule) { return !rule.trees && lacks(rule, fabric.fabric); });
    const std::string ring = fabric.fabric + "-ring";
    const bool listed =
        std::ranges::find(network_choices().fabrics, ring, &FabricNetwork::fabric) !=
        network_choices().fabrics.end();
    return trees || !listed ? fabric.fabric : ring;
  }

  /// What a source states of its adapters goes before the nominal rate of the library. GPUs of a
  /// node that is partly used have whole adapters.
  void take_rate(bool stated) {
    constexpr double bits_per_byte = 8.0;
    used_.adapters_a_gpu = library().costs.find(between_)->second.adapters_a_gpu;
    if (const auto gbps = adapter_gbps(row_.interconnect, used_); stated && gbps) {
      network_.inter_bandwidth = sim::BytesPerSecond{*gbps * 1e9 / bits_per_byte};
      return;
    }
    const double owned = static_cast<double>(used_.used) * used_.adapters_a_gpu;
    const double whole =
        adapters_of_used(static_cast<double>(used_.gpus) * used_.adapters_a_gpu, used_);
    if (network_.domain != sim::DomainKind::torus && whole > owned) {
      network_.inter_bandwidth = (whole / owned) * network_.inter_bandwidth;
    }
  }

  sim::Seconds time() const {
    const sim::Bytes size{*row_.size_bytes};
    return sim::collective_cost(operation_->operation, size, group_, network_).time;
  }

  AskedCollective asked() const {
    const auto& costs = library().costs;
    return {.operation = operation_->operation,
            .size = sim::Bytes{*row_.size_bytes},
            .group = group_,
            .network = network_,
            .domain_costs = costs.find(inside_)->second.domain,
            .fabric_costs = costs.find(between_)->second.fabric};
  }

  const CollectiveMeasurement& row_;
  const OperationRule* operation_ = nullptr;
  const GpuRule* gpu_ = nullptr;
  std::optional<std::int64_t> nodes_;
  std::optional<std::int64_t> gpus_;
  std::int64_t active_ = 1;  ///< GPUs in all groups at once
  NodeUse used_;
  const DomainRule* domain_ = nullptr;  ///< where it is not the usual one
  int peers_ = 0;                       ///< of a board without a switch
  sim::Group group_;
  sim::Network network_;
  std::string inside_, between_;  ///< networks of the library that it is made of
  MappedCollective answer_;
};

}  // namespace

bool is_flagged(const CollectiveMeasurement& row) {
  const RunRule* const rule = find_run(row.source, row.notes, row.system);
  return rule != nullptr && !rule->usable;
}

bool is_wanted(const CollectiveMeasurement& row) {
  const OperationRule* const operation = find_operation(row.collective);
  const bool excluded = operation != nullptr && operation->excluded;
  const bool named = !row.gpu.empty() || find_gpu(row.system) != nullptr;
  return named && !excluded;
}

MappedCollective simulate_collective(const CollectiveMeasurement& row) { return Asking(row).ask(); }

}  // namespace cubicbench::datasets
