#include "tests/fuzz/made_search.h"

#include <vector>

#include "support/files.h"
#include "support/scratch_folder.h"
#include "tests/fuzz/checked_command.h"
#include "tests/fuzz/target.h"

namespace cubicbench::fuzz {
namespace {

std::filesystem::path search_in(const std::filesystem::path& folder, const std::string& shard) {
  const Came came = checked({"search", "tiny-gpt", "--searcher", "random,coordinate", "--trials",
                             "6", "--shard", shard, "--out", folder});
  if (came.code != 0) broken("the search that is fuzzed cannot be made: " + came.err);
  return folder;
}

const std::filesystem::path& scratch() {
  static const support::ScratchFolder folder;
  return folder.path();
}

}  // namespace

const std::string made_study = "tiny-gpt.0.random.0";

const std::filesystem::path& made_search() {
  static const std::filesystem::path made = search_in(scratch() / "whole", "1/1");
  return made;
}

std::filesystem::path made_shard(int number) {
  static const std::vector<std::filesystem::path> made{search_in(scratch() / "one", "1/2"),
                                                       search_in(scratch() / "two", "2/2")};
  return made.at(static_cast<std::size_t>(number) - 1);
}

std::string made_file(const std::string& folder, const std::string& study) {
  return support::read_file(made_search() / folder / (study + ".jsonl"));
}

}  // namespace cubicbench::fuzz
