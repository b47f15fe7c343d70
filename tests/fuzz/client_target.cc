// A program as a searcher, and what it answers.
#include "tests/fuzz/checked_command.h"
#include "tests/fuzz/targets.h"

namespace cubicbench::fuzz {
namespace {

constexpr const char* answers =
    R"({"type":"ready","protocol":1,"batch":2,"studies":1}
{"type":"propose","configs":[{"tensor_parallel":1,"pipeline_parallel":1,"micro_batch":1,"sharding":"zero1","recompute":"full","compile":true},{"tensor_parallel":2,"pipeline_parallel":1,"micro_batch":1,"sequence_parallel":false,"sharding":"zero1","recompute":"full","compile":false}]}
{"type":"propose","config":{"tensor_parallel":1,"pipeline_parallel":1,"micro_batch":2,"sharding":"zero1","recompute":"none","compile":true}}
{"type":"propose","configs":[]}
{"type":"recommend","config":null})";

Parts seed(std::size_t /*number*/) { return {answers}; }

void run(const Parts& parts) {
  const std::filesystem::path folder = fresh_folder();
  write(folder / "answers", parts[0]);
  // It answers before it is asked, and goes on reading, as a broken client might.
  checked({"search", "tiny-llama", "--searcher",
           "external:sed -u -n -e '' & cat " + (folder / "answers").string(), "--trials", "5",
           "--client-timeout", "1", "--out", folder / "search"},
          true);
}

}  // namespace

Target client_target() {
  return {.name = "client", .forms = {Form::lines}, .seed = seed, .run = run};
}

}  // namespace cubicbench::fuzz
