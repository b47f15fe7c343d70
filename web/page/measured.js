// Runs that somebody measured, beside what the simulator says of the same run.

import { h, setText } from './dom.js';
import { duration, signedPercent } from './format.js';
import { measuredRuns } from './measured_runs.js';
import { addTable, createPanel } from './panel.js';

/** The table and the families of a scenario's measured runs; null where there are none. */
export function measuredOf(scenario) {
  return measuredRuns.find((one) => one.scenario.test(scenario)) ?? null;
}

/** The middle of numbers, the upper one of two. */
function middle(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

const columns = [
  { heading: 'run', text: (row) => row.id },
  { heading: 'what', text: (row) => row.group.replaceAll(' | ', ', ') },
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
      const rows = document.rows.filter((row) => wanted.group.test(row.group)
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
