#include "results/comparison/reference_side.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "results/embedded.h"
#include "scenarios/readers/campaign_reader.h"
#include "search/searchers/registry.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/joined.h"
#include "support/json/json_document.h"
#include "support/json/object_reader.h"
#include "support/json/strict_json.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;
using support::InputError;
using support::ObjectReader;
using support::ValueReader;

constexpr std::string_view folder = "searched/";
constexpr std::string_view bare_folder = "searched/from-nothing/";  ///< without the baseline
constexpr std::int64_t integer_max = std::numeric_limits<std::int64_t>::max();

/// The numbers of a study and the keys of their lists.
constexpr std::pair<const char*, double StudyNumbers::*> lists[] = {
    {"score", &StudyNumbers::score},
    {"best_found", &StudyNumbers::best_found},
    {"failed_share", &StudyNumbers::failed_share},
    {"gpu_hours", &StudyNumbers::gpu_hours}};

Json problem_json(const ComparedProblem& problem) {
  Json json{{"scenario", problem.scenario},
            {"instance", problem.instance},
            {"scenario_sha256", problem.scenario_sha256},
            {"truth_sha256", problem.truth_sha256},
            {"trials", problem.trials},
            {"curve", problem.curve}};
  json["seeds"] = Json::array();
  for (const auto& [seed, numbers] : problem.seeds) json["seeds"].push_back(seed);
  for (const auto& [key, number] : lists) {
    json[key] = Json::array();
    for (const auto& [seed, numbers] : problem.seeds) json[key].push_back(numbers.*number);
  }
  return json;
}

std::vector<double> read_numbers(ObjectReader& in, const char* key, std::size_t count) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  std::vector<double> numbers;
  for (const ValueReader& value : in.array(key))
    numbers.push_back(value.number(-infinite, infinite));
  if (numbers.size() != count) {
    in.problem(key, "expected " + std::to_string(count) + " numbers, got " +
                        std::to_string(numbers.size()));
    numbers.resize(count);
  }
  return numbers;
}

ComparedProblem read_problem(const ValueReader& value) {
  ObjectReader in = value.object();
  ComparedProblem problem{.scenario = in.string("scenario"),
                          .instance = in.integer("instance", 0, integer_max),
                          .scenario_sha256 = in.string("scenario_sha256"),
                          .truth_sha256 = in.string("truth_sha256"),
                          .trials = in.integer("trials", 1, scenarios::trials_max),
                          .curve = read_numbers(in, "curve", curve_points)};
  std::vector<std::int64_t> seeds;
  for (const ValueReader& seed : in.array("seeds")) seeds.push_back(seed.integer(0, integer_max));
  for (const auto& [key, number] : lists) {
    const std::vector<double> numbers = read_numbers(in, key, seeds.size());
    for (std::size_t i = 0; i < seeds.size(); ++i) problem.seeds[seeds[i]].*number = numbers[i];
  }
  if (problem.seeds.size() != seeds.size()) in.problem("seeds", "expected each seed once");
  in.finish();
  return problem;
}

ComparedSide read_text(const std::string& text, const std::string& where) {
  constexpr std::string_view schemas[] = {"cubicbench.reference/1"};
  const Json document = support::parse_json(text, where);
  std::vector<support::Problem> problems;
  ObjectReader in(document, where, "", problems);
  in.one_of("schema", schemas);
  support::throw_if_any(problems);
  ComparedSide side{.version = in.string("version"),
                    .searcher = in.string("searcher"),
                    .suite = in.string("suite", ""),
                    .start = in.string("start"),
                    .telling = in.string("telling"),
                    .slots = in.integer("slots", 1, scenarios::slots_max),
                    .permute = in.boolean("permute"),
                    .command = in.string("command", "")};
  for (const ValueReader& problem : in.array("problems")) {
    side.problems.push_back(read_problem(problem));
  }
  in.finish();
  support::throw_if_any(problems);
  return side;
}

/// The files right in that folder.
std::vector<support::EmbeddedFile> files_in(std::string_view of) {
  std::vector<support::EmbeddedFile> files;
  for (const support::EmbeddedFile& file : embedded_files()) {
    const std::string_view path = file.path;
    if (path.starts_with(of) && path.find('/', of.size()) == std::string_view::npos) {
      files.push_back(file);
    }
  }
  return files;
}

std::string name_of_file(const support::EmbeddedFile& file) {
  const std::string_view path = file.path;
  const std::size_t slash = path.rfind('/') + 1;
  return std::string(path.substr(slash, path.rfind('.') - slash));
}

std::string shipped_text(const std::string& name, const std::string& searcher) {
  const std::string path = std::string(folder) + search::searcher_slug(searcher) + ".json";
  const auto files = files_in(folder);
  const auto found = std::ranges::find(files, path, &support::EmbeddedFile::path);
  if (found != files.end()) return std::string(found->text);
  throw InputError(
      name, "expected a reference that ships (" + support::joined(files, ", ", name_of_file) +
                "), or the path of one with a '/', got \"" + support::shortened(searcher) + "\"");
}

}  // namespace

bool is_reference(std::string_view name) { return name.starts_with(reference_prefix); }

std::string reference_text(const ComparedSide& side) {
  Json document = support::new_document("reference");
  document["version"] = side.version;
  document["searcher"] = side.searcher;
  document["suite"] = side.suite.empty() ? Json() : Json(side.suite);
  document["start"] = side.start;
  document["telling"] = side.telling;
  document["slots"] = side.slots;
  document["permute"] = side.permute;
  document["command"] = side.command.empty() ? Json() : Json(side.command);
  document["problems"] = Json::array();
  for (const ComparedProblem& problem : side.problems) {
    document["problems"].push_back(problem_json(problem));
  }
  return support::document_text(document);
}

ComparedSide read_reference(const std::string& name) {
  const std::string asked = name.substr(reference_prefix.size());
  const bool is_file = asked.find('/') != std::string::npos;
  ComparedSide side = is_file ? read_text(support::read_file(asked), asked)
                              : read_text(shipped_text(name, asked), name);
  side.name = name;
  return side;
}

std::vector<ComparedSide> shipped_references(std::string_view start) {
  std::vector<ComparedSide> sides;
  for (const support::EmbeddedFile& file : files_in(start == "none" ? bare_folder : folder)) {
    const std::string name = std::string(reference_prefix) + name_of_file(file);
    sides.push_back(read_text(std::string(file.text), std::string(file.path)));
    sides.back().name = name;
  }
  return sides;
}

}  // namespace cubicbench::results
