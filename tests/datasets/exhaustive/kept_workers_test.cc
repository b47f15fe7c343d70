#include "datasets/exhaustive/kept_workers.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

namespace cubicbench::datasets {
namespace {

struct Counter {
  int pieces = 0;
};

TEST(KeptWorkers, MakesOneOnlyWhereNoneIsIdle) {
  KeptWorkers<Counter> workers;
  int made = 0;
  const auto make = [&] {
    ++made;
    return std::make_unique<Counter>();
  };
  for (int piece = 0; piece < 3; ++piece) {
    std::unique_ptr<Counter> worker = workers.take(make);
    ++worker->pieces;
    workers.put_back(std::move(worker));
  }
  EXPECT_EQ(made, 1);
  ASSERT_EQ(workers.idle().size(), 1U);
  EXPECT_EQ(workers.idle()[0]->pieces, 3);
  std::unique_ptr<Counter> one = workers.take(make);
  std::unique_ptr<Counter> other = workers.take(make);
  EXPECT_EQ(made, 2);
  EXPECT_TRUE(workers.idle().empty());
  workers.put_back(std::move(one));
  workers.put_back(std::move(other));
  EXPECT_EQ(workers.idle().size(), 2U);
}

TEST(KeptWorkers, GoOnWithoutOneThatCouldNotBeMadeOrWasLost) {
  KeptWorkers<Counter> workers;
  EXPECT_THROW(workers.take([]() -> std::unique_ptr<Counter> { throw std::runtime_error("no"); }),
               std::runtime_error);
  const auto make = [] { return std::make_unique<Counter>(); };
  workers.take(make).reset();  // as when its piece of work throws
  EXPECT_TRUE(workers.idle().empty());
  EXPECT_NE(workers.take(make), nullptr);
}

}  // namespace
}  // namespace cubicbench::datasets
