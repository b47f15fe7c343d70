#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace cubicbench::results {

/// What `paper` says when its page is done.
struct PaperAnswer {
  std::string document;  ///< one line of JSON, without the place of the page
  std::string text;      ///< for people, likewise

  bool operator==(const PaperAnswer&) const = default;
};

/// Keeps the answer in the folder of the page, with the SHA-256 of everything else that lies there.
/// `asked` is the command that made it. Throws OutputError.
void keep_answer(const std::filesystem::path& folder, const std::string& asked,
                 const PaperAnswer& answer);

/// The answer, if the same was asked of this version by a program that is no newer, and if every
/// file is there and what it was: then nothing is left to do.
std::optional<PaperAnswer> kept_answer(const std::filesystem::path& folder,
                                       const std::string& asked);

}  // namespace cubicbench::results
