#include "results/exports/coco.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "results/document/number_text.h"
#include "results/exports/exported_studies.h"
#include "results/regret/known_spaces.h"
#include "scenarios/problem/score.h"
#include "search/finished/charged_launches.h"
#include "search/finished/regret.h"
#include "search/searchers/registry.h"
#include "support/files.h"
#include "support/input_error.h"

namespace cubicbench::results {
namespace {

namespace fs = std::filesystem;
using search::StudyLaunch;
using search::StudyResult;

constexpr std::size_t knobs_max = 22;  ///< of more the format has no positions

/// "+1.234567890e+03", as C's %+.9e writes it.
std::string exponential(double value, int digits) {
  const std::string number = formatted(value, std::chars_format::scientific, digits);
  return number.starts_with('-') ? number : "+" + number;
}

/// Less is better.
double cost_of(const StudyResult& study, double value) {
  const double cost = -score_of(study.objective, value);
  return cost == 0.0 ? 0.0 : cost;
}

std::optional<double> optimum_of(const StudyResult& study) {
  const KnownSpace known = known_space({}, {&study});
  if (!known.space) return std::nullopt;
  const auto scale = search::regret_scale(*known.space, study.objective.direction);
  return scale ? std::optional(cost_of(study, scale->best)) : std::nullopt;
}

/// The least cost of a scenario's instance.
struct Floor {
  double cost = 0.0;
  bool is_optimum = false;  ///< else the least that the folder's studies launched
};

/// Of the instances of one scenario.
class Floors {
 public:
  void see(const StudyResult& study) {
    if (!floors_.contains(study.instance)) {
      const std::optional<double> optimum = optimum_of(study);
      floors_[study.instance] = optimum ? std::optional(Floor{*optimum, true}) : std::nullopt;
    }
    std::optional<Floor>& floor = floors_[study.instance];
    if (floor && floor->is_optimum) return;
    for (const StudyLaunch& launch : study.launches) {
      const std::optional<double> worth = worth_of(launch);
      if (!worth) continue;
      const double cost = cost_of(study, *worth);
      if (!floor || cost < floor->cost) floor = Floor{cost, false};
    }
  }

  std::optional<Floor> of(const StudyResult& study) const { return floors_.at(study.instance); }

 private:
  std::map<std::int64_t, std::optional<Floor>> floors_;
};

using AllFloors = std::map<std::string, Floors>;

AllFloors all_floors(const fs::path& folder) {
  AllFloors floors;
  for_each_study(folder, [&](const ExportedStudy& exported) {
    floors[exported.study.scenario].see(exported.study);
  });
  return floors;
}

std::string run_header(const Floor& floor) {
  return "% function evaluation | noise-free fitness - Fopt (" +
         exponential(floor.cost, 12).substr(floor.cost < 0.0 ? 0 : 1) +
         ") | best noise-free fitness - Fopt | measured fitness | best measured fitness | x1 | "
         "x2...\n";
}

/// A run, as rows of both files: .dat has the launches that were better than all before, .tdat
/// every launch that succeeded and the last.
struct Run {
  std::string dat;
  std::string tdat;
  std::string entry;  ///< of the .info file
};

/// What a row has, filled launch by launch.
struct Row {
  double cost = 0.0;
  double best = 0.0;
  double measured = 0.0;
  double best_measured = 0.0;
  std::string positions{};
};

std::string text_of(const Row& row, std::size_t launch, const Floor& floor) {
  return std::to_string(launch) + " " + exponential(row.cost - floor.cost, 9) + " " +
         exponential(row.best - floor.cost, 9) + " " + exponential(row.measured, 9) + " " +
         exponential(row.best_measured, 9) + row.positions + "\n";
}

std::string positions_text(const ExportedProblem& problem, const search::ConfigText& config) {
  std::string text;
  if (problem.knobs.size() >= knobs_max) return text;
  for (const int position : problem.positions(config)) text += " " + exponential(position, 4);
  return text;
}

std::optional<Run> run_of(const ExportedStudy& exported, const ExportedProblem& problem,
                          const Floor& floor) {
  const StudyResult& study = exported.study;
  Run run{.dat = run_header(floor), .tdat = run_header(floor), .entry = {}};
  std::optional<Row> row;
  std::size_t written = 0;
  const std::vector<search::ChargedPlace> places = search::charged_places(study);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!places[i].whole) continue;
    const std::size_t position = *places[i].whole;
    const StudyLaunch& launch = study.launches[position];
    const std::optional<double> worth = worth_of(launch);
    if (!worth || !launch.value) continue;
    const double cost = cost_of(study, *worth);
    const double measured = cost_of(study, *launch.value);
    const bool is_better = !row || cost < row->best;
    row = Row{.cost = cost,
              .best = row ? std::min(row->best, cost) : cost,
              .measured = measured,
              .best_measured = row ? std::min(row->best_measured, measured) : measured,
              .positions = positions_text(problem, exported.journal.lines[position].config)};
    const std::string text = text_of(*row, i + 1, floor);
    if (is_better) run.dat += text;
    run.tdat += text;
    written = i + 1;
  }
  if (!row) return std::nullopt;
  if (written < places.size()) run.tdat += text_of(*row, places.size(), floor);
  run.entry = ", " + std::to_string(study.instance + 1) + ":" + std::to_string(places.size()) +
              "|" + exponential(row->best - floor.cost, 1).substr(row->best < floor.cost ? 0 : 1);
  return run;
}

