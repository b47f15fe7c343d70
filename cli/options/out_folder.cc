#include "cli/options/out_folder.h"

#include <algorithm>
#include <string_view>
#include <system_error>

#include "cli/options/readers.h"
#include "support/folders.h"
#include "support/input_error.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using support::InputError;
using support::shortened;

constexpr const char* new_or_of_paper = "a new or empty folder, or one that paper made";

}  // namespace

void declare_page(Options& options, std::optional<fs::path>& out) {
  options
      .value("--out", "DIR", "Also write a page, its figures and their numbers there", out,
             Filled{"DIR"})
      .in_turn(1)
      .check([&out] {
        if (out) support::require_new_folder(*out, out->string());
      });
}

void require_paper_folder(const fs::path& folder, const std::set<std::string>& studies) {
  const std::string where = "--out";
  const std::set<std::string> names = support::names_in(folder, where, new_or_of_paper);
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
    if (is_page || is_study) continue;
    throw InputError(
        where, std::string("expected ") + new_or_of_paper + ", got one with " + in_quotes(name));
  }
}

}  // namespace cubicbench::cli
