// Two plans side by side, and what makes the difference.

import { linearScale, linearTicks } from './axis.js';
import { drawTicks, stackOf } from './breakdown.js';
import { h, pool, s, set, setText } from './dom.js';
import { duration, gib, signedDuration, signedGib, signedPercent, tickText } from './format.js';
import { addTable, button, createFigure, createPanel } from './panel.js';
import { planText } from './plan.js';
import { drawStack } from './stacked.js';
import { memoryWords, termWords } from './words.js';

const top = 6;
const thick = 32;
const pitch = 58;

/** The terms that differ most, in words. */
function causes(differences, total) {
  const moved = differences
    .filter((one) => Math.abs(one.difference_s) > Math.abs(total) * 0.05 && one.difference_s !== 0)
    .sort((a, b) => Math.abs(b.difference_s) - Math.abs(a.difference_s)).slice(0, 3)
    .map((one) => `${termWords(one.name).label} ${signedDuration(one.difference_s)}`);
  return moved.length === 0 ? '' : `, most of it in ${moved.join(', ')}`;
}

function findingOf(document) {
  const { against } = document;
  if (document.step_time_s === null) return `This plan has no step: ${document.why}.`;
  if (against.step_time_s === null) return `The kept plan has no step: ${against.why}.`;
  const total = against.step_time_s - document.step_time_s;
  if (total === 0) return 'Both plans take the same time.';
  return `The kept plan's step is ${duration(Math.abs(total))} ${total < 0 ? 'shorter' : 'longer'} `
    + `(${signedPercent(total / document.step_time_s)})${causes(document.differences, total)}.`
    .replace('..', '.');
}

const timeColumns = [
  {
    heading: 'term', text: (row) => row.label, raw: (row) => row.name,
    swatch: (row) => (row.name === 'step' ? null : termWords(row.name)),
  },
  { heading: 'this plan', number: true, text: (row) => timeText(row.here), raw: (row) => row.here },
  { heading: 'kept plan', number: true, text: (row) => timeText(row.there), raw: (row) => row.there },
  {
    heading: 'difference', number: true,
    text: (row) => (row.more === null ? '–' : signedDuration(row.more)), raw: (row) => row.more,
  },
];

const memoryColumns = [
  {
    heading: 'memory', text: (row) => memoryWords(row.name).label, raw: (row) => row.name,
    swatch: (row) => memoryWords(row.name),
  },
  { heading: 'this plan', number: true, text: (row) => gib(row.bytes), raw: (row) => row.bytes },
  {
    heading: 'kept plan', number: true, text: (row) => gib(row.against_bytes),
    raw: (row) => row.against_bytes,
  },
  {
    heading: 'difference', number: true, text: (row) => signedGib(row.difference_bytes),
    raw: (row) => row.difference_bytes,
  },
];

/** Terms that are nothing in both plans are left out. */
function isSeen(one) {
  return Math.max(one.seconds ?? 0, one.against_s ?? 0) > 1e-7;
}

function timeText(seconds) {
  return seconds === null ? '–' : duration(seconds);
}

export function comparePanel(context) {
  const panel = createPanel({
    id: 'compare',
    title: 'Two plans side by side',
    lead: 'Keep a plan, then turn knobs: this plan is what the knobs show. Differences are the kept '
      + 'plan minus this plan; the terms add up to the difference in step time.',
  });
  const keep = button('Keep this plan', 'Keep this plan to compare others with it',
    () => context.keep());
  const swap = button('Swap', 'Swap this plan and the kept one', () => context.swap());
  const drop = button('Drop', 'Drop the kept plan', () => context.dropKept());
  const keptText = h('p', { class: 'kept' });
  panel.body.append(h('div', { class: 'row' }, keep, swap, drop), keptText);

  let shown = null;
  const figure = createFigure('Two plans', () => draw());
  const axis = s('g');
  const names = s('g');
  const rows = [s('g'), s('g')];
  figure.figure.append(axis, names, ...rows);
  const detail = h('div', {}, figure.frame);
  panel.body.append(detail);
  const inside = { body: detail, tools: panel.tools };
  const times = addTable(inside, 'Two plans, term by term', timeColumns,
    { name: () => `${context.name()}-against`, figure: () => figure.figure }, false);
  const parts = addTable(inside, 'Two plans, memory', memoryColumns,
    { name: () => `${context.name()}-against-memory`, figure: null, csv: 'CSV, memory' }, true);

  function draw() {
    if (figure.width === 0 || shown === null) return;
    const plans = [
      ['this plan', shown.step_time_s, 'seconds'],
      ['kept plan', shown.against.step_time_s, 'against_s'],
    ];
    figure.resize(top + 2 * pitch + 10);
    const most = Math.max(...plans.map(([, step]) => step ?? 0)) || 1;
    const scale = linearScale(0, most * 1.02, 1, figure.width - 24);
    drawTicks(axis, linearTicks(0, most, Math.max(3, figure.width / 120)), scale,
      top + 2 * pitch - 10, (tick) => (tick === 0 ? '0' : tickText(duration(tick))));
    pool(names, plans, () => s('text', { class: 'label' }), (text, [name, step], i) => {
      set(text, { x: 2, y: top + pitch * i + 12 });
      setText(text, step === null ? `${name}: no step` : `${name}, ${duration(step)}`);
    });
    rows.forEach((group, i) => {
      const terms = shown.differences
        .map((one) => ({ name: one.name, amount: plans[i][1] === null ? 0 : one[plans[i][2]] }))
        .filter((one) => one.amount > 0);
      drawStack(group, stackOf(terms, scale, termWords, (part) => duration(part.amount)),
        top + pitch * i + 18, thick);
    });
  }

  return {
    root: panel.root,
    /** @param {?Object<string, string>} kept  null: there is none */
    kept(kept, isSame) {
      keep.hidden = kept !== null;
      swap.hidden = kept === null;
      drop.hidden = kept === null;
      detail.hidden = kept === null || isSame;
      panel.tools.hidden = detail.hidden;
      setText(keptText, kept === null ? '' : `Kept: ${planText(kept)}`);
      if (kept === null) setText(panel.finding, 'No plan is kept yet.');
      else if (isSame) setText(panel.finding, 'The kept plan is this plan. Turn a knob to compare.');
    },
    /** @param {Object} document  of `explain --against` */
    update(document) {
      shown = document;
      setText(panel.finding, findingOf(document));
      figure.describe(panel.finding.textContent);
      const both = document.step_time_s !== null && document.against.step_time_s !== null;
      times.update([...document.differences.filter(isSeen).map((one) => ({
        name: one.name, label: termWords(one.name).label,
        here: one.seconds, there: one.against_s, more: one.difference_s,
      })), {
        name: 'step', label: '= step', here: document.step_time_s,
        there: document.against.step_time_s,
        more: both ? document.against.step_time_s - document.step_time_s : null,
      }], (row) => (row.name === 'step' ? 'sum' : null));
      parts.update(document.memory_differences);
      draw();
    },
    refuse(message) {
      detail.hidden = true;
      setText(panel.finding, message);
    },
  };
}
