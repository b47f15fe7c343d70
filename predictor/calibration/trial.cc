#include "predictor/calibration/trial.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "datasets/mapping/mapped_kernel.h"
#include "sim/base/check.h"
#include "sim/base/numeric.h"
#include "support/parallel.h"

namespace cubicbench::predictor {
namespace {

constexpr std::size_t observations_per_block = 32;  // observations that share a workspace

}  // namespace

void Knob::set(double value, sim::Stack& of_stack, sim::Device& of_device) const {
  if (stack != nullptr) {
    set_value(*stack, value, of_stack);
  } else {
    set_value(*device, value, of_device);
  }
}

std::vector<Knob> knobs_of(datasets::CalibrationSubject subject,
                           const std::vector<std::string>& names) {
  std::vector<Knob> knobs;
  for (const std::string& name : names) {
    Knob knob;
    if (subject == datasets::CalibrationSubject::stack) {
      knob.stack = scenarios::find_stack_constant(name);
    } else {
      knob.device = scenarios::find_device_constant(name);
    }
    SIM_ASSERT(knob.stack != nullptr || knob.device != nullptr, name.size());
    knobs.push_back(knob);
  }
  return knobs;
}

std::vector<Unknown> unknowns_of(const std::vector<Knob>& knobs, const sim::Stack& stack,
                                 const sim::Device& device) {
  std::vector<Unknown> unknowns;
  for (const Knob& knob : knobs) {
    unknowns.push_back(knob.stack != nullptr ? unknown_of(*knob.stack, stack)
                                             : unknown_of(*knob.device, device));
  }
  return unknowns;
}

std::string_view Observation::model() const {
  return run != nullptr ? run->model : kernel->timed.group;
}

sim::Seconds Observation::measured() const {
  return run != nullptr ? run->step : kernel->timed.time;
}

Observations observations_of(const std::vector<CalibrationRun>& runs,
                             const std::vector<CalibrationKernel>& kernels) {
  Observations observations;
  for (const CalibrationRun& run : runs) observations.push_back({.run = &run});
  for (const CalibrationKernel& kernel : kernels) observations.push_back({.kernel = &kernel});
  return observations;
}

Trial::Trial(Observations of, std::vector<Knob> knobs, int threads, const StepTerm* without)
    : of_(std::move(of)),
      knobs_(std::move(knobs)),
      threads_(threads),
      without_(without),
      workspaces_((of_.size() + observations_per_block - 1) / observations_per_block) {}

std::vector<sim::Seconds> Trial::times(std::span<const double> values) {
  std::vector<sim::Seconds> times(of_.size());
  support::parallel_for(workspaces_.size(), threads_, [&](std::size_t b) {
    const std::size_t end = std::min(of_.size(), (b + 1) * observations_per_block);
    for (std::size_t i = b * observations_per_block; i < end; ++i) {
      times[i] = time(of_[i], values, workspaces_[b]);
    }
  });
  return times;
}

void Trial::residuals(std::span<const double> values, std::span<double> into) {
  const std::vector<sim::Seconds> simulated = times(values);
  for (std::size_t i = 0; i < of_.size(); ++i) into[i] = sim::log(simulated[i] / of_[i].measured());
}

std::vector<double> Trial::sizes(std::span<const double> values) {
  const std::vector<sim::Seconds> simulated = times(values);
  std::vector<double> sizes;
  for (std::size_t i = 0; i < of_.size(); ++i) {
    sizes.push_back(std::abs(simulated[i] / of_[i].measured() - 1.0));
  }
  return sizes;
}

sim::Seconds Trial::time(const Observation& observation, std::span<const double> values,
                         sim::Workspace& workspace) const {
  const auto set = [&](sim::Stack& stack, sim::Device& device) {
    for (std::size_t k = 0; k < knobs_.size(); ++k) knobs_[k].set(values[k], stack, device);
  };
  if (observation.run == nullptr) {
    sim::Device device = observation.kernel->device;
    sim::Stack none;
    set(none, device);
    return datasets::simulated_time(observation.kernel->timed, device);
  }
  const scenarios::Scenario& scenario = observation.run->scenario;
  sim::Cluster cluster = scenario.cluster;
  sim::Stack stack = scenario.stack;
  set(stack, cluster.device);
  return step_without(without_, scenario, cluster, stack, workspace);
}

}  // namespace cubicbench::predictor
