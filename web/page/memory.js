// What fills the memory of a GPU, against what it has.

import { linearScale, linearTicks } from './axis.js';
import { drawTicks, stackOf } from './breakdown.js';
import { s, set, setText } from './dom.js';
import { gib, percent } from './format.js';
import { addTable, createFigure, createPanel } from './panel.js';
import { drawStack } from './stacked.js';
import { memoryWords } from './words.js';

const top = 26;
const thick = 40;

/** How sure it is, in words that agree with the number. */
function riskText(probability) {
  if (probability >= 0.9995) return 'it runs out of memory';
  if (probability < 0.0005) return 'there is no risk of running out';
  return `the probability of running out is ${percent(probability)}`;
}

function findingOf(memory) {
  const demand = gib(memory.demand_bytes);
  const limit = gib(memory.capacity_bytes);
  const room = memory.margin_bytes >= 0 ? `${gib(memory.margin_bytes)} to spare`
    : `${gib(-memory.margin_bytes)} too much`;
  return `The fullest GPU needs ${demand} of ${limit}, ${room}; ${riskText(memory.oom_probability)}.`;
}

export function memoryPanel(context) {
  const panel = createPanel({
    id: 'memory',
    title: 'Memory against capacity',
    lead: 'The parts are allocated at the peak. The hatched end is memory that the allocator loses '
      + 'to gaps. The whole bar must end left of the limit; near the limit a run may still fail, '
      + 'with the probability given above.',
  });
  let shown = null;
  const figure = createFigure('Memory', () => draw());
  const axis = s('g');
  const bars = s('g');
  const beyond = s('rect', { class: 'beyond' });
  const limit = s('g', {}, s('line', { class: 'limit' }), s('text', { class: 'label' }));
  figure.figure.append(beyond, axis, bars, limit);
  panel.body.append(figure.frame);

  const columns = [
    {
      heading: 'part', text: (row) => row.words.label,
      swatch: (row) => (row.words.color ? row.words : null), raw: (row) => row.name,
    },
    { heading: 'size', number: true, text: (row) => gib(row.amount), raw: (row) => row.amount },
    {
      heading: 'of capacity', number: true, text: (row) => percent(row.share),
      raw: (row) => row.share,
    },
  ];
  const table = addTable(panel, 'Memory by part', columns,
    { name: () => `${context.name()}-memory`, figure: () => figure.figure }, false);

  function draw() {
    if (figure.width === 0 || shown === null) return;
    figure.resize(top + thick + 26);
    const { memory, parts } = shown;
    const most = Math.max(memory.capacity_bytes * 1.12, memory.demand_bytes * 1.04);
    const scale = linearScale(0, most, 1, figure.width - 24);
    const inGib = (bytes) => bytes / 2 ** 30;
    const ticks = linearTicks(0, inGib(most), Math.max(3, figure.width / 110));
    drawTicks(axis, ticks.map((tick) => tick * 2 ** 30), scale, top + thick,
      (tick) => (tick === 0 ? '0' : `${+inGib(tick).toFixed(2)} GiB`));
    const gaps = { name: 'gaps', amount: memory.demand_bytes - memory.allocated_bytes };
    const wordsOf = (name) => (name === 'gaps'
      ? { label: 'gaps', color: 'silver', look: 'waits' } : memoryWords(name));
    drawStack(bars, stackOf([...parts, gaps], scale, wordsOf, (part) => gib(part.amount)),
      top, thick);
    const x = scale(memory.capacity_bytes);
    set(beyond, { x, y: top - 6, width: figure.width - x, height: thick + 12 });
    const [line, text] = limit.children;
    set(line, { x1: x, x2: x, y1: top - 8, y2: top + thick + 6 });
    set(text, { x: Math.min(x, figure.width - 4), y: top - 12, 'text-anchor': 'end' });
    setText(text, `limit ${gib(memory.capacity_bytes)}`);
  }

  return {
    root: panel.root,
    /** @param {Object} document  of `simulate` */
    update(document) {
      const { memory } = document;
      const has = memory !== null && memory.parts.length > 0;
      figure.frame.hidden = !has;
      if (!has) {
        setText(panel.finding, `Nothing is laid out: ${document.why}.`);
        table.update([]);
        return;
      }
      const row = (name, words, amount) => ({
        name, words, amount, share: amount / memory.capacity_bytes,
      });
      const parts = memory.parts.filter((part) => part.bytes > 0)
        .map((part) => row(part.name, memoryWords(part.name), part.bytes));
      shown = { memory, parts };
      setText(panel.finding, findingOf(memory));
      figure.describe(panel.finding.textContent);
      table.update([...parts,
        row('allocated', { label: '= allocated' }, memory.allocated_bytes),
        row('demand', { label: 'demand, gaps included' }, memory.demand_bytes),
        row('capacity', { label: 'capacity' }, memory.capacity_bytes)],
      (one) => (one.words.color ? null : 'sum'));
      draw();
    },
  };
}
