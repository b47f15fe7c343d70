#include "scenarios/readers/library_entry.h"

#include <filesystem>

#include "support/files.h"
#include "support/suggestion.h"

namespace cubicbench::scenarios {
namespace {

std::string unknown(Kind kind, const std::string& name) {
  std::string message =
      "unknown " + std::string(name_of(kind)) + " \"" + support::shortened(name) + "\"";
  if (name.ends_with(".json")) {
    return message + "; a path needs a '/': did you mean \"./" + support::shortened(name) + "\"?";
  }
  std::vector<std::string> candidates;
  for (const Entry& entry : names(kind)) candidates.push_back(entry.name);
  const std::string suggestion = support::did_you_mean(name, candidates);
  if (!suggestion.empty() || kind != Kind::collectives) return message + suggestion;
  // No command lists them.
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    message += (i == 0 ? "; expected one of " : ", ") + candidates[i];
  }
  return message;
}

}  // namespace

bool is_path(std::string_view name) { return name.find('/') != std::string_view::npos; }

std::string joined(const std::string& directory, std::string_view path) {
  return directory.empty() ? std::string(path)
                           : (std::filesystem::path(directory) / path).lexically_normal().string();
}

Document find_document(Kind kind, const std::string& name, const std::string& directory,
                       const std::string& where) {
  if (is_path(name)) {
    const std::string path = joined(directory, name);
    return {path, std::filesystem::path(path).parent_path().string(), support::read_file(path)};
  }
  const auto found = text(kind, name);
  if (!found) throw support::InputError(where, unknown(kind, name));
  return {file_of(kind, name), "", std::string(*found)};
}

}  // namespace cubicbench::scenarios
