// What would change the step: every change of one knob, simulated, and the best of them.

import { h, pool, set, setText } from './dom.js';
import { duration, gib, objectiveText, percent, signedPercent } from './format.js';
import { addTable, createPanel } from './panel.js';
import { planText } from './plan.js';
import { adviceWords } from './words.js';

function setsOf(change) {
  return Object.fromEntries(Object.entries(change.set).map(([name, value]) => [name, String(value)]));
}

/** The text of a piece of advice without the kind before it, which is the button's heading. */
function restOf(advice) {
  const at = advice.text.indexOf(': ');
  return at < 0 ? advice.text : advice.text.slice(at + 2);
}

export function advicePanel(context) {
  const panel = createPanel({
    id: 'advice',
    title: 'What would change it',
    lead: 'Every change of one knob to another value of the search space, and every pair of such '
      + 'changes, is simulated before it is listed.',
  });
  const list = h('ul', { class: 'advice' });
  panel.body.append(list);
  let metric = '';
  let base = null;
  const gain = (row) => (row.objective === null || base === null ? null : row.objective / base - 1);
  const columns = [
    { heading: 'change', text: (row) => planText(setsOf(row)) },
    {
      heading: 'step', number: true, raw: (row) => row.step_time_s ?? '',
      text: (row) => (row.step_time_s === null ? '–' : duration(row.step_time_s)),
    },
    {
      heading: 'objective', number: true, text: (row) => objectiveText(metric, row.objective),
      raw: (row) => row.objective ?? '',
    },
    {
      heading: 'effect', number: true, raw: (row) => gain(row) ?? '',
      text: (row) => (gain(row) === null ? '–' : signedPercent(gain(row))),
    },
    {
      heading: 'memory', number: true, raw: (row) => row.memory_bytes ?? '',
      text: (row) => (row.memory_bytes === null ? '–' : gib(row.memory_bytes)),
    },
    {
      heading: 'runs out', number: true, raw: (row) => row.oom_probability ?? '',
      text: (row) => (row.oom_probability === null ? '–' : percent(row.oom_probability)),
    },
    { heading: 'why it does not run', text: (row) => row.why ?? '' },
  ];
  const table = addTable(panel, 'Every single change', columns,
    { name: () => `${context.name()}-changes`, figure: null });

  return {
    root: panel.root,
    /** @param {Object} document  of `explain` */
    update(document) {
      metric = document.objective.metric;
      base = document.objective.value;
      const run = document.changes.filter((one) => one.status === 'ok').length;
      setText(panel.finding, `${document.searched.changes} single changes and `
        + `${document.searched.pairs} pairs were simulated; ${run} of the single ones run.`);
      pool(list, document.advice, () => h('li', {}, h('strong'), h('span'),
        h('button', { type: 'button', class: 'small', text: 'Apply' })), (item, advice) => {
        const [kind, text, apply] = item.children;
        setText(kind, adviceWords(advice.kind));
        setText(text, restOf(advice));
        set(apply, { 'aria-label': `Apply ${planText(setsOf(advice))}` });
        apply.onclick = () => context.apply(setsOf(advice));
      });
      table.update(document.changes);
    },
  };
}
