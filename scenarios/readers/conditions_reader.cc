#include "scenarios/readers/conditions_reader.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/readers/place_name.h"
#include "sim/network/topologies.h"
#include "support/files.h"
#include "support/json/object_reader.h"
#include "support/json/strict_json.h"

namespace cubicbench::scenarios {
namespace {

constexpr double slowing_max = 1000.0;
/// A step on less would last longer than the engine's clock reaches.
constexpr double share_min = 1e-6;
constexpr double at_max_s = 86'400.0;
constexpr std::size_t places_max = static_cast<std::size_t>(sim::route_links_max) + 1;

std::string in_quotes(const std::string& name) { return '"' + support::shortened(name) + '"'; }

/// A rank or GPU of the cluster; nothing where it is none, which is reported.
std::optional<std::int64_t> read_rank(support::ObjectReader& in, std::string_view key,
                                      std::int64_t ranks) {
  const std::size_t before = in.problems().size();
  const std::int64_t rank = in.integer(key, 0, ranks - 1);
  return in.problems().size() == before ? std::optional(rank) : std::nullopt;
}

/// The list at `key`, which names each rank once; `read` reads the rest of an entry.
template <class Entry>
std::vector<Entry> read_ranks(support::ObjectReader& in, std::string_view key, std::int64_t ranks,
                              void (*read)(support::ObjectReader&, Entry&)) {
  std::vector<Entry> all;
  std::set<std::int64_t> known;
  for (const support::ValueReader& value : in.optional_array(key)) {
    support::ObjectReader one = value.object();
    const auto rank = read_rank(one, "rank", ranks);
    if (rank && !known.insert(*rank).second) {
      one.problem("rank", "expected each rank once, got " + std::to_string(*rank) + " again");
    }
    Entry& entry = all.emplace_back();
    entry.rank = rank.value_or(0);
    read(one, entry);
    one.finish();
  }
  return all;
}

void read_factor(support::ObjectReader& in, sim::SlowRank& slow) {
  slow.factor = in.number("factor", support::above_zero, slowing_max);
}

void read_time(support::ObjectReader& in, sim::FailedRank& failed) {
  failed.at = {in.number("at_s", 0.0, at_max_s)};
}

/// Reads what names places of the cluster.
class PlaceReader {
 public:
  explicit PlaceReader(const sim::Topology& topology) : topology_(topology) {}

  void read_link(const support::ValueReader& value) {
    support::ObjectReader in = value.object();
    const auto from = place_at(in, "from");
    const auto to = place_at(in, "to");
    const double share = read_share(in);
    const bool both_ways = in.boolean("both_ways", false);
    in.finish();
    if (!from || !to || !check_cable(*from, *to, in.value("to"))) return;
    add(value, {.from = *from, .to = *to, .share = share});
    if (both_ways) add(value, {.from = *to, .to = *from, .share = share});
  }

  void read_route(const support::ValueReader& value) {
    support::ObjectReader in = value.object();
    const auto from = read_rank(in, "from", topology_.shape.gpus);
    const auto to = read_rank(in, "to", topology_.shape.gpus);
    const std::vector<support::ValueReader> over = in.array("over");
    const bool has_over = in.has("over") && in.raw("over")->is_array();
    in.finish();
    if (!from || !to || !has_over) return;
    if (*from == *to) {
      in.problem("to", "expected another GPU than \"from\", got " + std::to_string(*to));
    } else if (!routed_.insert({*from, *to}).second) {
      value.problem("expected one route a pair of GPUs, got one from " + std::to_string(*from) +
                    " to " + std::to_string(*to) + " again");
    } else if (over.size() < 2 || over.size() > places_max) {
      in.problem("over", "expected 2 to " + std::to_string(places_max) +
                             " places, both GPUs included, got " + std::to_string(over.size()));
    } else if (const auto places = read_places(over, *from, *to)) {
      routes.push_back({.from = *from, .to = *to, .over = *places});
    }
  }

  std::vector<sim::DegradedLink> links;
  std::vector<sim::FixedRoute> routes;

 private:
  std::string name(sim::VertexId place) const { return place_name(topology_, place); }

  std::optional<sim::VertexId> place_at(support::ObjectReader& in, std::string_view key) const {
    const std::size_t before = in.problems().size();
    const std::string name = in.string(key);
    if (in.problems().size() > before) return std::nullopt;
    return place_called(name, in.value(key));
  }

  std::optional<sim::VertexId> place_called(const std::string& name,
                                            const support::ValueReader& value) const {
    const NamedPlace found = find_place(topology_, name);
    if (!found.place) value.problem("expected " + found.expected + ", got " + in_quotes(name));
    return found.place;
  }

