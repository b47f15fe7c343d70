#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "tests/program_path.h"

namespace cubicbench::integration {
namespace {

// A stack that may not grow is enlarged, where we may, or refused: it never ends us by a signal.
TEST(SmallStack, EndsNoCommandByASignal) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers need a stack before we begin";
#endif
  for (const char* words : {"explain tiny-gpt",
                            "predict hf_ultrascale_nanotron_sweep --predictor "
                            "ridge,xgboost --train 40 --repeats 2 --quiet"}) {
    for (const char* kib : {"64", "1024"}) {
      const std::string line = "ulimit -s " + std::string(kib) + " && exec '" + program_path() +
                               "' " + words + " > /dev/null 2>&1";
      const int status = std::system(line.c_str());
      ASSERT_TRUE(WIFEXITED(status)) << line;
      EXPECT_TRUE(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 3) << line;
    }
  }
}

}  // namespace
}  // namespace cubicbench::integration
