// What people type wrongly, and what they are told to type instead.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "tests/cli/program.h"
#include "tests/temporary_folder.h"

namespace cubicbench::cli {
namespace {

using testing::HasSubstr;

struct Mistake {
  const char* line;
  const char* instead;  ///< what the message must say
};

constexpr Mistake mistakes[] = {
    {"simulate llama3-405b --set gpus=8192", "did you mean --set cluster.gpus=8192?"},
    {"simulate llama3-405b --set num_gpus=64", "did you mean --set cluster.gpus=64?"},
    {"simulate llama3-405b --set world_size=64", "did you mean --set cluster.gpus=64?"},
    {"simulate llama3-405b --set nodes=2", "did you mean --set cluster.gpus=2?"},
    {"simulate llama3-405b --set device=a100", "did you mean --set cluster.device=a100?"},
    {"simulate llama3-405b --set gpu=h200", "did you mean --set cluster.device=h200?"},
    {"simulate llama3-405b --set network=ib", "did you mean --set cluster.network=ib?"},
    {"simulate llama3-405b --set batch=8", "did you mean --set global_batch=8?"},
    {"simulate ads-73b --set batch=8", "did you mean --set batch_per_gpu=8?"},
    {"simulate llama3-405b --set batch_size=8", "did you mean --set global_batch=8?"},
    {"simulate llama3-405b --set mbs=2", "did you mean --set micro_batch=2?"},
    {"simulate llama3-405b --set gbs=1024", "did you mean --set global_batch=1024?"},
    {"simulate llama3-405b --set micro_batch_size=2", "did you mean --set micro_batch=2?"},
    {"simulate llama3-405b --set tp=4", "did you mean --set tensor_parallel=4?"},
    {"simulate llama3-405b --set TP=4", "did you mean --set tensor_parallel=4?"},
    {"simulate llama3-405b --set tensor-model-parallel-size=4",
     "did you mean --set tensor_parallel=4?"},
    {"simulate llama3-405b --set tensor-parallel=4", "did you mean --set tensor_parallel=4?"},
    {"simulate llama3-405b --set pp=8", "did you mean --set pipeline_parallel=8?"},
    {"simulate llama3-405b --set cp=2", "did you mean --set context_parallel=2?"},
    {"simulate mixtral-8x7b --set ep=8", "did you mean --set expert_parallel=8?"},
    {"simulate llama3-405b --set dp=4", "did you mean --set data_parallel=4?"},
    {"simulate llama3-405b --set vpp=2", "did you mean --set virtual_stages=2?"},
    {"simulate llama3-405b --set zero=3", "did you mean --set sharding=full_shard?"},
    {"simulate llama3-405b --set zero_stage=3", "did you mean --set sharding=full_shard?"},
    {"simulate llama3-405b --set fsdp=true", "did you mean --set sharding=full_shard?"},
    {"simulate llama3-405b --set sharding=zero3", "did you mean \"full_shard\"?"},
    {"simulate llama3-405b --set sharding=fsdp", "did you mean \"full_shard\"?"},
    {"simulate llama3-405b --set seq_length=4096", "did you mean --set workload.sequence=4096?"},
    {"simulate llama3-405b --set sequence=4096", "did you mean --set workload.sequence=4096?"},
    {"simulate llama3-405b --set layers=10", "did you mean --set workload.layers=10?"},
    {"simulate llama3-405b --set hidden=1024", "did you mean --set workload.hidden=1024?"},
    {"simulate llama3-405b --set precision=fp8", "did you mean --set dtype=fp8?"},
    {"simulate llama3-405b --set bf16=true", "did you mean --set dtype=bf16?"},
    {"simulate llama3-405b --set dtype=float8", "did you mean \"fp8\"?"},
    {"simulate llama3-405b --set dtype=BF16", "did you mean \"bf16\"?"},
    {"simulate llama3-405b --set recompute-granularity=full", "did you mean --set recompute=full?"},
    {"simulate llama3-405b --set activation_checkpointing=full",
     "did you mean --set recompute=full?"},
    {"simulate llama3-405b --set recompute=true", "did you mean \"full\"?"},
    {"simulate llama3-405b --set gradient_accumulation_steps=4",
     "did you mean --set micro_batch=4?"},
    {"simulate llama3-405b --set cpu_offload=true", "did you mean --set offload=optimizer?"},
    {"simulate llama3-405b --set offload=cpu", "did you mean \"optimizer\"?"},
    {"simulate llama3-405b --set tensor_parallel=four",
     "expected an integer in [1, 16384], got \"four\""},
    {"simulate llama3-405b --set tensor_parallel=0",
     "expected an integer in [1, 16384], got \"0\""},
    {"simulate llama3-405b --set tensor_parallel=-1", "did you mean \"1\"?"},
    {"simulate llama3-405b --set tensor_parallel=4.0", "did you mean 4?"},
    {"simulate llama3-405b --set tensor_parallel", "expected NAME=VALUE"},
    {"simulate llama3-405b --set =4", "expected NAME=VALUE"},
    {"simulate llama3-405b --set tensor_paralel=4", "did you mean --set tensor_parallel=4?"},
    {"simulate llama3-405b --set compile=yes", "did you mean \"true\"?"},
    {"simulate llama3-405b --set compile=1", "did you mean \"true\"?"},
    {"simulate llama3-405b --set schedule=1F1B", "did you mean \"1f1b\"?"},
    {"simulate llama3-405b --set cluster.gpus=8k", "did you mean 8192, or 8000?"},
    {"simulate llama3-405b --set cluster.gpu=8", "did you mean --set cluster.device=8?"},
    {"simulate llama3-405b --set cluster.device=H100", "did you mean \"h100-nvl-94gb\"?"},
    {"simulate llama3-405b --set cluster.network=infiniband", "cubicbench list networks has all"},
    {"simulate llama3-405b --set workload.seq_len=4096",
     "did you mean --set workload.sequence=4096?"},
    {"simulate llama3-405b --set workload.sequence=128k", "did you mean 131072, or 128000?"},
    {"simulate llama3-405b --set clusters.gpus=8", "did you mean \"cluster\"?"},
    {"simulate llama3-405b --set cluster=8", "\"cluster\" is given by the scenario's file"},
    {"simulate ads-73b --set tensor_parallel=2", "this scenario trains a recommendation model"},
    {"simulate ads-73b --set global_batch=1024",
     "this scenario trains a recommendation model; did you mean \"batch_per_gpu\"?"},
    {"simulate llama3-405b --set embedding_plan=planner",
     "this scenario trains a transformer; did you mean \"sharding\"?"},
    {"simulate llama3-405b --set embedding_kernel=fused", "this scenario trains a transformer"},
    {"simulate llama3-8b --set expert_dispatch=deepep", "this scenario trains a transformer"},
    {"simulate llama3-405b --tp 4", "did you mean --set tensor_parallel=4?"},
    {"simulate llama3-405b --tensor-parallel 4", "did you mean --set tensor_parallel=4?"},
    {"simulate llama3-405b --pp=8", "did you mean --set pipeline_parallel=8?"},
    {"simulate llama3-405b --gpus 8", "did you mean --set cluster.gpus=8?"},
    {"simulate llama3-405b --batch 8", "did you mean --set global_batch=8?"},
    {"simulate llama3-405b --bf16", "did you mean --set dtype=VALUE?"},
    {"simulate llama3-405b --sharding full_shard", "did you mean --set sharding=full_shard?"},
    {"simulate llama3-405b --output out.json", "see cubicbench simulate --help"},
    {"simulate llama3-405b --trials 100", "an option of search, serve, paper"},
    {"simulate llama3-405b --seeds 3", "an option of search, paper"},
    {"simulate llama3-405b --searcher random", "an option of search"},
    {"simulate llama3-405b tensor_parallel=4", "did you mean --set tensor_parallel=4?"},
    {"simulate llama3-405b tiny-llama", "unexpected argument"},
    {"simulate", "see cubicbench simulate --help"},
    {"simulate llama-405b", "did you mean \"llama3-405b\"?"},
    {"simulate llama3_405b", "did you mean \"llama3-405b\"?"},
    {"simulate Llama3-405B", "did you mean \"llama3-405b\"?"},
    {"simulate llama3-405b.json", "a path needs a '/': did you mean \"./llama3-405b.json\"?"},
    {"simulate ./missing.json", "expected a file, got none"},
    {"simulate /", "expected a file, got a folder"},
    {"simulate hf_ultrascale_nanotron_sweep", "cubicbench list scenarios has all"},
    {"simulate h100-sxm-80gb", "cubicbench list scenarios has all"},
    {"simulate nanotron-1.34b-16gpu",
     "expected a scenario with a model, got a table of runs: nothing is simulated, but search "
     "plays what was measured"},
    {"simulate llama3-405b --instance -1", "expected an integer in [0, 2147483647], got \"-1\""},
    {"simulate llama3-405b --instance one", "expected an integer in [0, 2147483647], got \"one\""},
    {"simulate llama3-405b --threads many", "expected an integer in [1, 4096], got \"many\""},
    {"simulate llama3-405b --engine discrete", "expected analytical or event, got \"discrete\""},
    {"simulate llama3-405b --engine events", "did you mean \"event\"?"},
    {"simulate llama3-405b --verbose", "see cubicbench simulate --help"},
    {"simulate llama3-405b -v", "see cubicbench simulate --help"},
    {"simulate llama3-405b --set", "expected NAME=VALUE, got nothing"},
    {"train llama3-405b", "did you mean \"simulate\"?"},
    {"run llama3-405b", "did you mean \"simulate\"?"},
    {"sim llama3-405b --x", "did you mean \"simulate\"?"},
    {"tune llama3-405b", "did you mean \"search\"?"},
    {"optimize tiny-llama", "did you mean \"search\"?"},
    {"plot out", "did you mean \"report\"?"},
    {"serach tiny-llama", "did you mean \"search\"?"},
    {"search", "see cubicbench search --help"},
    {"search tiny-llama", "see cubicbench list searchers"},
    {"search tiny-llama --out o1", "see cubicbench list searchers"},
    {"search tiny-llama --searcher random", "expected DIR, got nothing"},
    {"search tiny-llama --searcher bayesian --out o2",
     ", got \"bayesian\"; a program of your own runs as external:CMD"},
    {"search tiny-llama --searcher optuna --out o2",
     ", got \"optuna\"; a program of your own runs as external:CMD"},
    {"search tiny-llama --searcher evolutionary --out o2", "did you mean \"evolution\"?"},
    {"search tiny-llama --searcher random --trials 1k --out o3", "did you mean 1024, or 1000?"},
    {"search tiny-llama --searcher random --trials 0 --out o3",
     "expected an integer in [1, 1000000000], got \"0\""},
    {"search tiny-llama --searcher random --trials 1e3 --out o3", "did you mean 1000?"},
    {"search tiny-llama --searcher random --seed 3 --out o3",
     "an option of serve, dataset, predict"},
    {"search tiny-llama --searcher random --budget 30 --out o3", "did you mean \"--trials\"?"},
    {"search tiny-llama --searcher random --backend slrum --out o3",
     "expected simulator, table, recorded:DIR, command:CMD or slurm:TEMPLATE, got \"slrum\""},
    {"search tiny-llama --searcher random --shard 3 --out o3",
     "expected I/N with 1 <= I <= N <= 1000000, got \"3\""},
    {"search tiny-llama --searcher random --shard 0/3 --out o3",
     "expected I/N with 1 <= I <= N <= 1000000, got \"0/3\""},
    {"search tiny-llama --searcher random --tp 4 --out o3",
     "a setting, which --set changes in simulate, explain, goodput, post-training, sweep, "
     "timeline, "
     "enumerate, landscape"},
    {"search tiny-llama --searchers random --out o3", "did you mean \"--searcher\"?"},
    {"search tiny-llama --searcher random -o o3", "did you mean \"--out\"?"},
    {"search tiny-llama --searcher evolution:populaton=5 --out o3", "did you mean \"population\"?"},
    {"search hf_ultrascale_nanotron_sweep --searcher random --out o3",
     "cubicbench list scenarios has all"},
    {"report", "expected a file name that ends in .html, got nothing"},
    {"report nowhere --out page.html", "expected the folder of a search, got none"},
    {"report / --out page.html", "expected the folder of a search, got one without plan.json"},
    {"report nowhere --out page", "expected a file name that ends in .html, got \"page\""},
    {"enumerate tiny-llama --out tiny.csv --searcher random", "an option of search"},
    {"enumerate tiny-lama", "did you mean \"tiny-llama\"?"},
    {"enumerate tiny-llama --table", "expected FILE.csv, got nothing"},
    {"landscape llama3-405b --rows 10", "expected an integer in [100, 10000000], got \"10\""},
    {"landscape llama3-405b --rows 20k", "did you mean 20480, or 20000?"},
    {"predict", "see cubicbench predict --help"},
    {"predict nowhere.csv", "expected a file, got none"},
    {"predict ./nowhere.csv", "expected a file, got none"},
    {"predict hf_ultrascale_nanotron_sweep --predictor mpl", "did you mean \"mlp\"?"},
    {"predict hf_ultrascale_nanotron_sweep --split randomly", "did you mean \"random\"?"},
    {"predict hf_ultrascale_nanotron_sweep --train all",
     "expected an integer in [1, 1000000], got \"all\""},
    {"validate nowhere",
     "expected a dataset (see cubicbench list datasets) or the path of a CSV file, got "
     "\"nowhere\""},
    {"validate vtrain --stack megatron-2012", "did you mean \"megatron-2021\"?"},
    {"validate vtrain --leave-out size", "expected one of source, model, got \"size\""},
    {"validate vtrain --require coverage>0.9,x",
     "\"coverage>0.9,x\", column 13: expected an operator or the end, got \",\""},
    {"calibrate", "expected --stack, --device or --collectives, got none"},
    {"calibrate --stack nowhere --out x.json", "cubicbench list stacks has all"},
    {"collective --op all_reduce --size 8G --cluster superpod --ranks 8",
     "did you mean \"superpod-b200\"?"},
    {"collective --op all_reduce --size 8G --ranks 8",
     "expected a network or a scenario, got nothing"},
    {"merge", "see cubicbench merge --help"},
    {"merge o1 --out", "expected DIR, got nothing"},
    {"dataset", "expected generate, describe, split or import, got nothing"},
    {"dataset show x", "expected generate, describe, split or import, got \"show\""},
    {"dataset describe", "see cubicbench list datasets"},
    {"list everything",
     "expected one of scenarios, families, suites, searchers, predictors, devices, networks, "
     "stacks, datasets, "
     "settings, parameters, got \"everything\""},
    {"list parameters", "expected a SCENARIO, as in cubicbench list parameters llama3-405b"},
    {"list parameters nowhere", "cubicbench list scenarios has all"},
    {"list searcher", "did you mean \"searchers\"?"},
    {"help nowhere", "see cubicbench --help"},
    {"paper --seeds none", "expected an integer in [1, 1000000], got \"none\""},
};
static_assert(std::size(mistakes) >= 100);

TEST(Mistakes, EveryMessageSaysWhatToTypeInstead) {
  const TemporaryFolder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  for (const Mistake& mistake : mistakes) {
    SCOPED_TRACE(mistake.line);
    const Answer answer = ask(mistake.line);
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.out, "");
    EXPECT_THAT(answer.err, HasSubstr(mistake.instead));
    // A line a problem, each with its place before the colon.
    EXPECT_LE(std::ranges::count(answer.err, '\n'), 3);
    EXPECT_THAT(answer.err, HasSubstr(": "));
  }
  std::filesystem::current_path(before);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));  // nothing was begun
}

}  // namespace
}  // namespace cubicbench::cli
