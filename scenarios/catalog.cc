#include "scenarios/catalog.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "scenarios/embedded.h"
#include "support/files.h"
#include "support/json/strict_json.h"
#include "support/suggestion.h"

namespace cubicbench::scenarios {
namespace {

struct Shelf {
  std::string_view folder;
  std::string_view name;
};

/// In the order of Kind.
constexpr std::array<Shelf, 9> shelves{{{"library/", "scenario"},
                                        {"hardware/", "device"},
                                        {"networks/", "network"},
                                        {"stacks/", "stack"},
                                        {"campaigns/", "campaign"},
                                        {"collectives/", "collective costs"},
                                        {"suites/", "suite"},
                                        {"families/", "family"},
                                        {"members/", "members"}}};

std::string_view folder_of(Kind kind) { return shelves[static_cast<std::size_t>(kind)].folder; }

/// "hardware/x.json" -> "x"; nothing when the file is on another shelf.
std::optional<std::string_view> name_on_shelf(Kind kind, std::string_view path) {
  constexpr std::string_view extension = ".json";
  const std::string_view folder = folder_of(kind);
  if (!path.starts_with(folder) || !path.ends_with(extension)) return std::nullopt;
  path.remove_prefix(folder.size());
  path.remove_suffix(extension.size());
  return path;
}

std::string summary_of(const support::EmbeddedFile& file) {
  const nlohmann::ordered_json document = support::parse_json(file.text, std::string(file.path));
  return document.value("summary", "");
}

std::string unknown(Kind kind, const std::string& name) {
  std::string message =
      "unknown " + std::string(name_of(kind)) + " \"" + support::shortened(name) + "\"";
  if (name.ends_with(".json")) {
    return message + "; a path needs a '/': did you mean \"./" + support::shortened(name) + "\"?";
  }
  std::vector<std::string> candidates;
  for (const Entry& entry : names(kind)) candidates.push_back(entry.name);
  const std::string suggestion = support::did_you_mean(name, candidates);
  if (!suggestion.empty()) return message + suggestion;
  if (kind == Kind::family) return message + "; cubicbench list families has all";
  if (kind != Kind::campaign && kind != Kind::collectives) {
    return message + "; cubicbench list " + std::string(name_of(kind)) + "s has all";
  }
  // No command lists them.
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    message += (i == 0 ? "; expected one of " : ", ") + candidates[i];
  }
  return message;
}

}  // namespace

std::vector<Entry> names(Kind kind) {
  std::vector<Entry> entries;
  for (const support::EmbeddedFile& file : embedded_files()) {
    if (const auto name = name_on_shelf(kind, file.path)) {
      entries.push_back({std::string(*name), summary_of(file)});
    }
  }
  // The files are sorted by their paths, in which "-" comes before ".json".
  std::ranges::sort(entries, {}, &Entry::name);
  return entries;
}

std::optional<std::string_view> text(Kind kind, std::string_view name) {
  for (const support::EmbeddedFile& file : embedded_files()) {
    if (name_on_shelf(kind, file.path) == name) return file.text;
  }
  return std::nullopt;
}

std::string_view name_of(Kind kind) { return shelves[static_cast<std::size_t>(kind)].name; }

std::string file_of(Kind kind, std::string_view name) {
  return "scenarios/" + std::string(folder_of(kind)) + std::string(name) + ".json";
}

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
