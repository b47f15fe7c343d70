#include "datasets/mapping/measured_systems.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>

#include "datasets/mapping/adapter_rate.h"
#include "datasets/mapping/measured_json.h"
#include "datasets/mapping/text_match.h"
#include "sim/base/binary_sizes.h"
#include "support/prefixes.h"

namespace cubicbench::datasets {
namespace {

using support::ObjectReader;

constexpr std::int64_t system_gpus_max = 1 << 20;

constexpr std::array<std::string_view, 5> operation_names{"all_gather", "all_reduce", "all_to_all",
                                                          "point_to_point", "broadcast"};
constexpr std::array<sim::Collective, operation_names.size()> operations{
    sim::Collective::all_gather, sim::Collective::all_reduce, sim::Collective::all_to_all,
    sim::Collective::send_receive, sim::Collective::broadcast};

using support::giga;
using support::micro;

/// "2.9.9" of "NCCL v2.9.9".
std::string_view after_name(std::string_view version) {
  constexpr std::string_view name = "nccl";  // and RCCL, which counts as NCCL does
  for (std::size_t at = 0; at + name.size() <= version.size(); ++at) {
    const std::string_view word = version.substr(at, name.size());
    if (!contains_any_case(word, name) && !contains_any_case(word, "rccl")) continue;
    version.remove_prefix(at + name.size());
    break;
  }
  const std::size_t begin = version.find_first_not_of(" vV-_:=");
  return version.substr(std::min(begin, version.size()));
}

/// {2, 9, 9} of "2.9.9+cuda11.2"; nothing where it does not begin with a number.
std::vector<int> numbers_of(std::string_view version) {
  version = after_name(version);
  std::vector<int> numbers;
  while (true) {
    int number = 0;
    const char* const end = version.data() + version.size();
    const auto [stop, error] = std::from_chars(version.data(), end, number);
    if (error != std::errc{}) return numbers;
    numbers.push_back(number);
    version.remove_prefix(static_cast<std::size_t>(stop - version.data()));
    if (!version.starts_with('.')) return numbers;
    version.remove_prefix(1);
  }
}

/// Of one adapter; 0 where nothing is stated. A node has eight where nothing counts them.
double stated_gbps(std::string_view text) {
  constexpr double usual = 8.0;
  const std::optional<StatedAdapters> stated = stated_adapters(text);
  if (!stated) return 0.0;
  return stated->of_node ? stated->gbps / stated->count.value_or(usual) : stated->gbps;
}

GpuRule read_gpu(ObjectReader& in) {
  return {.contains = non_empty(in, "contains"),
          .with = in.string("with", ""),
          .name = in.boolean("name", false),
          .device = in.string("device", ""),
          .needs = in.string("needs", ""),
          .gpus_per_node = in.integer("gpus_per_node", 1, system_gpus_max, 8),
          .memory = in.has("memory_gib")
                        ? std::optional(
                              sim::Bytes{in.number("memory_gib", 0.1, 1e5) * sim::bytes_per_gib})
                        : std::nullopt};
}

FabricRule read_fabric(ObjectReader& in) {
  return {.contains = non_empty(in, "contains"),
          .word = in.boolean("word", false),
          .gbps_min = in.number("gbps_min", 0.0, 1e6, 0.0),
          .fabric = non_empty(in, "fabric"),
          .takes_rate = in.boolean("takes_rate"),
          .node_gbps = in.number("node_gbps", 0.0, 1e6, 0.0)};
}

CountRule read_counts(ObjectReader& in) {
  return {.contains = non_empty(in, "contains"),
          .nodes = in.integer("n_nodes", 1, system_gpus_max),
          .gpus = in.integer("n_gpus", 1, system_gpus_max)};
}

OperationRule read_operation(ObjectReader& in) {
  OperationRule rule{.begins = non_empty(in, "begins"),
                     .excluded = in.boolean("excluded", false),
                     .needs = in.string("needs", "")};
  non_empty(in, "why");
  if (rule.needs.empty() && !rule.excluded) {
    rule.operation = operations[in.one_of("operation", operation_names)];
  }
  return rule;
}

LibraryRule read_library(ObjectReader& in) {
  LibraryRule rule{.before = non_empty(in, "before"),
                   .fabric = in.string("fabric", ""),
                   .trees = in.boolean("trees", true),
                   .nvls = in.boolean("nvls", true)};
  non_empty(in, "why");
  if (!rule.before.empty() && numbers_of(rule.before).empty()) {
    in.problem("before", "expected a version, such as \"2.10\", got \"" + rule.before + "\"");
  }
  return rule;
}

RunRule read_run(ObjectReader& in) {
  RunRule rule{.source = in.string("source", ""),
               .notes = in.string("notes", ""),
               .system = in.string("system", ""),
               .overhead_rank = {in.number("overhead_rank_us", 0.0, 1e6, 0.0) * micro},
               .exchange_overhead = {in.number("exchange_overhead_us", 0.0, 1e6, 0.0) * micro},
               .ranks = in.integer("ranks", 0, system_gpus_max, 0),
               .nvls = in.boolean("nvls", true),
               .usable = in.boolean("usable", true)};
  non_empty(in, "why");
  if (rule.source.empty() && rule.notes.empty()) {
    in.problem("source", "expected a text here or at \"notes\": else the rule fits every row");
  }
  return rule;
}

DomainRule read_domain(ObjectReader& in) {
  return {.device = non_empty(in, "device"),
          .contains = non_empty(in, "contains"),
          .gpus_per_node = in.integer("gpus_per_node", 1, system_gpus_max),
          .rate = {in.number("gb_s", 1.0, 1e6) * giga}};
}

bool fits(const GpuRule& rule, std::string_view text) {
  const auto has = [&](std::string_view part) {
    return part.empty() || (rule.name ? contains_name(text, part) : contains_any_case(text, part));
  };
  return has(rule.contains) && has(rule.with);
}

bool fits(const FabricRule& rule, std::string_view text) {
  if (rule.word ? !contains_word(text, rule.contains) : !contains_any_case(text, rule.contains)) {
    return false;
  }
  return rule.gbps_min <= 0.0 || stated_gbps(text) >= rule.gbps_min;
}

}  // namespace

bool is_before(std::string_view version, std::string_view first) {
  const std::vector<int> numbers = numbers_of(version);
  return !numbers.empty() && numbers < numbers_of(first);
}

MeasuredSystems read_measured_systems(std::string_view text, const std::string& file) {
  return read_measured_json(text, file, "cubicbench.measured_systems/1", [](ObjectReader& in) {
    return MeasuredSystems{.gpus = read_rules(in.array("gpus"), read_gpu),
                           .fabrics = read_rules(in.array("fabrics"), read_fabric),
                           .counts = read_rules(in.array("counts"), read_counts),
                           .operations = read_each(in.array("operations"), read_operation),
                           .libraries = read_each(in.optional_array("libraries"), read_library),
                           .runs = read_each(in.optional_array("runs"), read_run),
                           .domains = read_rules(in.optional_array("domains"), read_domain)};
  });
}

const MeasuredSystems& measured_systems() { return shipped<read_measured_systems>("systems.json"); }

const GpuRule* find_gpu(std::string_view text) {
  return first_of(measured_systems().gpus, [&](const GpuRule& rule) { return fits(rule, text); });
}

const FabricRule* find_fabric(std::string_view text) {
  return first_of(measured_systems().fabrics,
                  [&](const FabricRule& rule) { return fits(rule, text); });
}

const CountRule* find_counts(std::string_view system) {
  return first_contained(measured_systems().counts, system);
}

const OperationRule* find_operation(std::string_view collective) {
  return first_of(measured_systems().operations, [&](const OperationRule& rule) {
    return std::ranges::equal(collective.substr(0, rule.begins.size()), rule.begins, {},
                              support::lowered, support::lowered);
  });
}

const RunRule* find_run(std::string_view source, std::string_view notes, std::string_view system) {
  return first_of(measured_systems().runs, [&](const RunRule& rule) {
    return contains_any_case(source, rule.source) && contains_any_case(notes, rule.notes) &&
           contains_any_case(system, rule.system);
  });
}

const DomainRule* find_domain(std::string_view device, std::string_view text) {
  return first_of(measured_systems().domains, [&](const DomainRule& rule) {
    return rule.device == device && contains_any_case(text, rule.contains);
  });
}

}  // namespace cubicbench::datasets
