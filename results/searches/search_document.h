#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "results/document/document.h"
#include "results/regret/searched_problem.h"
#include "search/folder/campaign.h"

namespace cubicbench::results {

/// A search that is finished or was stopped, by its journals and truths.
struct SearchJudgement {
  std::shared_ptr<const search::StudySet> set;  ///< what the problems point to
  std::vector<SearchedProblem> problems{};
};

/// The search in folder `out`. Throws InputError as read_study_set().
SearchJudgement judge_search(const std::filesystem::path& out, const GivenSpaces& given = {});

/// The same of a search that has just been run or merged, whose records are taken from memory.
SearchJudgement judge_search(const std::filesystem::path& out,
                             std::vector<search::StudyRecord> records);

/// What `search --json` prints [docs/reference/json-documents.md]: `studies` in the order of the
/// plan, with searched_study_fields().
nlohmann::ordered_json search_json(const search::SearchResult& result,
                                   const SearchJudgement& judgement);

/// For each scenario a table with a row per searcher over all its studies and, where the optimum of
/// an instance is known, how to read its regret; where it is not, why.
void add_search_tables(const SearchJudgement& judgement, Document& document);

/// The tables, then where the journals are and what to run next. `out` is their folder as the user
/// named it.
Document search_document(const SearchJudgement& judgement, const std::string& out);

}  // namespace cubicbench::results
