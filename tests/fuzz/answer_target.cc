// What a command that runs launches says: its log, and the last line of it.
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "search/backends/command_protocol.h"
#include "search/backends/job_log.h"
#include "support/input_error.h"
#include "tests/fuzz/targets.h"

namespace cubicbench::fuzz {
namespace {

constexpr std::array logs{
    "step: 1  loss: 12.2\n{\"state\":\"complete\",\"value\":1234.5,\"step_time_s\":2.5,"
    "\"peak_bytes\":70000000000,\"cost_gpu_hours\":0.5,\"message\":\"ready\"}",
    "\x1b[32miteration 1/ 100 | loss 3\ntorch.OutOfMemoryError: CUDA out of memory\n"
    "{\"state\":\"fail\",\"reason\":\"oom\",\"message\":\"too much\"}",
    "{\"state\":\"complete\",\"value\":NaN}"};

Parts seed(std::size_t number) { return {logs[number]}; }

void check_answer(std::string_view line) {
  const std::optional<search::Answer> answer = search::read_answer(line);
  try {
    search::parse_answer(line);
    if (!answer) broken("an answer is read in one way only");
  } catch (const support::InputError&) {
    if (answer) broken("an answer is read in one way only");
  }
  if (!answer) return;
  if (answer->outcome.value && !std::isfinite(*answer->outcome.value)) {
    broken("an answer that is not finite");
  }
}

void run(const Parts& parts) {
  // However a log is cut into pieces, it says the same.
  search::JobLog whole;
  whole.add(parts[0]);
  search::JobLog pieces;
  for (const char c : parts[0]) pieces.add(std::string_view(&c, 1));
  if (whole.last_line() != pieces.last_line() || whole.reported_step() != pieces.reported_step() ||
      whole.out_of_memory() != pieces.out_of_memory()) {
    broken("a log in pieces says something else");
  }
  check_answer(whole.last_line());
  search::outcome_of({.last_line = whole.last_line(),
                      .out_of_memory = whole.out_of_memory(),
                      .reported_step = whole.reported_step(),
                      .exit_code = 0},
                     0.5, 8.0);
}

}  // namespace

Target answer_target() {
  return {.name = "answer", .forms = {Form::lines}, .seed = seed, .seeds = logs.size(), .run = run};
}

}  // namespace cubicbench::fuzz
