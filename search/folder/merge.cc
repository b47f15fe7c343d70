#include "search/folder/merge.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "scenarios/family/member_name.h"
#include "search/backends/backend_factory.h"
#include "search/backends/recorded_backend.h"
#include "search/backends/recorded_scenario.h"
#include "search/folder/finished_studies.h"
#include "search/folder/search_folder.h"
#include "search/journal/file_texts.h"
#include "search/journal/journal.h"
#include "search/journal/study_log.h"
#include "search/journal/truth_line.h"
#include "search/ledger/run_study.h"
#include "search/permuted/permuted_searcher.h"
#include "search/study/study.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/interruption.h"
#include "support/json/canonical.h"
#include "support/json/json_difference.h"
#include "support/json/json_document.h"
#include "support/json/strict_json.h"
#include "support/new_folder.h"

namespace cubicbench::search {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using support::InputError;
using support::OutputError;
using support::Problem;
using Problems = std::vector<Problem>;

/// One of the folders that are merged.
struct ShardFolder {
  fs::path path;
  support::FileDescriptor lock;
  AskedSearch asked{};
  Json plan{};  ///< of the whole search: without the shard
};

std::string plan_of(const fs::path& folder) { return (folder / "plan.json").string(); }

ShardFolder read_shard_folder(const fs::path& path) {
  ShardFolder shard{.path = path, .lock = hold_search(path)};
  const std::string file = plan_of(path);
  shard.asked = read_asked_search(file);
  if (shard.asked.version != support::own_version()) {
    throw InputError(file + "#/version", support::other_version(shard.asked.version));
  }
  if (is_whole(shard.asked.shard)) {
    throw InputError(file + "#/shard", "expected I/N, a part of a search, got all of it");
  }
  shard.plan = support::parse_json(support::read_file(file), file);
  shard.plan.erase("shard");
  return shard;
}

/// The folders, in the order in which they were named; each is held.
std::vector<ShardFolder> read_shards(const std::vector<fs::path>& paths) {
  Problems problems;
  std::vector<ShardFolder> shards;
  std::set<fs::path> seen;
  for (const fs::path& path : paths) {
    std::error_code ignored;
    const fs::path place = fs::weakly_canonical(path, ignored);
    if (!seen.insert(place).second) {
      problems.push_back({path.string(), "expected each shard once, got this folder twice"});
      continue;
    }
    support::gathered(problems, [&] { shards.push_back(read_shard_folder(path)); });
  }
  support::throw_if_any(problems);
  if (shards.empty()) throw InputError("merge", "expected the folders of a search's shards");
  return shards;
}

void require_one_search(const std::vector<ShardFolder>& shards) {
  Problems problems;
  const ShardFolder& first = shards.front();
  for (const ShardFolder& shard : shards) {
    for (const support::JsonDifference& difference : support::differences(first.plan, shard.plan)) {
      problems.push_back(
          {plan_of(shard.path) + "#" + difference.pointer,
           support::text_of(difference) + ", another search than " + first.path.string()});
    }
    if (shard.asked.shard.of != first.asked.shard.of) {
      problems.push_back({plan_of(shard.path) + "#/shard",
                          "expected a part of " + std::to_string(first.asked.shard.of) + " as in " +
                              first.path.string() + ", got " + text_of(shard.asked.shard)});
    }
  }
  support::throw_if_any(problems);
}

/// By their index from 0.
std::vector<const ShardFolder*> in_order(const std::vector<ShardFolder>& shards) {
  constexpr std::size_t named_max = 10;
  Problems problems;
  std::map<std::int64_t, const ShardFolder*> found;
  for (const ShardFolder& shard : shards) {
    const auto [place, is_new] = found.emplace(shard.asked.shard.index, &shard);
    if (is_new) continue;
    problems.push_back({shard.path.string(), "expected each shard once, got " +
                                                 text_of(shard.asked.shard) + " again, as in " +
                                                 place->second->path.string()});
  }
  std::vector<const ShardFolder*> ordered;
  const std::int64_t of = shards.front().asked.shard.of;
  for (std::int64_t index = 1; index <= of && problems.size() < named_max; ++index) {
    const auto place = found.find(index);
    if (place != found.end()) {
      ordered.push_back(place->second);
    } else {
      problems.push_back(
          {"merge", "expected shard " + text_of({.index = index, .of = of}) + " too, got none"});
    }
  }
  support::throw_if_any(problems);
  return ordered;
}

/// Where a study goes that its journal has no more of.
class NoMore final : public Backend {
 public:
  NoMore(std::string journal, std::string unfinished)
      : journal_(std::move(journal)), unfinished_(std::move(unfinished)) {}

  bool runs_short_launches() const override { return true; }
  void start(Launch) override {}
  Finished wait() override { throw InputError(journal_, unfinished_); }

