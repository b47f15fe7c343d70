#include "cli/requests/collective_request.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "cli/options/readers.h"
#include "scenarios/collective/asked_cluster.h"
#include "scenarios/readers/network_reader.h"

namespace cubicbench::cli {
namespace {

using scenarios::ranks_max;

/// Other names of operations: those of nccl-tests, MPI and our own.
struct OtherName {
  std::string_view name;
  sim::Collective op;
};
constexpr std::array other_names{OtherName{"all_to_all", sim::Collective::all_to_all},
                                 OtherName{"allreduce", sim::Collective::all_reduce},
                                 OtherName{"allgather", sim::Collective::all_gather},
                                 OtherName{"send_recv", sim::Collective::send_receive}};

sim::Collective op_of(const std::string& word, const std::string& where) {
  const auto other = std::ranges::find(other_names, word, &OtherName::name);
  if (other != other_names.end()) return other->op;
  return Choice<sim::Collective>{scenarios::collective_names()}(word, where);
}

void declare_group(Options& options, scenarios::AskedGroups& groups) {
  options.value("--ranks", "N", "GPUs of the group", groups.ranks, Integer{2, ranks_max})
      .required("expected N, got nothing");
  options.value("--per-domain", "R", "GPUs per node or NVLink domain (default: all of it)",
                groups.ranks_per_domain, Integer{1, ranks_max});
  options.value("--groups", "K", "Equal groups that communicate at the same time (default:\n1)",
                groups.groups, Integer{1, ranks_max});
  options.value("--placement", "P",
                "Nodes that they get: packed, scattered or partly_used\n(default: as the scenario "
                "says, else packed)",
                groups.placement, Choice<sim::Placement>{scenarios::placement_names()});
}

}  // namespace

void declare_collective(Options& options, CollectiveRequest& request) {
  const auto sizes = [&request](const std::string& text, const std::string& where) {
    request.range = text.find(':') != std::string::npos;
    return scenarios::message_sizes(text, where);
  };
  options
      .value("--op", "OP",
             "all_reduce, all_gather, reduce_scatter, alltoall,\nbroadcast or sendrecv (each "
             "to the next)",
             request.op, op_of)
      .offers(scenarios::collective_names())
      .required("expected " + one_of(scenarios::collective_names()) + ", got nothing");
  options
      .value("--size", "S",
             "Bytes as nccl-tests counts them: 8M, 1.5g or 1e9, or a\nrange as its -b, -e and -f: "
             "1K:8G doubles, 1K:8G:4 goes\non fourfold. M and MiB are 2^20; MB is 10^6, "
             "which\nnccl-tests reads as M. The gathered buffer of\nall_gather, the input of "
             "reduce_scatter, else the\nbuffer of a rank; of an all-to-all with unequal "
             "parts\nthat of the busiest rank",
             request.sizes, sizes)
      .required("expected a size such as 8M, got nothing");
  options
      .value("--cluster", "NAME",
             "A network or a scenario of the library, or a path with a\n'/' to one",
             request.cluster, scenarios::read_asked_cluster)
      .required("expected a network or a scenario, got nothing");
  declare_group(options, request.groups);
  options.value("--algorithm", "A",
                "Force this algorithm instead of the cheapest: ring,\ntree, nvls, nvls_tree, "
                "in_network, pat,\nrecursive_doubling, hierarchical or direct",
                request.algorithm, Choice<sim::Algorithm>{scenarios::algorithm_names()});
  declare_engine(options, EngineScope::collective, request.engine_asked);
  constexpr int before_others = -1;
  options.check(before_others, [&request] {
    request.engine = engine_options(request.engine_asked, EngineScope::collective);
  });
}

}  // namespace cubicbench::cli
