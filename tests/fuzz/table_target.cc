// A scenario that is a table of runs, with the table: read, simulated, searched.
#include "datasets/embedded.h"
#include "tests/fuzz/checked_command.h"
#include "tests/fuzz/targets.h"

namespace cubicbench::fuzz {
namespace {

std::string shipped_table(std::string_view name, std::size_t bytes) {
  const auto* file = support::find_embedded(datasets::embedded_files(), name);
  if (file == nullptr) broken("a table that ships is not there");
  return std::string(file->text.substr(0, file->text.rfind('\n', bytes) + 1));
}

Parts seed(std::size_t /*number*/) {
  return {R"({
  "schema": "cubicbench.scenario/1",
  "name": "measured",
  "summary": "Measured layouts of a small model",
  "table": {"path": "./runs.csv", "where": {"n_gpus": "8"},
            "parameters": ["tp", "pp", "micro_batch", "global_batch", "sharding"]},
  "objective": {"metric": "tokens_per_s_per_gpu", "percentile": 50, "direction": "maximize"},
  "budget": {"trials": 6}
})",
          shipped_table("measured/hf_ultrascale_nanotron_sweep.csv", 20'000)};
}

void run(const Parts& parts) {
  const std::filesystem::path folder = fresh_folder();
  const std::string file = folder / "scenario.json";
  write(file, parts[0]);
  write(folder / "runs.csv", parts[1]);
  if (checked({"list", "parameters", file, "--json"}).code != 0) return;
  if (checked({"enumerate", file, "--json"}).code != 0) return;
  checked({"search", file, "--searcher", "coordinate,tpe", "--trials", "5", "--out",
           folder / "search", "--json"});
}

}  // namespace

Target table_target() {
  return {.name = "table", .forms = {Form::json, Form::table}, .seed = seed, .run = run};
}

}  // namespace cubicbench::fuzz
