#include "cli/options/out_folder.h"

#include <algorithm>
#include <string_view>
#include <system_error>

#include "cli/options/readers.h"
#include "support/input_error.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using support::InputError;
using support::shortened;

constexpr const char* new_or_empty = "a new or empty folder";
constexpr const char* new_or_of_paper = "a new or empty folder, or one that paper made";

[[noreturn]] void refuse(const std::string& where, const std::string& expected,
                         const std::string& name) {
  throw InputError(where, "expected " + expected + ", got one with " + in_quotes(name));
}

/// The names of what is in the folder, temporary files included; none where there is no folder yet.
/// Throws InputError at `where`, `expected EXPECTED, got ...`, when a file is there or on the way.
std::set<std::string> names_in(const fs::path& folder, const std::string& where,
                               const std::string& expected) {
  std::error_code error;
  std::set<std::string> names;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    names.insert(it->path().filename().string());
  }
  if (error == std::errc::not_a_directory) {
    std::error_code ignored;
    throw InputError(where, "expected " + expected + ", got " +
                                (fs::exists(folder, ignored) ? "a file" : "a path through a file"));
  }
  return names;  // a folder that cannot be read cannot be written either, which is said then
}

}  // namespace

void require_new_folder(const fs::path& folder, const std::string& where) {
  const std::set<std::string> names = names_in(folder, where, new_or_empty);
  if (!names.empty()) refuse(where, new_or_empty, *names.begin());
}

void declare_page(Options& options, std::optional<fs::path>& out) {
  options
      .value("--out", "DIR", "Also write a page, its figures and their numbers there", out,
             Filled{"DIR"})
      .in_turn(1)
      .check([&out] {
        if (out) require_new_folder(*out, out->string());
      });
}

void require_paper_folder(const fs::path& folder, const std::set<std::string>& studies) {
  const std::string where = "--out";
  const std::set<std::string> names = names_in(folder, where, new_or_of_paper);
  std::error_code ignored;
  if (names.contains("plan.json")) {
    // Pages of several searches lie above their folders, never in one of them.
    throw InputError(where, "expected a folder of its own, got " + shortened(folder.string()) +
                                ", which holds the plan.json of a search");
  }
  const bool has_study = std::ranges::any_of(studies, [&](const std::string& study) {
    return fs::exists(folder / study / "plan.json", ignored);
  });
  for (const std::string& name : names) {
    // A page without its studies is somebody else's.
    const bool is_page = has_study && name.starts_with("index.");
    const bool is_study = studies.contains(name) && fs::is_directory(folder / name, ignored);
    if (!is_page && !is_study) refuse(where, new_or_of_paper, name);
  }
}

}  // namespace cubicbench::cli
