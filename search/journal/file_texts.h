#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "search/journal/journal.h"
#include "search/journal/study_record.h"
#include "search/journal/truth_line.h"

namespace cubicbench::search {

// The readers of a study's files, for those who have read the files for another purpose, too:
// `text` is the content of the file that messages call `path`.

std::optional<JournalFrame> read_lines_of(
    std::string_view text, const std::filesystem::path& path,
    const std::function<std::optional<LaunchNumber>(std::string_view)>& take_plain,
    const std::function<void(JournalLine&&)>& take);
TruthFile read_truth_of(std::string_view text, const std::filesystem::path& path);
std::optional<StudyRecord> read_record_of(std::string_view text, const std::filesystem::path& path,
                                          const std::shared_ptr<ConfigWords>& words);

}  // namespace cubicbench::search
