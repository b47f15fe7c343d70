#include <gtest/gtest.h>

#include <cstdint>

#include "sim/program/lower_transformer.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

/// Columns of the head's first product on one rank.
double head_columns(std::int64_t vocabulary, std::int64_t tensor_ranks) {
  Transformer model = llama_8b();
  model.vocabulary = vocabulary;
  Plan plan = round_plan();
  plan.tensor_parallel = tensor_ranks;
  StepProgram program;
  lower(model, plan, round_cluster(64), round_stack(), program);
  const Block& head = program.blocks.head;
  return program.operations[head.begin].gemm.n;
}

TEST(RankVocabulary, IsPaddedOverTensorRanksOnly) {
  EXPECT_EQ(head_columns(50257, 1), 50257.0);
  EXPECT_EQ(head_columns(50257, 2), 197.0 * 128.0);   // 25,128.5 columns
  EXPECT_EQ(head_columns(128256, 8), 126.0 * 128.0);  // 16,032
  EXPECT_EQ(head_columns(131072, 4), 32768.0);
}

TEST(RankVocabulary, IsWhatARankStores) {
  Transformer model = llama_8b();
  model.vocabulary = 50257;
  Plan plan = round_plan();
  StepProgram program;
  lower(model, plan, round_cluster(64), round_stack(), program);
  EXPECT_EQ(program.runs.front().weights.end_parameters, 197.0 * 128.0 * 4096.0);
}

}  // namespace
}  // namespace cubicbench::sim
