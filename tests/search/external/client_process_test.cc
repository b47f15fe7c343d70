#include "search/external/client_process.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>

namespace cubicbench::search {
namespace {

using std::chrono::milliseconds;

ClientCall call(std::string command) {
  return {.command = std::move(command), .timeout = milliseconds{20'000}};
}

TEST(ClientProcess, WaitsWhileItRunsAndSaysNothing) {
  ClientProcess client(call("read -r line; echo \"$line\"; read -r line"));
  EXPECT_TRUE(client.is_waiting());
  client.send("hello\n");
  EXPECT_EQ(client.answer(), "hello");
  EXPECT_TRUE(client.is_waiting());
}

TEST(ClientProcess, DoesNotWaitOnceItHasEnded) {
  ClientProcess client(call("exit 0"));
  client.send("hello\n");
  EXPECT_THROW(client.answer(), ClientFailed);
  EXPECT_FALSE(client.is_waiting());
}

TEST(ClientProcess, DoesNotWaitWithAWordThatNobodyAskedFor) {
  ClientProcess client(call("read -r line; printf 'one\\ntwo\\n'; read -r line"));
  client.send("hello\n");
  EXPECT_EQ(client.answer(), "one");
  EXPECT_FALSE(client.is_waiting());
}

}  // namespace
}  // namespace cubicbench::search
