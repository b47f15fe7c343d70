#include "results/explanation/explanation.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "results/document/number_text.h"
#include "results/explanation/term_words.h"
#include "results/simulation/part_names.h"
#include "scenarios/collective/collective_question.h"
#include "scenarios/evaluation/itemised_step.h"
#include "scenarios/truth/instance.h"
#include "sim/base/binary_sizes.h"

namespace cubicbench::results {
namespace {

using sim::Seconds;
using sim::StepItem;

/// The link that most of the time of these goes to.
std::string main_link(const std::vector<sim::Transmission>& transmissions,
                      const scenarios::LinkNames& links) {
  const auto longest = std::ranges::max_element(transmissions, {}, &sim::Transmission::time);
  return link_of(*longest, links);
}

void add_transmissions(const ExplainedPlan& plan, ExplainedTerm& term) {
  std::ranges::copy_if(plan.items.transmissions, std::back_inserter(term.transmissions),
                       [&](const sim::Transmission& one) { return one.term == term.term; });
  if (term.transmissions.empty()) return;
  Seconds alone;
  for (const sim::Transmission& one : term.transmissions) alone += one.time;
  term.alone = alone;
  // What compute beside it takes longer is exposed, too, so that all of it may be more than alone.
  term.hidden = max(alone - term.time, Seconds{});
  term.resource = main_link(term.transmissions, plan.links);
}

std::string bytes_text(sim::Bytes bytes) {
  if (bytes.value >= sim::bytes_per_gib) return gib(bytes);
  const double mib = bytes.value / sim::bytes_per_mib;
  return mib >= 1.0 ? fixed(mib, 1) + " MiB" : fixed(bytes.value / sim::bytes_per_kib, 1) + " KiB";
}

/// "1,234", or with two digits where software takes longer by a share.
std::string count_text(double count) {
  const auto whole = static_cast<std::uint64_t>(count);
  return static_cast<double>(whole) == count ? grouped(whole) : fixed(count, 2);
}

/// "1,234 kernels: 1.2 TFLOP, ...": of all that the term consists of.
std::string kernels_text(const ExplainedTerm& term, const ExplainedPlan& plan) {
  sim::KernelSum sum;
  const bool of_rows = term.term == StepItem::row_lookup || term.term == StepItem::row_update;
  const auto wanted =
      term.term == StepItem::row_update ? sim::KernelRole::row_update : sim::KernelRole::row_lookup;
  for (const sim::KernelSum& one : plan.items.kernels) {
    if (one.part != part_of(term.term) || (of_rows && one.role != wanted)) continue;
    sum += one;
  }
  if (sum.count == 0.0) return "";
  std::string text = count_text(sum.count) + " kernels";
  if (sum.work > sim::Flops{}) {
    text += ", " + scaled(sum.work.value) + "FLOP, arithmetic alone " + duration(sum.compute);
  }
  if (sum.traffic > sim::Bytes{}) {
    text += ", " + scaled(sum.traffic.value) + "B, bytes alone " + duration(sum.memory);
  }
  text += ": " + duration(sum.time);
  // Lookups of the next batch may run beside this step [docs/models.md, Eq. R-6].
  const Seconds hidden = sum.time - term.time;
  return hidden > 1e-6 * sum.time ? text + ", " + duration(hidden) + " of it hidden" : text;
}

std::string pipeline_text(const ExplainedPlan& plan) {
  const sim::Plan& of = plan.simulation.scenario.baseline;
  return "p = " + grouped(of.pipeline_parallel) +
         " stages, m = " + count_text(plan.items.report.micro_batches) +
         " micro-batches, v = " + count_text(plan.items.chunks) + " chunks a stage; stage " +
         grouped(plan.items.stage) + " computes longest";
}

std::string demand_text(const ExplainedPlan& plan) {
  const sim::MemoryReport& memory = plan.simulation.report.memory;
  return "D = " + gib(largest_demand(memory)) + ", C = " + gib(memory.capacity);
}

/// What of a term has no kernels and sends nothing.
std::string host_text(const scenarios::Scenario& scenario) {
  const sim::Stack& stack = scenario.stack;
  const std::string host =
      sim::counts_kernels(stack)
          ? duration(scenario.cluster.device.host_factor * stack.launch) + " a launch"
          : duration(stack.host_layer_forward) + " a forward pass over a layer";
  return "host = " + host + ", q = " + scaled(stack.host_smoothness);
}

std::string other_text(StepItem term, const ExplainedPlan& plan) {
  const scenarios::Scenario& scenario = plan.simulation.scenario;
  switch (term) {
    case StepItem::pipeline_bubble:
      return pipeline_text(plan);
    case StepItem::allocator_retries:
      return demand_text(plan);
    case StepItem::stragglers:
      return "n = " + grouped(scenario.cluster.gpus) +
             ", beta = " + scaled(scenario.cluster.jitter);
    case StepItem::host:
      return host_text(scenario);
    default:
      return "";
  }
}

RooflinePoint point_of(const sim::KernelSum& sum, const sim::Device& device) {
  const sim::FlopsPerSecond peak = device.matmul_peak[static_cast<std::size_t>(sum.dtype)];
  RooflinePoint point{.role = sum.role, .time = sum.time};
  point.ridge = (peak / device.memory_bandwidth).value;
  if (sum.work > sim::Flops{}) {
    point.dtype = sum.dtype;
    point.of_peak = sum.work / sum.time / peak;
  }
  if (sum.traffic > sim::Bytes{}) {
    point.of_bandwidth = sum.traffic / sum.time / device.memory_bandwidth;
    point.intensity = (sum.work / sum.traffic).value;
  }
  point.compute_bound = sum.compute >= sum.memory;
  return point;
}

}  // namespace

ExplainedPlan explained_plan(const scenarios::Scenario& scenario, std::span<const std::string> sets,
                             std::uint64_t instance) {
  ExplainedPlan plan{.simulation = simulate(scenario, sets, instance), .items = {}, .links = {}};
  sim::Workspace workspace;
  plan.items = scenarios::itemised_step(plan.simulation.scenario, plan.simulation.scenario.baseline,
                                        workspace);
  plan.links = scenarios::link_names(scenario);
  return plan;
}

Explanation explain(const scenarios::Scenario& scenario, std::span<const std::string> sets,
                    std::uint64_t instance, int threads) {
  const scenarios::Instance truth(scenario, instance);
  return {.plan = explained_plan(scenario, sets, instance),
          .what_if = datasets::what_if(truth, scenario.baseline, threads),
          .against = {},
          .note = {}};
}

std::vector<ExplainedTerm> terms_of(const ExplainedPlan& plan) {
  std::vector<ExplainedTerm> terms;
  for (std::size_t i = 0; i < plan.items.terms.size(); ++i) {
    const auto id = static_cast<StepItem>(i);
    const Seconds time = plan.items.terms[i];
    const bool sends = std::ranges::find(plan.items.transmissions, id, &sim::Transmission::term) !=
                       plan.items.transmissions.end();
    if (time == Seconds{} && !sends) continue;
    ExplainedTerm term{
        .term = id,
        .time = time,
        .share = time / plan.items.report.step,
        .resource = std::string(resource_of(part_of(id))),
        .equation = equation_of(id, plan.simulation.scenario.baseline, plan.items.weights_in_units),
        .transmissions = {}};
    add_transmissions(plan, term);
    terms.push_back(std::move(term));
  }
  return terms;
}

std::string link_of(const sim::Transmission& sent, const scenarios::LinkNames& links) {
  const bool inside = sim::nodes_of(sent.group) == 1;
  const std::string& link =
      inside || sent.cost.bottleneck == sim::Bottleneck::domain ? links.domain : links.fabric;
  switch (sent.cost.bottleneck) {
    case sim::Bottleneck::latency:
      return link + ", latency";
    case sim::Bottleneck::upper_tiers:
      return link + ", upper tiers";
    default:
      return link;
  }
}

std::string transmission_text(const sim::Transmission& sent, const scenarios::LinkNames& links) {
  const std::string nodes = sim::nodes_of(sent.group) == 1
                                ? ""
                                : " on " + counted(sim::nodes_of(sent.group), "domain", "domains");
  return count_text(sent.count) + " " + std::string(label_of(sent.pattern)) + " of " +
         bytes_text(sent.bytes) + " among " + grouped(sent.group.ranks) + " GPUs" + nodes + " (" +
         std::string(scenarios::name_of(sent.cost.algorithm)) + ", " + link_of(sent, links) +
         "): " + duration(sent.cost.time) + " each, " + duration(sent.time) + " alone";
}

std::vector<std::string> numbers_of(const ExplainedTerm& term, const ExplainedPlan& plan) {
  std::vector<std::string> numbers;
  const auto add = [&](std::string text) {
    if (!text.empty()) numbers.push_back(std::move(text));
  };
  add(kernels_text(term, plan));
  for (const sim::Transmission& one : term.transmissions) add(transmission_text(one, plan.links));
  if (term.hidden) {
    add("Of " + duration(*term.alone) + ", " + duration(*term.hidden) + " is hidden and " +
        duration(term.time) + " counts");
  }
  add(other_text(term.term, plan));
  return numbers;
}

std::vector<RooflinePoint> roofline_of(const ExplainedPlan& plan) {
  std::vector<sim::KernelSum> sums;  // over parts of the step
  for (const sim::KernelSum& one : plan.items.kernels) {
    if (one.role == sim::KernelRole::element_wise) continue;
    const auto found = std::ranges::find_if(sums, [&](const sim::KernelSum& sum) {
      return sum.role == one.role && sum.dtype == one.dtype;
    });
    if (found == sums.end()) {
      sums.push_back(one);
    } else {
      *found += one;
    }
  }
  std::vector<RooflinePoint> points;
  for (const sim::KernelSum& sum : sums) {
    if (sum.time <= Seconds{}) continue;
    points.push_back(point_of(sum, plan.simulation.scenario.cluster.device));
  }
  std::ranges::stable_sort(points, [](const auto& a, const auto& b) { return a.time > b.time; });
  return points;
}

}  // namespace cubicbench::results
