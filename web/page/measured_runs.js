// Which measured runs are of which model. The engine has no tables of measurements: what is asked
// for here has to be recorded, so web/recorded.txt names the same tables.

/**
 * Which rows of which table are runs of a scenario's model: by the group that the table puts them
 * in (family, model, device, GPUs, sequence, precision). The rows are simulated as they were run,
 * on their own clusters.
 */
export const measuredRuns = [
  { scenario: /^llama3-405b/, dataset: 'nvidia_megatron_bridge', group: /LLAMA3\.1_405B\/H100/ },
  { scenario: /^llama3-70b/, dataset: 'nvidia_megatron_bridge', group: /26\.0[46].*\| LLAMA3_70B/ },
  { scenario: /^llama3-8b/, dataset: 'torchtitan', group: /8B\/\d+xH100 compile/ },
  { scenario: /^deepseek-v3/, dataset: 'papers_and_reports', group: /DeepSeek-V3/ },
  { scenario: /^qwen3-235b/, dataset: 'nvidia_megatron_bridge', group: /Qwen3_235B_a22B\/H100/ },
  { scenario: /^gpt3-175b/, dataset: 'papers_and_reports', group: /GPT 175B/ },
  { scenario: /^dlrm-dcnv2-64/, dataset: 'mlperf_dlrm_results', group: /H100.*\/64/ },
  { scenario: /^dlrm-dcnv2$/, dataset: 'mlperf_dlrm_results', group: /H[12]00.*\/8/ },
  { scenario: /^dlrm-criteo/, dataset: 'training_throughput', group: /A100-80GB\/8 \| DLRM/ },
  { scenario: /^ads-hstu/, dataset: 'wide_deep_hstu', group: /HSTU ranking/ },
];
