// Two shards of a search with edited plans, given to `merge` and `verify`.
#include "support/files.h"
#include "tests/fuzz/checked_command.h"
#include "tests/fuzz/made_search.h"
#include "tests/fuzz/targets.h"

namespace cubicbench::fuzz {
namespace {

Parts seed(std::size_t /*number*/) {
  return {support::read_file(made_shard(1) / "plan.json"),
          support::read_file(made_shard(2) / "plan.json"),
          support::read_file(made_search() / "finished.json")};
}

void run(const Parts& parts) {
  const std::filesystem::path folder = fresh_folder();
  for (const int shard : {1, 2}) {
    const std::filesystem::path copy = folder / std::to_string(shard);
    std::filesystem::copy(made_shard(shard), copy, std::filesystem::copy_options::recursive);
    write(copy / "plan.json", parts[static_cast<std::size_t>(shard) - 1]);
  }
  write(folder / "1/finished.json", parts[2]);
  checked({"merge", folder / "1", folder / "2", "--out", folder / "merged"});
  checked({"verify", folder / "1", "--json"});
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (name != "1" && name != "2" && name != "merged") broken("wrote outside its folder: " + name);
  }
}

}  // namespace

Target plan_target() {
  return {.name = "plan", .forms = {Form::json, Form::json, Form::json}, .seed = seed, .run = run};
}

}  // namespace cubicbench::fuzz