 private:
  std::string journal_;
  std::string unfinished_;
};

/// One study of the whole search and where its shard has it.
struct MergedStudy {
  const AskedScenario* scenario = nullptr;
  StudySpec spec;
  JournalHeader header;
  const ShardFolder* shard = nullptr;
};

class Merge {
 public:
  explicit Merge(std::vector<const ShardFolder*> shards)
      : shards_(std::move(shards)), asked_(shards_.front()->asked) {
    asked_.shard = {};
    const std::string& backend = asked_.backend;
    keeps_truth_ =
        !is_hashed_backend(backend) && knows_truth(parse_backend(backend, "plan.json#/backend"));
  }

  MergedSearch read() {
    plan_studies();
    require_only_planned();
    SearchResult result;
    Problems problems;
    for (const MergedStudy& study : studies_) {
      support::end_if_interrupted();
      support::gathered(problems, [&] {
        StudyRecord record = record_of(study);
        result.studies.push_back(search::summary_of(study.spec, study.scenario->objective, record));
        result.records.push_back(std::move(record));
      });
    }
    support::throw_if_any(problems);
    return {.asked = asked_, .result = std::move(result)};
  }

  /// Requires what read() checks.
  void write(const fs::path& folder) const {
    support::make_folders(folder / "journals");
    if (keeps_truth_) support::make_folders(folder / "truth");
    for (const MergedStudy& study : studies_) {
      support::end_if_interrupted();
      const std::string name = study_name(study.spec);
      fs::copy_file(journal_of(study.shard->path, name), journal_of(folder, name));
      if (keeps_truth_) fs::copy_file(truth_of(study.shard->path, name), truth_of(folder, name));
    }
    support::write_file_atomic(folder / "plan.json", support::document_text(shards_.front()->plan));
    list_finished(folder, hashes_);
  }

 private:
  void plan_studies() {
    const Telling telling = parse_telling(asked_.telling, plan_of(shards_.front()->path));
    const Start start = parse_start(asked_.start, plan_of(shards_.front()->path));
    std::size_t number = 0;
    for (const AskedScenario& scenario : asked_.scenarios) {
      for (std::int64_t nth = 0; nth < asked_.instances; ++nth) {
        const std::int64_t instance = asked_.first_instance + nth;
        for (const std::string& searcher : asked_.searchers) {
          const SearcherSpec parsed = recorded_searcher(searcher, plan_of(shards_.front()->path));
          for (std::int64_t i = 0; i < asked_.seeds; ++i) {
            const StudySpec spec{.scenario = scenario.name,
                                 .instance = instance,
                                 .searcher = parsed,
                                 .telling = telling,
                                 .seed = asked_.first_seed + i,
                                 .trials = scenario.trials,
                                 .slots = asked_.slots,
                                 .backend = asked_.backend,
                                 .start = start,
                                 .permute = asked_.permute,
                                 .salt_sha256 = scenarios::salt_seals(scenario.name, instance)
                                                    ? asked_.salt_sha256
                                                    : "",
                                 .warm_start = asked_.warm_start.of(scenario.name, instance)};
            const auto place = static_cast<std::size_t>(nth);
            const std::string truth =
                place < scenario.truth_sha256.size() ? scenario.truth_sha256[place] : "";
            studies_.push_back({.scenario = &scenario,
                                .spec = spec,
                                .header = journal_header(spec, scenario.sha256, truth),
                                .shard = shards_[number++ % shards_.size()]});
          }
        }
      }
    }
  }

  /// No shard holds the file of another study.
  void require_only_planned() const {
    std::map<const ShardFolder*, std::set<std::string>> files;
    for (const MergedStudy& study : studies_) {
      files[study.shard].insert(study_name(study.spec) + ".jsonl");
    }
    Problems problems;
    for (const ShardFolder* const shard : shards_) {
      for (const char* const room : {"journals", "truth"}) {
        std::error_code ignored;
        for (const auto& entry : fs::directory_iterator(shard->path / room, ignored)) {
          if (files[shard].contains(entry.path().filename().string())) continue;
          problems.push_back(
              {entry.path().string(),
               "expected a study of shard " + text_of(shard->asked.shard) + ", got another file"});
        }
      }
    }
    support::throw_if_any(problems);
  }

  /// A scenario without a baseline has none to grant, which its journals say.
  static bool is_of(const JournalHeader& header, MergedStudy& study) {
    if (header.start == name_of(Start::none)) {
      study.spec.start = Start::none;
      study.header.start = header.start;
    }
    return header == study.header;
  }

