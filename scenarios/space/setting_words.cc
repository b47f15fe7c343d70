#include "scenarios/space/setting_words.h"

#include <algorithm>
#include <array>
#include <utility>

#include "scenarios/space/setting.h"
#include "support/characters.h"

namespace cubicbench::scenarios {
namespace {

constexpr std::array<SettingWords, setting_count> words{{
    {"gpus",
     "GPUs of the cluster that the job takes, in scenarios whose space lets them vary; elsewhere "
     "all of cluster.gpus",
     "more GPUs end sooner and meet a deadline, but communicate more, so that a GPU-hour usually "
     "buys fewer tokens",
     "torchrun --nnodes times --nproc-per-node"},
    {"tensor_parallel",
     "GPUs that share the matrices of each layer; they exchange activations four times a layer and "
     "step",
     "a larger group leaves each GPU fewer weights and activations, but layers wait for the "
     "traffic, most of all between nodes",
     "Megatron-LM --tensor-model-parallel-size [Megatron21]"},
    {"sequence_parallel",
     "splits norms and dropout along the sequence among the tensor-parallel GPUs, which saves "
     "activations",
     "norms get cheaper as well, but inputs are gathered once more in the backward pass, so "
     "tensor-parallel traffic grows",
     "Megatron-LM --sequence-parallel [Korthikanti22]"},
    {"async_tensor_parallel",
     "overlaps tensor-parallel communication with the matrix products, piece by piece",
     "hides much of that traffic at no cost in memory, but needs sequence_parallel and software "
     "that can do it",
     "PyTorch torch._inductor.config._micro_pipeline_tp; Transformer Engine userbuffers"},
    {"pipeline_parallel", "stages that hold consecutive layers and hand micro-batches on",
     "with more stages each GPU holds fewer weights and sends little, but stages wait in the "
     "bubble and for the slowest one",
     "Megatron-LM --pipeline-model-parallel-size [Megatron21]"},
    {"schedule", "order in which a stage runs forward and backward passes of its micro-batches",
     "interleaved and zb_h2 wait less than 1f1b but keep more activations; v_min keeps fewest and "
     "may wait longest; gpipe keeps all",
     "torch.distributed.pipelining schedules [Megatron21, ZeroBubble, VSchedules, DualPipe]"},
    {"virtual_stages",
     "chunks of layers that a pipeline stage holds in interleaved schedules; more of them shrink "
     "the bubble and send more messages",
     "each further chunk gains less, layers must divide among all chunks, and a stage keeps "
     "somewhat more activations than with 1f1b",
     "Megatron-LM --num-virtual-stages-per-pipeline-rank [Megatron21]"},
    {"context_parallel", "GPUs that share each sequence, in attention too",
     "activations and logits of a long sequence shrink, but keys and values travel, and fewer "
     "replicas each gather weights more often",
     "Megatron-LM --context-parallel-size [Llama3]"},
    {"ulysses_degree",
     "context-parallel GPUs that exchange heads for tokens: each attends with all of their tokens, "
     "for some of the heads",
     "an exchange moves less than keys and values of all tokens do, most of all inside a node, but "
     "nothing hides it, and the degree is bounded by the heads",
     "DeepSpeed-Ulysses; USP ulysses_degree [Ulysses23, USP24]; Megatron-LM --cp-comm-type a2a"},
    {"context_exchange",
     "how context-parallel GPUs with different tokens get each other's keys and values: as the "
     "stack does by default, gathered before attention, or in a ring beside it",
     "a ring hides what attention takes longer than its exchanges, and a gather is one collective "
     "that attention waits for",
     "Megatron-LM --cp-comm-type p2p, all_gather [RingAttention23, Llama3]"},
    {"context_load_balance",
     "deals each context-parallel GPU a piece from the front and one from the back of a sequence",
     "causal attention is then as long on every GPU; in order, the GPU with the last tokens "
     "computes nearly twice the mean",
     "torchtitan context_parallel_load_balancer [Llama3]"},
    {"expert_parallel", "GPUs that hold different experts of a layer",
     "a larger group holds fewer experts on each GPU, but more tokens travel and the busiest GPU "
     "is further above the mean",
     "Megatron-LM --expert-model-parallel-size [GShard20]"},
    {"expert_tensor_parallel", "GPUs that share the matrices of each expert",
     "sharing an expert evens out the load of GPUs, but its tokens are gathered and summed within "
     "the group, and nothing hides that",
     "Megatron-LM --expert-tensor-parallel-size"},
    {"expert_dispatch",
     "how tokens get to their experts and back: one exchange, one in two levels, kernels of "
     "DeepEP, or by gathering all",
     "two levels and DeepEP send a token once to each node, which pays between nodes; one exchange "
     "starts sooner, and gathering usually moves most",
     "Megatron-LM --moe-token-dispatcher-type; DeepEP [DeepSeekV3]"},
    {"expert_overlap", "exchanges the tokens of one micro-batch while another one computes",
     "hides the exchange as far as there is compute to hide it behind, in some plans at the price "
     "of waiting for the host",
     "Megatron-LM --overlap-moe-expert-parallel-comm [DeepSeekV3]"},
    {"expert_storage", "where the weights of experts stay while they are not in use",
     "host memory and SSD free most of the device, but layers wait until their experts are copied, "
     "longest from SSD",
     "[SE-MoE]"},
    {"expert_cache_ratio", "share of the experts on SSD that host memory caches",
     "a larger cache reads less from SSD but takes host memory, whose limit the simulator does not "
     "check",
     "[SE-MoE]"},
    {"expert_prefetch", "copies the next layer's experts to the device while this layer computes",
     "hides a part of the copies behind compute, while the device holds the experts of one more "
     "layer",
     "[SE-MoE]"},
    {"data_parallel",
     "replicas of the model, each with its own samples; follows from the GPU count unless given",
     "more replicas each take fewer sequences, but leave fewer GPUs to a copy of the model and "
     "fewer micro-batches to its pipeline",
     "DeepSpeed and Megatron-LM: world size over the model-parallel sizes"},
    {"global_batch", "sequences of one optimizer step, over all replicas",
     "a larger one spreads the bubble and the optimizer over more sequences, but steps take "
     "longer; its effect on learning is not simulated",
     "Megatron-LM --global-batch-size"},
    {"micro_batch", "sequences that a data-parallel rank computes at a time",
     "larger ones make products efficient and gathers rarer, but keep more activations and leave a "
     "pipeline fewer micro-batches to fill it",
     "Megatron-LM --micro-batch-size"},
    {"sharding",
     "what data-parallel ranks hold in parts: nothing, the optimizer state (ZeRO 1), gradients too "
     "(ZeRO 2), weights too (ZeRO 3)",
     "each further part frees memory; sharded weights are gathered in every micro-batch, while a "
     "sharded optimizer state costs one gather a step",
     "PyTorch FSDP ShardingStrategy; DeepSpeed zero_optimization.stage [ZeRO19, FSDP23]"},
    {"shard_group",
     "ranks that share one copy in the hybrid kinds of sharding; 0: those of one node",
     "a larger group leaves less on each GPU, but its gathers have more turns and, beyond a node, "
     "cross the network",
     "PyTorch FSDP device_mesh of two dimensions [FSDP23]"},
    {"wrap", "layers that are gathered and freed together",
     "larger units need fewer collectives and save their start-up, but more gathered weights lie "
     "in memory at a time",
     "PyTorch FSDP auto_wrap_policy [FSDP23]"},
    {"forward_prefetch", "gathers the next unit's weights before this one's forward pass",
     "may help a real job whose host is late; in the simulator it never changes the time and can "
     "cost the memory of a unit",
     "PyTorch FSDP forward_prefetch"},
    {"backward_prefetch",
     "when the next unit's weights are gathered in the backward pass: before this one's products, "
     "after them, or not ahead",
     "the earlier a gather begins, the more of it is hidden, while the weights of one more unit "
     "lie in memory",
     "PyTorch FSDP BackwardPrefetch"},
    {"limit_all_gathers",
     "holds back gathers so that at most two units are in memory ahead of their use",
     "saves the memory of one gathered unit; a real job may run faster without it, which the "
     "simulator leaves out",
     "PyTorch FSDP limit_all_gathers"},
    {"reshard_after_forward",
     "frees gathered weights after the forward pass (true), keeps them (false), or keeps a copy "
     "shared by n ranks",
     "freeing needs least memory but gathers again for the backward pass, keeping gathers once and "
     "holds all weights, and a shared copy lies between",
     "PyTorch fully_shard reshard_after_forward"},
    {"accumulate_without_sync",
     "reduces gradients once a step instead of after every micro-batch, for the memory of whole "
     "gradients",
     "gains more the more micro-batches a step has, and costs no memory where gradients are kept "
     "whole anyway",
     "PyTorch no_sync()"},
    {"dtype", "precision of matrix products",
     "narrower numbers multiply faster, but fp8 and below must be cast on the way, and coarse "
     "formats may make a training diverge",
     "PyTorch autocast; Transformer Engine fp8_autocast"},
    {"param_dtype", "precision in which weights are gathered",
     "in 16 bits gathers, activations and element-wise traffic are half of those in fp32, at the "
     "price of precision",
     "PyTorch FSDP MixedPrecision param_dtype"},
    {"reduce_dtype", "precision in which gradients are reduced",
     "fewer bits shorten reductions, but sums over many ranks get coarser, and beside fp8 products "
     "a training may diverge",
     "PyTorch FSDP MixedPrecision reduce_dtype"},
    {"optimizer", "rule of the update, which decides what state is kept for each weight",
     "less state frees memory and shortens the update, from Adam's two moments (or two bytes with "
     "adam_8bit) to none with SGD; muon keeps one moment of hidden matrices, but has to gather and "
     "multiply them whole; how well each learns is not simulated",
     "torch.optim; bitsandbytes Adam8bit; Megatron-LM --optimizer muon"},
    {"offload", "what is kept in the host's memory and copied when needed",
     "frees device memory, but copies cross the host link, and a step waits for what compute does "
     "not hide",
     "DeepSpeed offload_optimizer; PyTorch save_on_cpu"},
    {"recompute",
     "which activations are computed again in the backward pass instead of being kept: none, "
     "attention's, cheap operators', all, all of every K-th layer, or those of a module: norms, "
     "the experts' activation functions, FFNs",
     "more of it frees activations, but repeats compute and, for whole layers, tensor-parallel "
     "traffic, and so lengthens the bubble too",
     "Megatron-LM --recompute-granularity and --recompute-modules; PyTorch checkpoint "
     "[Korthikanti22]"},
    {"compile", "fuses element-wise kernels",
     "saves memory traffic and launches and costs nothing in the simulator, while a real job also "
     "spends time on compiling",
     "PyTorch torch.compile"},
    {"quantize_base", "keeps the frozen weights under adapters in 4 bits (NF4) on the device",
     "the weights take a quarter of the memory and of the traffic of gathers, but each product "
     "first widens its weights to 16 bits",
     "torchtune quantize_base; bitsandbytes load_in_4bit [QLoRA23]"},
    {"batch_per_gpu", "samples that a GPU takes in a step",
     "a larger batch spreads weight traffic and fixed costs over more samples, but its activations "
     "take memory",
     "TorchRec and DLRM: the local batch size"},
    {"embedding_plan", "how tables are spread over GPUs: chosen table by table, or all in one way",
     "whole tables exchange least and balance worst, rows spread everywhere balance best and "
     "exchange most, and the planner cuts only what needs it",
     "TorchRec ShardingType and EmbeddingShardingPlanner [TorchRec]"},
    {"embedding_groups", "groups of GPUs that each hold a copy of all tables, in 2D plans",
     "with more groups each exchange stays among fewer GPUs, but every copy takes memory and "
     "copies must be averaged",
     "TorchRec DMPCollection [TorchRec2D]"},
    {"embedding_sync_interval", "steps between two averages of the copies of all tables",
     "longer intervals save traffic, but copies drift apart, which may cost quality that the "
     "simulator does not know",
     "TorchRec DMPCollection.sync [TorchRec2D]"},
    {"embedding_kernel",
     "where rows are kept: in device memory, in the host's, or there with a cache on the device",
     "host memory makes room on the device, but rows then cross the host link, which only a cache "
     "and fetching ahead can hide",
     "TorchRec EmbeddingComputeKernel"},
    {"embedding_cache_ratio", "share of the rows in the host's memory that device memory caches",
     "a larger cache misses fewer rows but takes device memory, and misses that are fetched ahead "
     "cost little",
     "TorchRec CacheParams.load_factor"},
    {"embedding_dtype", "precision in which tables are stored",
     "16 bits halve the memory of tables and shorten lookups, but small updates are rounded away "
     "and a training may diverge",
     "TorchRec DataType of EmbeddingBagConfig"},
    {"embedding_optimizer", "optimizer of the tables, fused into the backward pass",
     "row-wise Adagrad keeps one number per row and SGD none, while Adam keeps two per weight, "
     "which takes memory and slows the update",
     "FBGEMM EmbOptimType"},
    {"embedding_replicate_below_gib", "tables smaller than this many GiB are held by every GPU",
     "copies of small tables need no exchange of rows, but every GPU stores and updates them, and "
     "their gradients are all-reduced",
     "TorchRec data_parallel sharding"},
    {"forward_comm_dtype", "precision in which pooled embeddings are sent",
     "fewer bits shorten the exchange, but eight of them add casts and may make a training diverge",
     "TorchRec QCommsConfig.forward_precision"},
    {"backward_comm_dtype", "precision in which gradients of pooled embeddings are sent back",
     "fewer bits shorten the exchange and the update of tables, but fp16 and above all fp8 may "
     "make a training diverge",
     "TorchRec QCommsConfig.backward_precision"},
    {"index_dedup", "asks for each row that is not pooled once for all ids of a GPU's batch",
     "where ids repeat, fewer ids and rows are sent and read; sorting them and repeating the rows "
     "takes time on every GPU",
     "TorchRec use_index_dedup of EmbeddingCollectionSharder"},
    {"input_pipeline",
     "what of the next batch's input overlaps with this step: nothing, its copy, its exchange too",
     "the more runs ahead, the less a step waits, at the price of memory for the next batch",
     "TorchRec TrainPipelineSparseDist"},
    {"length_balancing", "deal samples to GPUs so that their histories take equally long",
     "no GPU waits for the one with the longest histories, at the price of sending every sample to "
     "the GPU that trains it",
     "recsys-examples enable_balanced_shuffler"},
    {"dense_sharding", "what ranks hold in parts of the layers that read dense features",
     "whole copies only reduce their gradients; sharding so small a part saves little memory and "
     "adds gathers in both passes",
     "PyTorch FSDP ShardingStrategy, a unit of its own [CubicML]"},
    {"sequence_sharding", "what ranks hold in parts of the layers that read sequences",
     "whole copies of so small a part cost little memory; sharding it frees some of that and adds "
     "gathers in both passes",
     "PyTorch FSDP ShardingStrategy, a unit of its own [CubicML]"},
    {"interaction_sharding", "what ranks hold in parts of the interaction",
     "sharding everything makes a large interaction fit, while weights that stay gathered save "
     "traffic and may run out of memory",
     "PyTorch FSDP ShardingStrategy, a unit of its own [CubicML]"},
    {"over_sharding", "what ranks hold in parts of the layers above the interaction",
     "sharding everything needs least memory, while shard_grad_op gathers once and is faster where "
     "the gathered weights fit",
     "PyTorch FSDP ShardingStrategy, a unit of its own [CubicML]"},
}};

/// Names from elsewhere, each between spaces, and what to type instead in either kind of workload.
struct Elsewhere {
  std::string_view names;
  std::string_view transformers;
  std::string_view recommendation;
};

constexpr Elsewhere elsewhere[] = {
    {" tp tensor_model_parallel_size tensor_parallel_size tensor_parallel_degree mp "
     "model_parallel ",
     "tensor_parallel", ""},
    {" sp sequence_parallelism ", "sequence_parallel", ""},
    {" async_tp tp_comm_overlap ", "async_tensor_parallel", ""},
    {" pp pipeline_model_parallel_size pipeline_parallel_size pipeline_parallel_degree stages "
     "pipeline_stages ",
     "pipeline_parallel", ""},
    {" pipeline_schedule pp_schedule ", "schedule", ""},
    {" vpp vp virtual_pipeline interleave num_layers_per_virtual_pipeline_stage "
     "num_virtual_stages_per_pipeline_rank model_chunks ",
     "virtual_stages", ""},
    {" cp context_parallel_size ring_attention ", "context_parallel", ""},
    {" ulysses ulysses_parallel ulysses_sequence_parallel_size ", "ulysses_degree", ""},
    {" cp_comm_type context_parallel_rotate_method ", "context_exchange", ""},
    {" context_parallel_load_balancer zigzag ", "context_load_balance", ""},
    {" qlora load_in_4bit nf4 bnb_4bit_quant_type ", "quantize_base", ""},
    {" use_index_dedup dedup unique_ids ", "", "index_dedup"},
    {" ep expert_model_parallel_size moe_ep ", "expert_parallel", ""},
    {" etp expert_tensor_parallel_size ", "expert_tensor_parallel", ""},
    {" moe_token_dispatcher_type dispatcher deepep ", "expert_dispatch", ""},
    {" dp data_parallel_size replicas ", "data_parallel", ""},
    {" gbs global_batch_size global_batch batch_per_gpu batch batch_size train_batch_size ",
     "global_batch", "batch_per_gpu"},
    {" mbs micro_batch_size micro_batch microbatch microbatch_size local_batch_size "
     "train_micro_batch_size_per_gpu per_device_train_batch_size ",
     "micro_batch", "batch_per_gpu"},
    {" gradient_accumulation gradient_accumulation_steps grad_accum accumulate no_sync ",
     "micro_batch", "batch_per_gpu"},
    {" sharding dense_sharding zero zero_stage stage fsdp sharding_strategy zero3 zero2 zero1 "
     "distributed_optimizer use_distributed_optimizer ",
     "sharding", "dense_sharding"},
    {" hsdp hybrid_shard_size shard_size ", "shard_group", "shard_group"},
    {" auto_wrap auto_wrap_policy fsdp_unit ", "wrap", "wrap"},
    {" prefetch ", "backward_prefetch", "backward_prefetch"},
    {" precision amp autocast bf16 fp8 fp16 mixed_precision ", "dtype", "dtype"},
    {" param_precision ", "param_dtype", "param_dtype"},
    {" reduce_precision grad_reduce_in_fp32 ", "reduce_dtype", "reduce_dtype"},
    {" optim opt ", "optimizer", "optimizer"},
    {" cpu_offload offload_optimizer optimizer_offload ", "offload", "offload"},
    {" recomputation activation_checkpointing checkpointing checkpoint_activations "
     "recompute_granularity recompute_activations gradient_checkpointing ac ",
     "recompute", "recompute"},
    {" torch_compile compiled ", "compile", "compile"},
    {" sharding_type embedding_sharding embedding_plan planner ", "sharding", "embedding_plan"},
    {" compute_kernel uvm ", "", "embedding_kernel"},
    {" cache_load_factor cache_ratio load_factor ", "expert_cache_ratio", "embedding_cache_ratio"},
    {" gpus num_gpus ngpus n_gpus gpu_count world_size nproc devices num_devices nodes nnodes "
     "num_nodes ",
     "cluster.gpus", "cluster.gpus"},
    {" device gpu gpu_type accelerator hardware ", "cluster.device", "cluster.device"},
    {" network fabric interconnect topology ", "cluster.network", "cluster.network"},
    {" placement rank_order ", "cluster.placement", "cluster.placement"},
    {" seq sequence seq_len seq_length sequence_length max_seq_len context_length ctx s ",
     "workload.sequence", ""},
    {" layers num_layers n_layers depth ", "workload.layers", ""},
    {" hidden hidden_size d_model dim width ", "workload.hidden", ""},
    {" heads num_attention_heads n_heads num_heads ", "workload.attention_heads", ""},
    {" vocab vocab_size ", "workload.vocabulary", ""},
};

/// Words for values, likewise, and what they are here.
constexpr std::pair<std::string_view, std::string_view> values[] = {
    {" 3 zero3 zero_3 stage3 fsdp fsdp2 fully_shard true ", "full_shard"},
    {" 2 zero2 zero_2 stage2 ", "shard_grad_op"},
    {" 0 ddp none off false ", "no_shard"},
    {" 1 zero_1 stage1 distributed_optimizer ", "zero1"},
    {" hsdp ", "hybrid_shard"},
    {" bfloat16 true ", "bf16"},
    {" float16 half ", "fp16"},
    {" float32 float single false ", "fp32"},
    {" float8 e4m3 ", "fp8"},
    {" float4 fp4 ", "nvfp4"},
    {" yes on 1 enabled ", "true"},
    {" no off 0 disabled ", "false"},
    {" true yes on all ", "full"},
    {" false no off ", "none"},
    {" attention attn partial ", "selective"},
    {" cpu true optimizer_state ", "optimizer"},
    {" all ", "both"},
    {" one_f_one_b onefoneb ", "1f1b"},
};

/// As names are compared: lower case, `_` for `-`, and none of the dashes of an option.
std::string plain(std::string_view name) {
  name.remove_prefix(std::min(name.find_first_not_of('-'), name.size()));
  std::string text(name);
  for (char& c : text) c = c == '-' ? '_' : support::lowered(c);
  return text;
}

}  // namespace

std::span<const SettingWords> setting_words() { return words; }

std::string_view meaning_of(const Setting& setting) {
  return is_column(setting) ? "Column of the table" : words[index_of(setting)].meaning;
}

std::string meant_value(const Setting& setting, std::string_view text) {
  const std::string wanted = " " + plain(text) + " ";
  if (parse_setting(setting, plain(text))) return plain(text);
  for (const auto& [names, value] : values) {
    if (names.find(wanted) != std::string_view::npos && parse_setting(setting, value)) {
      return std::string(value);
    }
  }
  return "";
}

std::string_view meant_by(std::string_view name, WorkloadKind kind) {
  const std::string wanted = " " + plain(name) + " ";
  const auto* const found = std::ranges::find_if(elsewhere, [&](const Elsewhere& entry) {
    return entry.names.find(wanted) != std::string_view::npos;
  });
  if (found == std::end(elsewhere) || wanted.find(' ', 1) + 1 != wanted.size()) return "";
  return kind == WorkloadKind::recommendation ? found->recommendation : found->transformers;
}

}  // namespace cubicbench::scenarios