  static double read_share(support::ObjectReader& in) {
    const auto* const share = in.raw("share");
    if (share != nullptr && share->is_number() && *share == 0) {
      in.problem("share", "expected " + support::expected_number(share_min, 1.0) +
                              ", got 0: a link of no bandwidth never delivers");
      return 1.0;
    }
    return in.number("share", share_min, 1.0);
  }

  /// Whether a cable leads from one to the other; reported at `value`, which names `to`.
  bool check_cable(sim::VertexId from, sim::VertexId to, const support::ValueReader& value) const {
    if (!sim::links_between(topology_, from, to, to).empty()) return true;
    value.problem("expected what a cable joins to " + name(from) + " (" +
                  neighbour_names(topology_, from) + "), got " + in_quotes(name(to)));
    return false;
  }

  void add(const support::ValueReader& value, const sim::DegradedLink& link) {
    if (!degraded_.insert({link.from, link.to}).second) {
      value.problem("expected each link once, got " + name(link.from) + " to " + name(link.to) +
                    " again");
    }
    links.push_back(link);
  }

  /// The way of a route; nothing where something is wrong with it, which is reported.
  std::optional<std::vector<sim::VertexId>> read_places(
      const std::vector<support::ValueReader>& over, std::int64_t from, std::int64_t to) const {
    std::vector<sim::VertexId> places;
    for (const support::ValueReader& value : over) {
      const std::string name_read = value.string();
      if (!value.raw()->is_string()) return std::nullopt;  // reported
      const auto place = place_called(name_read, value);
      if (!place) return std::nullopt;
      if (std::ranges::find(places, *place) != places.end()) {
        value.problem("expected each place once, got " + in_quotes(name(*place)) +
                      " again: a cycle");
        return std::nullopt;
      }
      if (!places.empty() && !check_cable(places.back(), *place, value)) return std::nullopt;
      places.push_back(*place);
    }
    const bool begins = check_end(over.front(), places.front(), from, "begins");
    const bool ends = check_end(over.back(), places.back(), to, "ends");
    return begins && ends ? std::optional(places) : std::nullopt;
  }

  bool check_end(const support::ValueReader& value, sim::VertexId place, std::int64_t gpu,
                 const char* verb) const {
    if (place == sim::gpu_vertex(gpu)) return true;
    value.problem("expected gpu:" + std::to_string(gpu) + ", where the route " + verb + ", got " +
                  in_quotes(name(place)));
    return false;
  }

  const sim::Topology& topology_;
  std::set<std::pair<sim::VertexId, sim::VertexId>> degraded_;
  std::set<std::pair<std::int64_t, std::int64_t>> routed_;
};

/// Why the places of this cluster have no names; "" if they have.
std::string unnamed(const sim::Cluster& cluster, const sim::TopologyShape& shape) {
  if (cluster.placement != sim::Placement::packed) {
    return "expected a packed job: where the ranks of another lie is drawn";
  }
  const sim::ShapeProblem problem = sim::problem_of(shape);
  if (!problem) return "";
  return "expected a cluster with " + std::string(problem.expected) + ", got " +
         std::to_string(problem.got);
}

void read_places(support::ObjectReader& in, const sim::Cluster& cluster,
                 sim::Conditions& conditions) {
  const std::vector<support::ValueReader> links = in.optional_array("links");
  const std::vector<support::ValueReader> routes = in.optional_array("routes");
  if (links.empty() && routes.empty()) return;
  const sim::TopologyShape shape =
      sim::topology_shape(cluster.network, cluster.gpus, cluster.gpus_per_node);
  if (const std::string why = unnamed(cluster, shape); !why.empty()) {
    in.problem(links.empty() ? "routes" : "links", why);
    return;
  }
  const sim::Topology topology = sim::build_topology(shape);
  PlaceReader reader(topology);
  for (const support::ValueReader& link : links) reader.read_link(link);
  for (const support::ValueReader& route : routes) reader.read_route(route);
  conditions.degraded_links = std::move(reader.links);
  conditions.routes = std::move(reader.routes);
}

}  // namespace

sim::Conditions read_conditions(const std::string& path, const Scenario& scenario) {
  const nlohmann::ordered_json json = support::parse_json(support::read_file(path), path);
  std::vector<support::Problem> problems;
  support::ObjectReader in(json, path, "", problems);
  in.one_of("schema", std::array<std::string_view, 1>{"cubicbench.conditions/1"});
  support::throw_if_any(problems);  // nothing below is ours to judge when it is another schema
  in.allow("version");
  sim::Conditions conditions;
  conditions.slow_ranks = read_ranks(in, "slow_ranks", scenario.cluster.gpus, read_factor);
  conditions.failed_ranks = read_ranks(in, "failed_ranks", scenario.cluster.gpus, read_time);
  read_places(in, scenario.cluster, conditions);
  in.finish();
  support::throw_if_any(problems);
  return conditions;
}

}  // namespace cubicbench::scenarios
