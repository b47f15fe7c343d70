// A program as a searcher, and what it answers.
#include "tests/fuzz/checked_command.h"
#include "tests/fuzz/targets.h"

namespace cubicbench::fuzz {
namespace {

constexpr const char* answers =
    R"({"type":"ready","protocol":1,"batch":2,"studies":1}
{"type":"propose","configs":[{"tensor_parallel":1,"pipeline_parallel":1,"micro_batch":1,"sharding":"zero1","recompute":"full","compile":true}]}
{"type":"propose","configs":[{"tensor_parallel":1,"pipeline_parallel":1,"micro_batch":2,"sharding":"zero1","recompute":"full","compile":true}]}
{"type":"propose","configs":[{"tensor_parallel":1,"pipeline_parallel":1,"micro_batch":2,"sharding":"zero1","recompute":"full","compile":false}]}
{"type":"propose","configs":[{"tensor_parallel":1,"pipeline_parallel":1,"micro_batch":4,"sharding":"zero1","recompute":"full","compile":true}]}
{"type":"recommend","config":null})";

Parts seed(std::size_t /*number*/) { return {answers}; }

/// Answers each question with the next line; what it is only told needs no answer.
constexpr const char* client = R"(exec 3<"$1"
while IFS= read -r asked; do
  case $asked in
    *'"type":"tell"'*) ;;
    *'"type":"stop"'*) exit ;;
    *) IFS= read -r answer <&3 || [ -n "$answer" ] || exit; printf '%s\n' "$answer" ;;
  esac
done
)";

void run(const Parts& parts) {
  const std::filesystem::path folder = fresh_folder();
  write(folder / "client.sh", client);
  write(folder / "answers", parts[0]);
  const std::string command =
      "sh " + (folder / "client.sh").string() + " " + (folder / "answers").string();
  checked({"search", "tiny-llama", "--searcher", "external:" + command, "--trials", "5",
           "--client-timeout", "1", "--out", folder / "search"},
          true);
}

}  // namespace

Target client_target() {
  return {.name = "client", .forms = {Form::lines}, .seed = seed, .run = run};
}

}  // namespace cubicbench::fuzz
