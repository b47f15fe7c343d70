#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace cubicbench::search {

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
  bool holds(const std::string& study) const;
  /// Is it listed with files other than those that are there?
  bool contradicts(const std::string& study) const;

 private:
  struct Hashes {
    std::string journal;
    std::string truth;  ///< "" where the backend knows none

    bool operator==(const Hashes&) const = default;
  };
  static Hashes hashes_of(const std::filesystem::path& folder, const std::string& study);
  friend void write_finished(const std::filesystem::path& folder,
                             const std::set<std::string>& studies);

  std::filesystem::path folder_;
  std::map<std::string, Hashes> listed_;
  std::string damage_;
};

/// Lists `studies`, whose files are complete, in the folder's finished.json, unless it does
/// already. Throws OutputError.
void write_finished(const std::filesystem::path& folder, const std::set<std::string>& studies);

}  // namespace cubicbench::search
