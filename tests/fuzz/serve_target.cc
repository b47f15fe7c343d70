// A program that drives a study, line by line.
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "search/served/serve_lines.h"
#include "tests/fuzz/served_study.h"
#include "tests/fuzz/targets.h"

namespace cubicbench::fuzz {
namespace {

constexpr const char* talk =
    R"({"type":"budget"}
{"type":"evaluate","config":{"tensor_parallel":1,"pipeline_parallel":1,"micro_batch":1,"sharding":"zero1","recompute":"full","compile":true}}
{"type":"evaluate","config":{"tensor_parallel":2,"pipeline_parallel":1,"micro_batch":1,"sequence_parallel":false,"sharding":"zero1","recompute":"full","compile":true},"fidelity":0.25}
{"type":"evaluate","config":{"tensor_parallel":8,"pipeline_parallel":2,"micro_batch":1,"schedule":"1f1b","sequence_parallel":false,"sharding":"zero1","recompute":"none","compile":false}}
{"type":"recommend","config":{"tensor_parallel":1,"pipeline_parallel":1,"micro_batch":1,"sharding":"zero1","recompute":"full","compile":true}})";

Parts seed(std::size_t /*number*/) { return {talk}; }

void run(const Parts& parts) {
  with_served_study([&](search::ServedSearch& served) {
    std::vector<std::string> lines;
    for_each_line(parts[0], [&](std::string_view line) { lines.emplace_back(line); });
    std::size_t next = 0;
    serve_lines(*served.studies().front(), {.next = [&]() -> std::optional<std::string> {
                                              if (next == lines.size()) return std::nullopt;
                                              return lines[next++];
                                            },
                                            .answer =
                                                [](std::string_view answer) {
                                                  if (!nlohmann::json::accept(answer))
                                                    broken("an answer that is no JSON");
                                                  if (answer.find('\n') + 1 != answer.size())
                                                    broken("not one line");
                                                }});
  });
}

}  // namespace

Target serve_target() {
  return {.name = "serve", .forms = {Form::lines}, .seed = seed, .run = run};
}

}  // namespace cubicbench::fuzz
