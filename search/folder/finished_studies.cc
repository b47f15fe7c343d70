#include "search/folder/finished_studies.h"

#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "search/folder/search_folder.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/json/json_document.h"
#include "support/json/strict_json.h"
#include "support/sha256.h"

namespace cubicbench::search {
namespace {

namespace fs = std::filesystem;

/// Nothing of a file that is not there.
std::optional<std::string> text_in(const fs::path& file) {
  std::error_code error;
  if (fs::is_regular_file(file, error)) return support::read_file(file);
  if (error && error != std::errc::no_such_file_or_directory) {
    throw support::OutputError("cannot read " + file.string() + ": " + error.message());
  }
  return std::nullopt;
}

}  // namespace

FinishedStudies::FinishedStudies(fs::path folder) : folder_(std::move(folder)) {
  const fs::path path = finished_of(folder_);
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return;
  try {
    const auto document = support::parse_json(support::read_file(path), path.string());
    for (const auto& study : document.at("studies")) {
      listed_[study.at("study").get<std::string>()] = {
          .journal = study.at("journal").get<std::string>(), .truth = study.value("truth", "")};
    }
  } catch (const support::InputError& error) {
    damage_ = error.problems().front().text;
  } catch (const nlohmann::json::exception&) {
    damage_ = "expected the studies that are complete, each with the hashes of its files";
  }
  if (!damage_.empty()) listed_.clear();
}

StudyTexts texts_of(const fs::path& folder, const std::string& study) {
  return {.journal = text_in(journal_of(folder, study)), .truth = text_in(truth_of(folder, study))};
}

StudyHashes hashes_of(const StudyTexts& texts) {
  const auto hash_of = [](const std::optional<std::string>& text) {
    return text ? support::sha256_hex(*text) : "";
  };
  return {.journal = hash_of(texts.journal), .truth = hash_of(texts.truth)};
}

StudyHashes hashes_of(const fs::path& folder, const std::string& study) {
  return hashes_of(texts_of(folder, study));
}

const StudyHashes* FinishedStudies::listed(const std::string& study) const {
  const auto found = listed_.find(study);
  return found == listed_.end() ? nullptr : &found->second;
}

std::optional<StudyHashes> FinishedStudies::held(const std::string& study) const {
  const auto found = listed_.find(study);
  const bool holds = found != listed_.end() && !found->second.journal.empty() &&
                     found->second == hashes_of(folder_, study);
  return holds ? std::optional(found->second) : std::nullopt;
}

bool FinishedStudies::contradicts(const std::string& study) const {
  const auto found = listed_.find(study);
  return found != listed_.end() && found->second != hashes_of(folder_, study);
}

void write_finished(const fs::path& folder, const std::set<std::string>& studies) {
  std::map<std::string, StudyHashes> hashes;
  for (const std::string& study : studies) hashes.emplace(study, hashes_of(folder, study));
  list_finished(folder, hashes);
}

void list_finished(const fs::path& folder, const std::map<std::string, StudyHashes>& studies) {
  nlohmann::ordered_json document = support::new_document("finished");
  nlohmann::ordered_json& list = document["studies"] = nlohmann::ordered_json::array();
  for (const auto& [study, hashes] : studies) {
    nlohmann::ordered_json entry{{"study", study}, {"journal", hashes.journal}};
    if (!hashes.truth.empty()) entry["truth"] = hashes.truth;
    list.push_back(std::move(entry));
  }
  const std::string text = support::document_text(document);
  const fs::path path = finished_of(folder);
  std::error_code ignored;
  const bool same = fs::is_regular_file(path, ignored) && support::read_file(path) == text;
  if (!same) support::write_file_atomic(path, text);  // a folder may be there to be read only
}

}  // namespace cubicbench::search