  StudyRecord record_of(MergedStudy study) {
    const std::string name = study_name(study.spec);
    const fs::path path = journal_of(study.shard->path, name);
    StudyTexts texts = texts_of(study.shard->path, name);
    if (!keeps_truth_) texts.truth.reset();
    std::optional<StudyRecord> read;
    if (texts.journal) {
      read = read_record_of(*texts.journal, path, words_);
    } else if (fs::exists(path)) {
      read = read_record(path, words_);  // which says why it cannot
    }
    if (!read) throw InputError(path.string(), unfinished(0, study));
    StudyRecord& journal = *read;
    if (!is_of(journal, study)) {
      throw InputError(path.string() + ":1", "expected the study that plan.json says, got another");
    }
    const double launches = charged(journal);
    const auto budget = static_cast<double>(study.spec.trials);
    if (launches > budget) {
      throw InputError(path.string(), "expected at most " + std::to_string(study.spec.trials) +
                                          " launches, got " + support::shortest(launches));
    }
    if (journal.torn) throw InputError(path.string(), unfinished(launches, study));
    if (launches < budget) require_ended(study, read_journal(path), path);
    if (keeps_truth_) add_required_truth(study, texts.truth, journal);
    hashes_[name] = hashes_of(texts);
    return *std::move(read);
  }

  static std::string unfinished(double launches, const MergedStudy& study) {
    return "expected a finished study of " + std::to_string(study.spec.trials) + " launches, got " +
           support::shortest(launches) + "; the search of this shard goes on with --resume";
  }

  /// Asks the searcher again and tells it what the journal says: has it really no more?
  void require_ended(const MergedStudy& study, const JournalFile& journal, const fs::path& path) {
    const std::string text = unfinished(charged(journal), study);
    const SearcherSpec& searcher = study.spec.searcher;
    if (is_external(searcher) || is_outside(searcher)) {  // nobody here to ask again
      if (FinishedStudies(study.shard->path).holds(study_name(study.spec))) return;
      throw InputError(path.string(), text);
    }
    const scenarios::Scenario* const scenario = scenario_of(*study.scenario, study.spec.instance);
    if (scenario == nullptr || journal.lines.empty()) throw InputError(path.string(), text);
    const std::unique_ptr<Searcher> asked = searcher_of(study.spec, *scenario);
    RecordedBackend backend(std::make_unique<NoMore>(path.string(), text), journal.lines, path);
    StudyLog study_log({path}, study.header, false);
    run_study(*scenario, study.spec, *asked, backend, study_log);
  }

  /// Of the library, and the one that was searched, or what was played of it; null if there is
  /// none.
  const scenarios::Scenario* scenario_of(const AskedScenario& asked, std::int64_t instance) {
    const auto [known, is_new] = scenarios_.try_emplace({asked.name, instance});
    if (is_new) known->second = searched_scenario(asked, instance);
    return known->second ? &*known->second : nullptr;
  }

  std::optional<scenarios::Scenario> searched_scenario(const AskedScenario& asked,
                                                       std::int64_t instance) const {
    std::optional<scenarios::Scenario> scenario = library_scenario(asked.name, asked.sha256);
    if (!scenario || !plays_search(asked_.backend)) return scenario;
    if (is_hashed_backend(asked_.backend)) return std::nullopt;
    const BackendSpec backend = parse_backend(asked_.backend, "plan.json#/backend");
    return recorded_scenario(*scenario, static_cast<std::uint64_t>(instance), backend.command);
  }

  static void add_required_truth(const MergedStudy& study, const std::optional<std::string>& text,
                                 StudyRecord& journal) {
    const fs::path path = truth_of(study.shard->path, study_name(study.spec));
    const TruthFile truth = text ? read_truth_of(*text, path) : read_truth(path);  // which says why
    const TruthHeader& searched = study.header;
    const bool same = truth.header == searched;
    const bool matches = std::ranges::equal(
        truth.lines, journal.launches, [](const TruthLine& line, const StudyLaunch& launch) {
          return line.trial == launch.trial && line.attempt == launch.attempt;
        });
    if (!same || !matches) {
      throw InputError(path.string(), "expected the truth of every launch of the journal, got " +
                                          std::string(same ? "others" : "that of another study"));
    }
    add_truth(journal, truth, path.string());
  }

  std::vector<const ShardFolder*> shards_;
  AskedSearch asked_;
  bool keeps_truth_ = false;
  std::vector<MergedStudy> studies_;
  std::map<std::string, StudyHashes> hashes_;  ///< of each study's files, which are copied
  std::shared_ptr<ConfigWords> words_ = std::make_shared<ConfigWords>();
  /// By name and instance.
  std::map<std::pair<std::string, std::int64_t>, std::optional<scenarios::Scenario>> scenarios_;
};

}  // namespace

MergedSearch merge_searches(const std::vector<fs::path>& paths, const fs::path& out) {
  support::NewFolder folder(out, out.string());
  const std::vector<ShardFolder> shards = read_shards(paths);
  require_one_search(shards);
  Merge merge(in_order(shards));
  MergedSearch merged = merge.read();
  try {
    merge.write(folder.make());
  } catch (const fs::filesystem_error& error) {
    throw OutputError("cannot write " + out.string() + ": " + error.code().message());
  }
  folder.keep();
  return merged;
}

}  // namespace cubicbench::search
