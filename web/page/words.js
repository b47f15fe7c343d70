// What names of the program's JSON are called on the page, and which colour each has for ever.

/** Terms of a step. Communication is drawn with stripes, waiting hatched: never colour alone. */
const terms = {
  gemm: ['matrix products', 'blue'],
  attention: ['attention', 'sky'],
  memory_bound: ['memory-bound kernels', 'green'],
  head_and_loss: ['head and loss', 'slate'],
  recompute: ['recomputation', 'pink'],
  host: ['waiting for the host', 'silver', 'waits'],
  tensor_communication: ['tensor-parallel comm.', 'amber', 'stripes'],
  context_communication: ['context-parallel comm.', 'gold', 'stripes'],
  pipeline_communication: ['pipeline comm.', 'slate', 'stripes'],
  data_communication: ['data-parallel comm.', 'vermilion', 'stripes'],
  weight_gathers: ['gathers of weights', 'vermilion', 'stripes'],
  gradient_reductions: ['reductions of gradients', 'rust', 'stripes'],
  pipeline_bubble: ['pipeline bubble', 'silver', 'waits'],
  optimizer: ['optimizer', 'ink'],
  allocator_retries: ['allocator retries', 'plum', 'waits'],
  stragglers: ['waiting for stragglers', 'slate', 'waits'],
  embedding_lookup: ['table lookup, update', 'green'],
  row_lookup: ['lookup of rows', 'green'],
  row_update: ['update of rows', 'forest'],
  embedding_communication: ['embedding comm.', 'amber', 'stripes'],
  row_exchange: ['rows to their samples', 'amber', 'stripes'],
  row_gradient_exchange: ['row gradients back', 'gold', 'stripes'],
  copy_averages: ['averages of copies', 'rust', 'stripes'],
  input: ['waiting for input', 'silver', 'waits'],
  embedding_host: ['rows from the host', 'pink'],
  embedding_fixed: ['sorting ids', 'slate'],
  expert_communication: ['tokens to experts', 'plum', 'stripes'],
  expert_storage: ['experts from storage', 'gold', 'waits'],
};

const memory = {
  parameters: ['parameters', 'blue'],
  gradients: ['gradients', 'amber'],
  optimizer_state: ['optimizer state', 'green'],
  unsharded_units: ['unsharded units', 'sky'],
  activations: ['activations', 'pink'],
  logits: ['logits', 'vermilion'],
  communication_buffers: ['communication buffers', 'silver'],
  workspace: ['workspace', 'slate'],
  embedding_tables: ['embedding tables', 'forest'],
  embedding_optimizer_state: ['embedding optimizer', 'gold'],
  embedding_activations: ['embedding activations', 'plum'],
};

/** Why a launch, or a plan, has no value; each has a mark of its own. */
const reasons = {
  oom_init: ['out of memory at start-up', 'triangle', 'vermilion'],
  oom_late: ['out of memory', 'triangle', 'vermilion'],
  oom: ['out of memory', 'triangle', 'vermilion'],
  invalid: ['cannot be laid out', 'cross', 'slate'],
  numeric: ['diverged', 'diamond', 'pink'],
  timeout: ['takes too long', 'square', 'amber'],
  infra: ['hardware failed', 'ring', 'slate'],
};

function fallback(name) {
  return [name.replace(/_/g, ' '), 'slate'];
}

/** @returns {{label: string, color: string, look: string}} of a term of the step */
export function termWords(name) {
  const [label, color, look] = terms[name] ?? fallback(name);
  return { label, color, look: look ?? 'plain' };
}

/** @returns {{label: string, color: string, look: string}} of a part of memory */
export function memoryWords(name) {
  const [label, color] = memory[name] ?? fallback(name);
  return { label, color, look: 'plain' };
}

/** @returns {{label: string, mark: string, color: string}} of a reason of failure */
export function reasonWords(name) {
  const [label, mark, color] = reasons[name] ?? [...fallback(name).slice(0, 1), 'cross', 'slate'];
  return { label, mark, color };
}

const roles = {
  feed_forward: 'FFN',
  attention_projection: 'attention projections',
  attention: 'attention scores',
  head: 'head',
};

/** What a kind of kernel is called under the roofline. */
export function roleWords(name) {
  return roles[name] ?? name.replace(/_/g, ' ');
}

/** Searchers, with the colour and dash that they have on every page. */
export const searchers = {
  random: { label: 'random', color: 'random', dash: '' },
  evolution: { label: 'evolution', color: 'amber', dash: '' },
  coordinate: { label: 'coordinate', color: 'ink', dash: '9 4' },
  cubicml: { label: 'CubicML', color: 'blue', dash: '' },
};

const advice = {
  best_change: 'Best single change',
  best_pair: 'Best pair of changes',
  makes_it_fit: 'Best change that makes it run',
  pair_makes_it_fit: 'Best pair that makes it run',
  frees_for_nothing: 'Frees memory and makes nothing worse',
  frees_most: 'Frees most memory',
};

/** What a kind of advice is called. */
export function adviceWords(kind) {
  return advice[kind] ?? kind.replace(/_/g, ' ');
}
