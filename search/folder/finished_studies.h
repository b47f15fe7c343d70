#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace cubicbench::search {

/// The files of a study.
struct StudyTexts {
  std::optional<std::string> journal{};
  std::optional<std::string> truth{};
};

/// As they are now. Throws OutputError where one cannot be read.
StudyTexts texts_of(const std::filesystem::path& folder, const std::string& study);

/// SHA-256 of the files of a study.
struct StudyHashes {
  std::string journal;
  std::string truth;  ///< "" where the backend knows none

  bool operator==(const StudyHashes&) const = default;
};

/// Of the texts of its files; nothing of a file that is not there.
StudyHashes hashes_of(const StudyTexts& texts);

/// Of the files as they are; "" of one that is not there.
StudyHashes hashes_of(const std::filesystem::path& folder, const std::string& study);

/// `finished.json` of a search's folder [docs/reference/search-folder.md]: the studies that are
/// complete, each with the SHA-256 of its journal and of its truth. Nobody is asked again for what
/// is in it.
class FinishedStudies {
 public:
  /// What the folder says. A file that is missing or damaged lists nothing: all it saves is work.
  explicit FinishedStudies(std::filesystem::path folder);

  /// What is wrong with a damaged file; "" where nothing is.
  const std::string& damage() const { return damage_; }

  /// Is the study listed, and are its files still those that it ended with?
  bool holds(const std::string& study) const { return held(study).has_value(); }
  /// Their hashes where it is so.
  std::optional<StudyHashes> held(const std::string& study) const;
  /// Those that are listed, whatever the files are; null where the study is not.
  const StudyHashes* listed(const std::string& study) const;
  /// Is it listed with files other than those that are there?
  bool contradicts(const std::string& study) const;

 private:
  std::filesystem::path folder_;
  std::map<std::string, StudyHashes> listed_;
  std::string damage_;
};

/// Lists `studies`, whose files are complete and have these hashes, in the folder's finished.json,
/// unless it does already. Throws OutputError.
void list_finished(const std::filesystem::path& folder,
                   const std::map<std::string, StudyHashes>& studies);

/// The same with the hashes that the files have now.
void write_finished(const std::filesystem::path& folder, const std::set<std::string>& studies);

}  // namespace cubicbench::search
