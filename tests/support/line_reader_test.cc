#include "support/line_reader.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>

#include "support/files.h"
#include "support/input_error.h"

namespace cubicbench::support {
namespace {

struct TestPipe {
  TestPipe() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    read = FileDescriptor(ends[0]);
    write = FileDescriptor(ends[1]);
  }
  void send(std::string_view text) const { EXPECT_TRUE(write_all(write.get(), text)); }

  FileDescriptor read;
  FileDescriptor write;
};

bool never() { return false; }

TEST(LineReader, HandsOutLinesAsTheyCome) {
  TestPipe pipe;
  LineReader reader(pipe.read.get(), 100);
  pipe.send("one\n\ntw");
  EXPECT_EQ(reader.next(never), "one");
  EXPECT_EQ(reader.next(never), "");
  std::jthread later([&pipe] { pipe.send("o\nlast"); });
  EXPECT_EQ(reader.next(never), "two");
  later.join();
  pipe.write.close();
  EXPECT_EQ(reader.next(never), "last");
  EXPECT_EQ(reader.next(never), std::nullopt);
}

TEST(LineReader, TakesALineOfTheLongestLengthAndNoLonger) {
  for (const std::size_t length : {9U, 10U, 11U, 50U}) {
    TestPipe pipe;
    LineReader reader(pipe.read.get(), 10);
    pipe.send(std::string(length, 'x') + "\n");
    if (length <= 10) {
      EXPECT_EQ(reader.next(never), std::string(length, 'x'));
    } else {
      EXPECT_THROW(reader.next(never), OutputError);
    }
  }
}

TEST(LineReader, StopsWaitingWhenAsked) {
  TestPipe pipe;
  LineReader reader(pipe.read.get(), 10);
  int looks = 0;
  EXPECT_EQ(reader.next([&looks] { return ++looks == 3; }), std::nullopt);
}

}  // namespace
}  // namespace cubicbench::support