std::string info_header(const StudyResult& study, const ExportedSearch& search,
                        const ExportedProblem& problem, const std::string& data) {
  return "suite = '" + (search.asked.suite.empty() ? "cubicbench" : search.asked.suite) +
         "', funcId = " + std::to_string(problem.number) +
         ", DIM = " + std::to_string(problem.knobs.size()) + ", Precision = 1.000e-08, algId = '" +
         study.searcher + "', coco_version = ''\n% " + study.scenario + ", CubicBench " +
         study.version + "\n" + data;
}

/// The studies of one searcher on one scenario.
std::vector<std::string> write_runs(const ExportedSearch& search, const std::string& searcher,
                                    const ExportedProblem& problem, const Floors& floors,
                                    const std::vector<fs::path>& journals, const fs::path& out) {
  const std::string slug = search::searcher_slug(searcher);
  const std::string number = "f" + std::to_string(problem.number);
  const std::string data = "data_" + number + "/bbobexp_" + number + "_DIM" +
                           std::to_string(problem.knobs.size()) + "_i1";
  support::make_folders((out / slug / data).parent_path());
  support::StreamedFile dat(out / slug / (data + ".dat"));
  support::StreamedFile tdat(out / slug / (data + ".tdat"));
  std::string info;
  for (const fs::path& journal : journals) {
    const ExportedStudy exported = exported_study(journal, search.asked);
    const std::optional<Floor> floor = floors.of(exported.study);
    if (!floor) continue;
    const std::optional<Run> run = run_of(exported, problem, *floor);
    if (!run) continue;
    if (info.empty()) info = info_header(exported.study, search, problem, data + ".dat");
    info += run->entry;
    dat.add(run->dat);
    tdat.add(run->tdat);
  }
  if (info.empty()) return {};
  dat.keep();
  tdat.keep();
  const std::string index = slug + "/bbobexp_" + number + "_i1.info";
  support::write_file_atomic(out / index, info + "\n");
  return {index, slug + "/" + data + ".dat", slug + "/" + data + ".tdat"};
}

}  // namespace

std::vector<std::string> write_coco_export(const fs::path& folder, const fs::path& out) {
  const ExportedSearch search = exported_search(folder);
  const AllFloors floors = all_floors(folder);
  std::vector<std::string> files;
  for (const auto& [of, journals] : search.runs) {
    const ExportedProblem& problem = search.problems.at(of.second);
    for (std::string& file :
         write_runs(search, of.first, problem, floors.at(of.second), journals, out)) {
      files.push_back(std::move(file));
    }
  }
  return files;
}

}  // namespace cubicbench::results
