#include "tests/performance/fixed_loop.h"

#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <ctime>

namespace cubicbench {
namespace {

constexpr int rounds = 1'000;

void mix(std::array<std::uint64_t, 4>& words) {
  for (int round = 0; round < rounds; ++round) {
    for (std::uint64_t& word : words) word = (word ^ (word >> 29)) * 0x9e37'79b9'7f4a'7c15;
    benchmark::DoNotOptimize(words);
  }
}

void fixed_loop(benchmark::State& state) {
  std::array<std::uint64_t, 4> words{1, 2, 3, 4};
  for (auto _ : state) mix(words);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}

}  // namespace

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double fixed_loop_seconds() {
  constexpr int loops = 20;
  std::array<std::uint64_t, 4> words{1, 2, 3, 4};
  const double begin = thread_seconds();
  for (int loop = 0; loop < loops; ++loop) mix(words);
  return (thread_seconds() - begin) / loops;
}

void TimedWork::begin() {
  loops_ += fixed_loop_seconds();
  looked_ += 1.0;
  began_ = thread_seconds();
}

void TimedWork::end(double items) {
  seconds_ += thread_seconds() - began_;
  items_ += items;
}

void register_fixed_loop() { benchmark::RegisterBenchmark("BM_FixedLoop", fixed_loop); }

}  // namespace cubicbench
