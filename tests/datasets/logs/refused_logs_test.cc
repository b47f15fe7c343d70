// Logs that say what cannot be, and the exact message that each must produce.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "datasets/logs/read_log.h"
#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

std::string message_of(const std::string& text, GivenColumns given = {}) {
  try {
    read_log(text, "dir/run.log", given);
  } catch (const support::InputError& error) {
    return error.what();
  }
  return "no problem";
}

/// A record of Megatron-LM whose time is `time` ms.
std::string record(const std::string& time, const std::string& batch = "64") {
  return " iteration        2/     500 | consumed samples:          128 | elapsed time per "
         "iteration "
         "(ms): " +
         time + " | learning rate: 3.0E-04 | global batch size:    " + batch + " |\n";
}

std::string arguments(const std::string& world, const std::string& tensor) {
  return "  world_size ................. " + world + "\n  tensor_model_parallel_size ....... " +
         tensor + "\n  micro_batch_size ....... 2\n  pipeline_model_parallel_size ....... 1\n";
}

TEST(RefusedLogs, ByNameFileAndLine) {
  struct Case {
    const char* name;
    std::string text;
    const char* message;
  };
  const Case cases[] = {
      {"no log", "hello\n",
       "dir/run.log: expected a log of one of the formats kineto, pytorch-memory-snapshot, mlperf, "
       "torchtitan, maxtext, nemo, megatron-bridge, megatron-lm, deepspeed, got no line of any"},
      {"a time that is none", record("nan"),
       "dir/run.log:1: expected a number above 0 and at most 1e+09 in elapsed time per "
       "iteration (ms), got \"nan\"\n"
       "dir/run.log: expected a training step or a peak of memory, got none"},
      {"a time below zero", record("5.0") + record("-5.0"),
       "dir/run.log:2: expected a number above 0 and at most 1e+09 in elapsed time per "
       "iteration (ms), got \"-5.0\""},
      {"a degree that is none", arguments("8", "-2") + record("5.0"),
       "dir/run.log:2: expected an integer of at least 1 in tensor_model_parallel_size, got "
       "\"-2\""},
      {"GPUs that are no product", arguments("8", "3") + record("5.0"),
       "dir/run.log: expected n_gpus that tp 3 x pp 1 x cp 1 divides, got 8"},
      {"a batch that replicas do not divide", arguments("8", "2") + record("5.0", "63"),
       "dir/run.log: expected a global_batch that dp 4 x micro_batch 2 divides, got 63"},
      {"two statements", arguments("8", "2") + arguments("16", "2") + record("5.0"),
       "dir/run.log:5: expected 8 in world_size, as line 1 has it, got \"16\""},
      {"memory beyond all",
       record("5.0") + "[Rank 0] (after 2 iterations) memory (MB) | allocated: 1.0 | max "
                       "allocated: 1e12 | reserved: 3.0 | max reserved: 4.0\n",
       "dir/run.log:2: expected a number in [0, 95367434.24] in max allocated, got \"1e12\""},
      {"memory in the wrong order",
       record("5.0") + "[Rank 0] (after 2 iterations) memory (MB) | allocated: "
                       "1024 | max allocated: 4096 | max reserved: 2048\n",
       "dir/run.log:2: expected allocated <= max allocated <= max reserved, got 1.000000, "
       "4.000000, "
       "2.000000 GiB"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(message_of(c.text), c.message);
  }
}

TEST(RefusedLogs, TakeWhatTheyDoNotStateAndNothingElse) {
  const std::string text = arguments("8", "2") + record("5.0");
  const GivenColumn device{"device", "h100-sxm-80gb"};
  const ReadLog log = read_log(text, "dir/run.log", std::array{device});
  EXPECT_EQ(log.row.device, "h100-sxm-80gb");
  EXPECT_EQ(log.missing, (std::vector<std::string>{"model", "seq_len"}));
  const GivenColumn other{"tp", "4"};
  EXPECT_EQ(message_of(text, std::array{other}),
            "dir/run.log: expected 2 in --column tp, as tensor_model_parallel_size in line 2 has "
            "it, got \"4\"");
}

TEST(RefusedLogs, GivenColumnsAreColumns) {
  const auto refused = [](const char* text) {
    try {
      parse_given_column(text, "--column");
    } catch (const support::InputError& error) {
      return std::string(error.what());
    }
    return std::string("no problem");
  };
  EXPECT_EQ(refused("device=h100"), "no problem");
  EXPECT_EQ(refused("device"), "--column: expected NAME=VALUE, got \"device\"");
  EXPECT_EQ(
      refused("n_gpu=8"),
      "--column: expected a column of docs/datasets.md that is no measurement, got \"n_gpu\"; "
      "did you mean \"n_gpus\"?");
  EXPECT_EQ(refused("step_time_s=1"),
            "--column: expected a column of docs/datasets.md that is no measurement, got "
            "\"step_time_s\"");
  EXPECT_EQ(refused("n_gpus=many"),
            "--column: expected an integer of at least 1 in n_gpus, got \"many\"");
}

TEST(RefusedLogs, NameFieldsOfRecordsThatNoReaderKnows) {
  std::string text = record("5.0");
  text.insert(text.size() - 1, " warp factor: 9.2 |");
  const ReadLog log = read_log(text + "  fancy_parallel_size ..... 4\n", "run.log");
  ASSERT_EQ(log.not_understood.size(), 2U);
  EXPECT_EQ(log.not_understood[0].line, 1U);
  EXPECT_EQ(log.not_understood[0].what, "the column warp factor");
  EXPECT_EQ(log.not_understood[1].what, "the setting fancy_parallel_size = 4");
}

}  // namespace
}  // namespace cubicbench::datasets
