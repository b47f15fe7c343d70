#include "predictor/calibration/left_out.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <variant>

#include "datasets/fits/calibration_plan.h"
#include "datasets/mapping/stack_defaults.h"
#include "predictor/calibration/calibration_runs.h"
#include "predictor/calibration/law_fit.h"
#include "predictor/calibration/trial.h"
#include "scenarios/constants/constants.h"

namespace cubicbench::predictor {
namespace {

using datasets::CalibrationPlan;
using datasets::Library;
using datasets::Measurement;
using Names = std::vector<std::string>;

constexpr std::array<std::string_view, 2> names{"source", "model"};

/// The constants that `runs` tell, from those that ship. Requires runs.
std::vector<double> refitted(const std::vector<CalibrationRun>& runs,
                             const std::vector<Knob>& knobs, int threads) {
  const scenarios::Scenario& first = runs.front().scenario;
  const std::vector<Unknown> unknowns = unknowns_of(knobs, first.stack, first.cluster.device);
  return fitted_values(Trial(observations_of(runs), knobs, threads), unknowns,
                       values_before(unknowns), runs.size());
}

/// Gives the stack or the device of that name these values.
void give(const std::vector<Knob>& knobs, const std::vector<double>& values,
          const std::string& name, Library& library) {
  const auto stack = library.stacks.find(name);
  const auto device = library.devices.find(name);
  sim::Stack no_stack;
  sim::Device no_device;
  for (std::size_t i = 0; i < knobs.size(); ++i) {
    knobs[i].set(values[i], stack != library.stacks.end() ? stack->second : no_stack,
                 device != library.devices.end() ? device->second : no_device);
  }
}

/// The generic stack of the family of a stack of the library.
std::string generic_of(const std::string& stack) {
  const datasets::StackCatalog& catalog = datasets::stack_catalog();
  for (const datasets::StackDefaults& entry : catalog.stacks) {
    if (std::ranges::find(entry.names, stack) == entry.names.end()) continue;
    for (const datasets::StackFamily& family : catalog.families) {
      if (family.name == entry.family) return family.stack;
    }
  }
  return catalog.one_for_all;
}

/// The device whose constants stand for those of a device that has none of its own left.
sim::Device like(const std::string& device, const std::set<std::string>& without,
                 const Library& library) {
  for (const auto& [name, other] : library.devices) {
    const bool alike = datasets::generation_of(name) == datasets::generation_of(device);
    if (alike && !without.contains(name)) return other;
  }
  return {};  // what files have by default
}

void append(const Names& from, Names& to) { to.insert(to.end(), from.begin(), from.end()); }

}  // namespace

std::span<const std::string_view> left_out_names() { return names; }

bool Refits::Told::is_of(LeftOutOf what, std::string_view name) const {
  return !name.empty() && (what == LeftOutOf::source ? table : run.row.model) == name;
}

Refits::Refits() {
  for (CalibrationRun& run : law_runs(datasets::law_plan()).runs) {
    std::string table(table_of(run));
    law_runs_.push_back({.table = std::move(table), .run = std::move(run)});
  }
  for (const CalibrationPlan& plan : datasets::calibration_plans()) {
    Subject& subject = subject_of(plan.subject, plan.of);
    for (const datasets::CalibrationRows& rows : plan.rows) {
      CalibrationPlan one = plan;
      one.rows = {rows};
      for (CalibrationRun& run : calibration_runs(one).runs) {
        subject.runs.push_back(
            {.table = rows.table, .plan = subject.fits.size(), .run = std::move(run)});
      }
    }
    subject.fits.push_back(plan.fit);
    subject.takers.push_back(plan.also);
  }
}

Refits::Subject& Refits::subject_of(CalibrationSubject kind, const std::string& name) {
  const auto found = std::ranges::find_if(subjects_, [&](const Subject& subject) {
    return subject.kind == kind && subject.name == name;
  });
  if (found != subjects_.end()) return *found;
  return subjects_.emplace_back(Subject{.kind = kind, .name = name});
}

bool Refits::tells(LeftOutOf what, std::string_view name) const {
  const auto any_told = [&](const std::vector<Told>& runs) {
    return std::ranges::any_of(runs, [&](const Told& told) { return told.is_of(what, name); });
  };
  return any_told(law_runs_) || std::ranges::any_of(subjects_, [&](const Subject& subject) {
           return any_told(subject.runs);
         });
}

void Refits::fit_laws_without(LeftOutOf what, std::string_view name, int threads,
                              Library& library) const {
  std::vector<CalibrationRun> rest;
  for (const Told& told : law_runs_) {
    if (!told.is_of(what, name)) rest.push_back(told.run);
  }
  if (rest.size() == law_runs_.size()) return;
  const datasets::LawPlan& plan = datasets::law_plan();
  give_laws(plan, law_values(plan, rest, threads), library);
}

std::vector<Refits::Rest> Refits::rests_without(LeftOutOf what, std::string_view name) const {
  std::vector<Rest> rests;
  for (const Subject& subject : subjects_) {
    std::set<std::size_t> plans;  // that lose a run
    Rest rest{.subject = &subject};
    for (const Told& told : subject.runs) {
      if (told.is_of(what, name)) {
        plans.insert(told.plan);
      } else {
        rest.runs.push_back(told.run);
      }
    }
    if (plans.empty()) continue;
    for (const std::size_t plan : plans) {
      append(subject.fits[plan], rest.constants);
      append(subject.takers[plan], rest.takers);
    }
    rests.push_back(std::move(rest));
  }
  return rests;
}

Library Refits::library_without(LeftOutOf what, std::string_view name, int threads) const {
  Library library = datasets::library();
  fit_laws_without(what, name, threads, library);
  const std::vector<Rest> rests = rests_without(what, name);
  std::set<std::string> without;  // those that have nothing of their own left
  for (const Rest& rest : rests) {
    Names same = rest.takers;
    same.push_back(rest.subject->name);
    if (rest.runs.empty()) {
      without.insert(same.begin(), same.end());
      continue;
    }
    const std::vector<Knob> knobs = knobs_of(rest.subject->kind, rest.constants);
    const std::vector<double> values = refitted(rest.runs, knobs, threads);
    for (const std::string& one : same) give(knobs, values, one, library);
  }
  // Generic stacks are fitted again by now.
  for (const Rest& rest : rests) {
    if (!rest.runs.empty()) continue;
    Names same = rest.takers;
    same.push_back(rest.subject->name);
    if (rest.subject->kind == CalibrationSubject::stack) {
      std::string other = generic_of(rest.subject->name);
      if (without.contains(other)) other = datasets::stack_catalog().one_for_all;
      const sim::Stack constants = library.stacks.at(other);
      for (const std::string& one : same) library.stacks.at(one) = constants;
      continue;
    }
    const std::vector<Knob> knobs = knobs_of(rest.subject->kind, rest.constants);
    const std::vector<double> values =
        values_before(unknowns_of(knobs, sim::Stack{}, like(rest.subject->name, without, library)));
    for (const std::string& one : same) give(knobs, values, one, library);
  }
  return library;
}

datasets::Validation validate_left_out(std::span<const datasets::MeasuredTable> tables,
                                       const datasets::WantedRows& wanted, LeftOutOf what,
                                       bool unnamed, int threads) {
  const Refits refits;
  std::map<std::string, Library, std::less<>> without;  // of names that tell something
  for (const datasets::MeasuredTable& table : tables) {
    const auto* const runs = std::get_if<datasets::Measurements>(&table);
    if (runs == nullptr) continue;
    for (const Measurement& row : runs->rows) {
      const std::string& name = what == LeftOutOf::source ? runs->name : row.model;
      if (without.contains(name) || !refits.tells(what, name)) continue;
      without.emplace(name, refits.library_without(what, name, threads));
    }
  }
  const auto among = [&](const Measurement& row,
                         const datasets::TableName& table) -> const Library& {
    const auto found = without.find(what == LeftOutOf::source ? table.source : row.model);
    return found == without.end() ? datasets::library() : found->second;
  };
  return validate_tables(tables, wanted, threads, {.among = among, .unnamed = unnamed});
}

}  // namespace cubicbench::predictor
