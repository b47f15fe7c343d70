#pragma once

// What the help texts say of the subcommands, and what the end of their answers names next.

#include "cli/options/command.h"

namespace cubicbench::cli::words {

inline constexpr CommandWords list{
    .name = "list",
    .summary = "List built-in scenarios, searchers, devices and more",
    .examples =
        "cubicbench list searchers\n"
        "cubicbench list settings\n"
        "cubicbench list parameters llama3-405b",
    .also = " ls show "};

inline constexpr CommandWords simulate{
    .name = "simulate",
    .summary = "Simulate one configuration: its time and memory",
    .examples =
        "cubicbench simulate llama3-405b --set tensor_parallel=4\n"
        "cubicbench simulate llama3-405b --set cluster.gpus=8192 --explain-words\n"
        "cubicbench simulate tiny-llama --engine event --trace step.json",
    .next =
        "cubicbench list parameters SCENARIO\n"
        "cubicbench search SCENARIO --searcher evolution --out out/new",
    .also = " run train step estimate profile sim "};

inline constexpr CommandWords explain{
    .name = "explain",
    .summary = "Explain why a step takes so long, and what to change",
    .examples =
        "cubicbench explain llama3-405b\n"
        "cubicbench explain llama3-405b --set tensor_parallel=4 --why\n"
        "cubicbench explain ads-73b --against embedding_plan=table_wise\n"
        "cubicbench explain tiny-llama --against out/tiny:best",
    .next =
        "cubicbench simulate SCENARIO --set NAME=VALUE\n"
        "cubicbench search SCENARIO --searcher evolution --out out/new",
    .also = " why diagnose bottleneck roofline advise advice what-if whatif diff "};

inline constexpr CommandWords goodput{
    .name = "goodput",
    .summary = "How much of weeks of training failures leave",
    .examples =
        "cubicbench goodput llama3-405b\n"
        "cubicbench goodput llama3-405b --checkpoint synchronous --interval 1800\n"
        "cubicbench goodput llama3-405b --days 90 --spares 16 --repair 48",
    .next = "cubicbench explain SCENARIO",
    .also = " checkpoint checkpointing failures mtbf etr availability effective-training-time "};

inline constexpr CommandWords post_training{
    .name = "post-training",
    .summary = "Time an iteration of DPO or GRPO: generate, then train",
    .examples =
        "cubicbench post-training llama3-8b\n"
        "cubicbench post-training llama3-8b --prompts 256 --responses 8 --longest 4096\n"
        "cubicbench post-training llama3-8b --method dpo",
    .next = "cubicbench explain SCENARIO",
    .also = " rl rlhf dpo grpo ppo rollout generation alignment posttraining fine-tuning "};

inline constexpr CommandWords sweep{
    .name = "sweep",
    .summary = "Vary one or more knobs over lists of values",
    .examples =
        "cubicbench sweep llama3-405b --set tensor_parallel=4,8 --set micro_batch=1,2\n"
        "cubicbench sweep llama3-70b --set cluster.gpus=64..1024*2 --out out/scaling",
    .also = " scan vary what-if grid-search scaling "};

inline constexpr CommandWords timeline{
    .name = "timeline",
    .summary = "Draw one step: ranks, streams, the pipeline bubble",
    .examples =
        "cubicbench timeline llama3-405b --out step.svg\n"
        "cubicbench timeline tiny-llama --ranks 0-3 --kernels --out step.svg",
    .also = " gantt picture trace-svg "};

inline constexpr CommandWords collective{
    .name = "collective",
    .summary = "Time one collective, in the columns of nccl-tests",
    .examples =
        "cubicbench collective --op alltoall --size 8G --cluster nvl72-ndr --ranks 8\n"
        "cubicbench collective --op all_reduce --size 64M --cluster nvl72-ndr --ranks 8",
    .also = " nccl nccl-tests allreduce all_reduce bandwidth "};

inline constexpr CommandWords launch{
    .name = "launch",
    .summary = "Print the command that trains a configuration for real",
    .examples =
        "cubicbench launch llama3-8b --for torchtitan@0.2.2\n"
        "cubicbench launch llama3-405b --set tensor_parallel=4 --for megatron-lm@0.19\n"
        "cubicbench launch ads-73b --for torchrec@1.3.0 --model dlrm.py --json",
    .also = " torchtitan megatron torchrun torchrec start submit command-line adapter "};

inline constexpr CommandWords search{
    .name = "search",
    .summary = "Run searchers on scenarios; one journal per study",
    .examples =
        "cubicbench search tiny-llama --searcher random,evolution --out out/tiny\n"
        "cubicbench search llama3-405b --searcher cubicml --trials 100 --out out/405b\n"
        "cubicbench search nanotron-3.57b-128gpu --searcher sobol --out out/real",
    .also = " tune optimize optimise autotune benchmark bench "};

inline constexpr CommandWords serve{
    .name = "serve",
    .summary = "Let a program or an agent drive a study, line by line",
    .examples =
        "cubicbench serve tiny-llama --trials 50 --seed 1 --out out/mine\n"
        "cubicbench serve llama3-8b ads-73b --mcp --trials 40 --out out/agent",
    .also = " mcp agent server ask tell stdio "};

inline constexpr CommandWords merge{
    .name = "merge",
    .summary = "Merge the shards of a search or an enumeration",
    .examples = "cubicbench merge out/part1 out/part2 --out out/whole",
    .also = " join combine "};

inline constexpr CommandWords compare{
    .name = "compare",
    .summary = "Is one searcher better or worse than another?",
    .examples =
        "cubicbench compare out/before out/after\n"
        "cubicbench compare out/both out/both --searcher random,evolution --question better\n"
        "cubicbench compare out/before out/after --junit compare.xml --markdown compare.md",
    .also = " diff regress regression ab test significance better worse "};

inline constexpr CommandWords leaderboard{
    .name = "leaderboard",
    .summary = "Rank searchers by score: the built-in ones and yours",
    .examples =
        "cubicbench leaderboard out/mine --out board.html\n"
        "cubicbench leaderboard out/mine reference:random --only\n"
        "cubicbench leaderboard --json",
    .next = "cubicbench compare reference:SEARCHER out/mine",
    .also = " ranking rank leaders scores table "};

inline constexpr CommandWords verify{.name = "verify",
                                     .summary = "Check that a search is what the simulator answers",
                                     .examples =
                                         "cubicbench verify out/tiny\n"
                                         "cubicbench verify out/standard --sample 50",
                                     .also = " audit replay check-journal tamper "};

inline constexpr CommandWords export_search{
    .name = "export",
    .summary = "Export a search as CSV or for other tools",
    .examples =
        "cubicbench export out/tiny --format csv --out out/csv\n"
        "cubicbench export out/tiny --format optuna --out out/optuna\n"
        "cubicbench export out/standard --format reference --searcher random --out ci",
    .also = " convert dump csv iohprofiler ioh coco t4 optuna "};

inline constexpr CommandWords enumerate{
    .name = "enumerate",
    .summary = "Evaluate every configuration: the certified optimum",
    .examples =
        "cubicbench enumerate tiny-llama --out tiny-llama.json\n"
        "cubicbench enumerate llama3-8b --table llama3-8b.csv --page out/llama3-8b",
    .next =
        "cubicbench landscape SCENARIO\n"
        "cubicbench search SCENARIO --searcher evolution --out out/new",
    .also = " exhaustive optimum brute-force grid "};

inline constexpr CommandWords landscape{
    .name = "landscape",
    .summary = "Sample a search space and describe it",
    .examples =
        "cubicbench landscape llama3-405b\n"
        "cubicbench landscape tiny-llama --rows 5000 --json",
    .next = "cubicbench search SCENARIO --searcher evolution --out out/new",
    .also = " importance sensitivity space "};

inline constexpr CommandWords suite{
    .name = "suite",
    .summary = "Show a suite's problems: properties, optima, scores",
    .examples =
        "cubicbench suite standard\n"
        "cubicbench suite standard --searched out/standard --markdown suite.md",
    .next = "cubicbench search --suite standard --searcher evolution --out out/standard",
    .also = " suites problems "};

inline constexpr CommandWords family{.name = "family",
                                     .summary = "Draw and judge members of a family of problems",
                                     .examples =
                                         "cubicbench family dense-small --members 8\n"
                                         "cubicbench family moe --members 30 --transfer --json",
                                     .next = "cubicbench simulate SCENARIO@0",
                                     .also = " families member members draw "};

inline constexpr CommandWords dataset{
    .name = "dataset",
    .summary = "Generate, describe, split or import tables of runs",
    .examples =
        "cubicbench dataset describe hf_ultrascale_nanotron_sweep\n"
        "cubicbench dataset import out/tiny --out runs.csv",
    .next = "cubicbench predict SCENARIO",
    .also = " data table "};

inline constexpr CommandWords import_logs{
    .name = "import",
    .summary = "Turn logs of training programs into a table of runs",
    .examples =
        "cubicbench import run.log --out runs.csv\n"
        "cubicbench import logs/ --column device=h100-sxm-80gb --out runs.csv",
    .also = " log logs parse read ingest "};

inline constexpr CommandWords predict{
    .name = "predict",
    .summary = "Judge how well predictors rank unseen jobs",
    .examples =
        "cubicbench predict hf_ultrascale_nanotron_sweep\n"
        "cubicbench predict llama3-405b --rows 500 --predictor mlp --out out/page",
    .next = "cubicbench search llama3-405b --searcher cubicml --out out/new",
    .also = " fit learn predictor "};

inline constexpr CommandWords validate{
    .name = "validate",
    .summary = "Compare the simulator with published measurements",
    .examples =
        "cubicbench validate --require 'coverage >= 0.9'\n"
        "cubicbench validate vtrain --out out/vtrain",
    .next = "cubicbench calibrate --stack mosaicml-fsdp1-2023 --out fitted.json",
    .also = " check accuracy "};

inline constexpr CommandWords calibrate{
    .name = "calibrate",
    .summary = "Fit constants of stacks, devices and collectives",
    .examples = "cubicbench calibrate --stack mosaicml-fsdp1-2023 --out fitted.json",
    .next = "cubicbench validate vtrain"};

inline constexpr CommandWords report{
    .name = "report",
    .summary = "Write a page with the curves and tables of searches",
    .examples =
        "cubicbench report out/tiny --out page.html\n"
        "cubicbench report out/8b --optimum llama3-8b.json --out page.html",
    .also = " plot draw figure html page show-results "};

inline constexpr CommandWords lesson{
    .name = "lesson",
    .summary = "Take a ten-minute lesson: predict, then see the answer",
    .examples =
        "cubicbench lesson 1\n"
        "cubicbench lesson --out lessons",
    .also = " lessons learn teach tutorial course exercise quiz "};

inline constexpr CommandWords glossary{
    .name = "glossary",
    .summary = "Explain words and settings in two sentences each",
    .examples =
        "cubicbench glossary bubble\n"
        "cubicbench glossary tensor_parallel",
    .also = " define definition dictionary meaning term terms word words vocabulary what-is "};

inline constexpr CommandWords completion{
    .name = "completion",
    .summary = "Print a completion script for bash, zsh or fish",
    .examples =
        "cubicbench completion bash > cubicbench.bash\n"
        "cubicbench completion fish > ~/.config/fish/completions/cubicbench.fish",
    .also = " completions autocomplete "};

inline constexpr CommandWords paper{
    .name = "paper",
    .summary = "Draw every figure of the paper on one page",
    .examples =
        "cubicbench paper\n"
        "cubicbench paper --trials 100 --seeds 3 --repeats 3 --out out/quick",
    .also = " reproduce figures cubicml "};

}  // namespace cubicbench::cli::words
