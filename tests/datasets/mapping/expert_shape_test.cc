#include "datasets/mapping/expert_shape.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <variant>

#include "datasets/catalog/measured_catalog.h"
#include "datasets/mapping/measured_run.h"
#include "datasets/tables/measurement.h"

namespace cubicbench::datasets {
namespace {

const Measurement& row_of(const std::string& table, const std::string& id) {
  static std::map<std::string, Measurements> tables;
  if (!tables.contains(table)) tables[table] = find_measurements(table, "test");
  for (const Measurement& row : tables[table].rows) {
    if (row.id == id) return row;
  }
  ADD_FAILURE() << "no row " << id;
  return tables[table].rows.front();
}

scenarios::Scenario mapped(const Measurement& row) {
  const MappedRun run = map_run(row);
  EXPECT_TRUE(run.run) << row.id << ": " << run.reason;
  EXPECT_TRUE(run.mixture);
  return run.run ? run.run->scenario : scenarios::Scenario{};
}

sim::Transformer model_of(const std::string& table, const std::string& id) {
  return std::get<sim::Transformer>(mapped(row_of(table, id)).workload);
}

TEST(ExpertShape, PublishedModelsFillWhatARowLeavesOpen) {
  const sim::Transformer model = model_of("nvidia_megatron_bridge", "mbr-0001");
  const sim::Experts& experts = model.experts;
  EXPECT_EQ(experts.count, 256);
  EXPECT_EQ(experts.per_token, 8);
  EXPECT_EQ(experts.ffn_hidden, 2048);  // d_ff of the row
  EXPECT_EQ(model.ffn_hidden, 18432);   // of the three dense layers
  EXPECT_EQ(experts.shared_ffn_hidden, 2048);
  EXPECT_EQ(experts.first_dense_layers, 3);
  EXPECT_EQ(experts.nodes_per_token, 4);
  EXPECT_EQ(experts.capacity_thousandths, 0);
  EXPECT_EQ(experts.load_deviation_thousandths, 0);
  EXPECT_EQ(model.latent.key_rank, 512);
  EXPECT_EQ(model.head_size, 192);
  EXPECT_EQ(model.kv_heads, 128);
  EXPECT_EQ(model.prediction_layers, 1);
}

TEST(ExpertShape, NamesOfTablesChangeWhatIsTrained) {
  EXPECT_EQ(model_of("nvidia_megatron_bridge", "mbr-0239").prediction_layers, 0);  // w/o MTP
  EXPECT_EQ(model_of("nvidia_megatron_bridge", "mbr-0256").prediction_layers, 1);  // w/ MTP
  EXPECT_EQ(model_of("nvidia_megatron_bridge", "mbr-0284").experts.capacity_thousandths, 1000);
}

TEST(ExpertShape, CutModelsAreThoseOfTheirScripts) {
  const sim::Transformer model = model_of("other_frameworks", "oth-0025");
  EXPECT_EQ(model.layers, 4);
  EXPECT_EQ(model.experts.first_dense_layers, 1);
  EXPECT_EQ(model.prediction_layers, 0);
  EXPECT_EQ(model.experts.capacity_thousandths, 1000);
  EXPECT_EQ(model.experts.count, 256);
}

TEST(ExpertShape, TestsOfMegatronAreReadFromTheirOptions) {
  const sim::Transformer proxy = model_of("megatron_core_ci_golden", "mcci-0338");
  EXPECT_EQ(proxy.experts.count, 32);
  EXPECT_EQ(proxy.experts.per_token, 4);
  EXPECT_EQ(proxy.experts.first_dense_layers, 1);
  EXPECT_EQ(proxy.experts.ffn_hidden, 1024);  // as wide as the shared one
  EXPECT_EQ(proxy.ffn_hidden, 4096);
  EXPECT_EQ(proxy.prediction_layers, 1);
  EXPECT_TRUE(proxy.gated_ffn);
  EXPECT_FALSE(proxy.tied_embeddings);
  EXPECT_GT(proxy.latent.key_rank, 0);
  const sim::Transformer small = model_of("megatron_core_ci_golden", "mcci-0334");
  EXPECT_EQ(small.experts.ffn_hidden, 4 * 512);
  EXPECT_FALSE(small.gated_ffn);
  EXPECT_TRUE(small.tied_embeddings);
  EXPECT_EQ(small.latent.key_rank, 0);
}

TEST(ExpertShape, ExpertsBesideDataRanksAreReplicasThatReadTheSame) {
  const scenarios::Scenario run = mapped(row_of("other_frameworks", "oth-0103"));
  EXPECT_EQ(run.baseline.expert_parallel, 4);
  EXPECT_EQ(run.baseline.data_parallel, 8);  // 2 of the row, times those 4
  EXPECT_EQ(run.baseline.global_batch, 8);
  const scenarios::Scenario ladder = mapped(row_of("other_frameworks", "oth-0091"));
  EXPECT_EQ(ladder.baseline.tensor_parallel, 4);
  EXPECT_EQ(ladder.baseline.expert_parallel, 2);
  // 443.8 tokens a second on 32 GPUs in 9.5 s are 33 samples of 4,096: 4 ranks x 2 x 4 passes.
  EXPECT_EQ(ladder.baseline.global_batch, 2 * 4 * 2 * 4);
}

TEST(ExpertShape, RecipesSayHowTokensTravel) {
  const scenarios::Scenario old = mapped(row_of("nvidia_megatron_bridge", "mbr-0227"));
  EXPECT_EQ(old.stack_name, "megatron-alltoall-2025");
  EXPECT_EQ(old.baseline.expert_dispatch, sim::ExpertDispatch::all_to_all);
  const scenarios::Scenario flexible = mapped(row_of("nvidia_megatron_bridge", "mbr-0190"));
  EXPECT_EQ(flexible.stack_name, "megatron-hybridep-2026");
  EXPECT_EQ(flexible.baseline.expert_dispatch, sim::ExpertDispatch::deepep);
  EXPECT_FALSE(flexible.baseline.expert_overlap);
  const scenarios::Scenario graphs = mapped(row_of("nvidia_megatron_bridge", "mbr-0001"));
  EXPECT_EQ(graphs.stack_name, "megatron-graphs-2026");
  EXPECT_TRUE(graphs.baseline.expert_overlap);
  EXPECT_EQ(graphs.baseline.recompute, sim::Recompute::none);
  EXPECT_EQ(mapped(row_of("nvidia_megatron_bridge", "mbr-0002")).baseline.recompute,
            sim::Recompute::selective);
}

TEST(ExpertShape, ExpertsAreSplitAsTheTestsSay) {
  EXPECT_EQ(mapped(row_of("megatron_core_ci_golden", "mcci-0315")).baseline.expert_tensor_parallel,
            2);
  EXPECT_EQ(mapped(row_of("megatron_core_ci_golden", "mcci-0334")).baseline.expert_tensor_parallel,
            1);  // etp1 in its name
}

}  // namespace
}  // namespace cubicbench::datasets
