// A search folder with an edited journal and truth, given to `verify`, `compare`, `export` and
// `report`.
#include "tests/fuzz/checked_command.h"
#include "tests/fuzz/made_search.h"
#include "tests/fuzz/targets.h"

namespace cubicbench::fuzz {
namespace {

Parts seed(std::size_t /*number*/) {
  return {made_file("journals", made_study), made_file("truth", made_study)};
}

void run(const Parts& parts) {
  const std::filesystem::path folder = fresh_folder();
  const std::string search = folder / "search";
  std::filesystem::copy(made_search(), search, std::filesystem::copy_options::recursive);
  // Without it every study is looked at, as where it was lost.
  std::filesystem::remove(folder / "search/finished.json");
  write(folder / "search/journals" / (made_study + ".jsonl"), parts[0]);
  write(folder / "search/truth" / (made_study + ".jsonl"), parts[1]);
  checked({"verify", search, "--json"});
  checked({"compare", search, search, "--searcher", "random,coordinate", "--json"});
  for (const char* format : {"csv", "optuna", "coco"}) {
    checked({"export", search, "--format", format, "--out", folder / format});
  }
  checked({"report", search, "--out", folder / "page.html", "--json"});
}

}  // namespace

Target journal_target() {
  return {.name = "journal", .forms = {Form::lines, Form::lines}, .seed = seed, .run = run};
}

}  // namespace cubicbench::fuzz
