// Which measured runs are of which model. web/recorded.txt names the tables, too.

/**
 * Which rows of which table of measured runs are runs of a scenario's model: by the family that
 * the table gives them. The rows are simulated as they were run, on their own clusters.
 */
export const measuredRuns = [
  { scenario: /^llama3-405b/, dataset: 'nvidia_megatron_bridge', family: /LLAMA3\.1_405B\/H100$/ },
  { scenario: /^llama3-70b/, dataset: 'nvidia_megatron_bridge', family: /26\.0[46].*LLAMA3_70B/ },
  { scenario: /^(llama3-8b|tiny-llama)/, dataset: 'torchtitan', family: /8B\/\d+xH100 compile/ },
  { scenario: /^deepseek-v3/, dataset: 'papers_and_reports', family: /^dsv3$/ },
  { scenario: /^qwen3-235b/, dataset: 'nvidia_megatron_bridge', family: /Qwen3_235B_a22B\/H100$/ },
  { scenario: /^mixtral-8x7b/, dataset: 'nvidia_megatron_bridge', family: /Mixtral/i },
  { scenario: /^(gpt3-175b|tiny-gpt)/, dataset: 'papers_and_reports', family: /^sc21/ },
  { scenario: /^dlrm-dcnv2-64/, dataset: 'mlperf_dlrm_results', family: /H100.*\/64$/ },
  { scenario: /^dlrm-dcnv2$/, dataset: 'mlperf_dlrm_results', family: /H[12]00.*\/8$/ },
  { scenario: /^dlrm-criteo/, dataset: 'training_throughput', family: /^A100-80GB\/8$/ },
];
