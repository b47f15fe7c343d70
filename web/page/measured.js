// Runs that somebody measured, beside what the simulator says of the same run.

import { h, setText } from './dom.js';
import { duration, signedPercent } from './format.js';
import { addTable, createPanel } from './panel.js';

/**
 * Which rows of which table of measured runs are runs of a scenario's model: by the family that
 * the table gives them. The rows are simulated as they were run, on their own clusters.
 */
const runs = [
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

/** The table and the families of a scenario's measured runs; null where there are none. */
export function measuredOf(scenario) {
  return runs.find((one) => one.scenario.test(scenario)) ?? null;
}

/** The middle of numbers, the upper one of two. */
function middle(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

const columns = [
  { heading: 'run', text: (row) => row.id },
  { heading: 'what', text: (row) => (row.group ?? row.family).replaceAll(' | ', ', ') },
  {
    heading: 'measured', number: true, text: (row) => duration(row.step_time_s_measured),
    raw: (row) => row.step_time_s_measured,
  },
  {
    heading: 'simulated', number: true, text: (row) => duration(row.step_time_s_simulated),
    raw: (row) => row.step_time_s_simulated,
  },
  {
    heading: 'error', number: true, text: (row) => signedPercent(row.rel_error),
    raw: (row) => row.rel_error,
  },
];

export function measuredPanel(context) {
  const panel = createPanel({
    id: 'measured',
    title: 'Measured runs',
    lead: 'The error is (simulated − measured) / measured of the step time. Many constants of the '
      + 'simulator were fitted to published runs, these among them in part: docs/validation.md '
      + 'says which to which.',
  });
  const source = h('p', { class: 'note' });
  panel.body.append(source);
  const table = addTable(panel, 'Measured runs beside the simulator', columns,
    { name: () => `${context.name()}-measured`, figure: null }, false);

  return {
    root: panel.root,
    /** @param {?Object} document  of `validate`; null: none is known */
    update(document, wanted) {
      if (document === null) {
        setText(panel.finding, 'No published run of this model is in the tables of the program.');
        setText(source, '');
        table.update([]);
        return;
      }
      const rows = document.rows.filter((row) => wanted.family.test(row.family)
        && row.rel_error !== null);
      const typical = middle(rows.map((row) => Math.abs(row.rel_error)));
      setText(panel.finding, rows.length === 0 ? 'No published run of this model has a step time.'
        : `${rows.length} measured ${rows.length === 1 ? 'run' : 'runs'} of this model, simulated `
          + `as they were run: median error ${(100 * typical).toFixed(1)} %.`);
      setText(source, `Table ${wanted.dataset}; the same by cubicbench validate ${wanted.dataset}.`);
      table.update(rows.slice(0, 24));
    },
  };
}
