#include "search/backends/job_log.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/counting_new.h"

namespace cubicbench::search {
namespace {

JobLog log_of(std::string_view text) {
  JobLog log;
  log.add(text);
  return log;
}

/// The same text in pieces of `bytes`: what is remembered must not depend on the cuts.
JobLog log_in_pieces(std::string_view text, std::size_t bytes) {
  JobLog log;
  for (std::size_t i = 0; i < text.size(); i += bytes) log.add(text.substr(i, bytes));
  return log;
}

TEST(JobLog, KeepsTheLastLineThatIsNotBlank) {
  struct Case {
    const char* name;
    const char* text;
    const char* last;
  };
  for (const Case& c : {
           Case{"nothing", "", ""},
           Case{"only blank lines", "\n \t\n\r\n", ""},
           Case{"one complete line", "a b\n", "a b"},
           Case{"one without an end", "a b", "a b"},
           Case{"the last of three", "a\nb\nc\n", "c"},
           Case{"blank lines after it", "a\nb\n\n  \n", "b"},
           Case{"begun after it", "a\nb\nc", "c"},
           Case{"blank and begun after it", "a\nb\n  ", "b"},
           Case{"from Windows", "a\r\nb\r\n", "b"},
           Case{"after a progress bar", "10%\r50%\r100%\rdone\n", "done"},
       }) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(log_of(c.text).last_line(), c.last);
    for (const std::size_t bytes : {1U, 2U, 3U}) {
      EXPECT_EQ(log_in_pieces(c.text, bytes).last_line(), c.last) << bytes << " bytes a piece";
    }
  }
}

TEST(JobLog, ForgetsALineThatIsTooLong) {
  const std::string longest(line_bytes_max, 'x');
  EXPECT_EQ(log_of(longest).last_line(), longest);
  EXPECT_EQ(log_of("a\n" + longest + "\n").last_line(), longest);
  EXPECT_EQ(log_of("a\n" + longest + "x").last_line(), "");
  EXPECT_EQ(log_of("a\n" + longest + "x\n").last_line(), "") << "the line before is not the last";
  EXPECT_EQ(log_of(longest + "x\nb").last_line(), "b");
  EXPECT_EQ(log_in_pieces("a\n" + longest + "x\nb\n", 4096).last_line(), "b");
}

TEST(JobLog, NeedsNoMoreMemoryForALongerLog) {
  const std::string piece(std::size_t{64} << 10, 'x');
  JobLog log;
  for (int i = 0; i < 100; ++i) log.add(piece);
  const long before = allocation_count();
  for (int i = 0; i < 100; ++i) log.add(piece);
  EXPECT_EQ(allocation_count(), before);
}

TEST(JobLog, SeesMemoryThatRanOut) {
  struct Case {
    const char* text;
    bool found;
  };
  for (const Case& c : {
           Case{"RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB", true},
           Case{"torch.OutOfMemoryError: CUDA", true},
           Case{"torch.cuda.OutOfMemoryError", true},
           Case{"driver said CUDA_ERROR_OUT_OF_MEMORY", true},
           Case{"Out of memory: Killed process 7", true},
           Case{"out of\nmemory", false},
           Case{"out of memor", false},
           Case{"ran out, of memory nothing is known", false},
           Case{"", false},
       }) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(log_of(c.text).out_of_memory(), c.found);
    for (const std::size_t bytes : {1U, 5U, 7U, 23U}) {
      EXPECT_EQ(log_in_pieces(c.text, bytes).out_of_memory(), c.found) << bytes;
    }
  }
}

TEST(JobLog, SeesAReportedStep) {
  struct Case {
    const char* name;
    const char* text;
    bool found;
  };
  for (const Case& c : {
           Case{"torchtitan", "[titan] 2026-01-02 - root - INFO - step:  1  loss: 12.2\n", true},
           Case{"torchtitan in colours", "INFO - \x1b[31mstep:  1  \x1b[32mloss: 12.2  \x1b[0m\n",
                true},
           Case{"Megatron-LM", " [2026-01-02 03:04:05] iteration        1/     100 | loss\n", true},
           Case{"capitals", "Step 3 took 0.5 s", true},
           Case{"a name with words", "global_step=7, loss=1", true},
           Case{"torchtitan before the first", "Training starts at step 1\n12.2\n", false},
           Case{"a count of steps", "gradient accumulation steps 8, total steps 1000\n", false},
           Case{"a step of something", "step of 3 with 4\n", false},
           Case{"a step that is no number's", "[step] 10:11:12\nstep - 1 2\n", false},
           Case{"part of a word", "timestep 3 4, footstep 5 6\n", false},
           Case{"Megatron-LM before the first",
                "[before the start of training step] datetime: 2026-01-02 10:11:12\n", false},
           Case{"a colour is no number", "step 1\x1b[32m", false},
           Case{"numbers on the next line", "step\n1 2\nstep 1\n2", false},
           Case{"numbers before it", "10 20 step", false},
       }) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(log_of(c.text).reported_step(), c.found);
    for (const std::size_t bytes : {1U, 4U}) {
      EXPECT_EQ(log_in_pieces(c.text, bytes).reported_step(), c.found) << bytes;
    }
  }
}

}  // namespace
}  // namespace cubicbench::search
