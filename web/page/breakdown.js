// Where the time of a step goes.

import { linearScale, linearTicks } from './axis.js';
import { pool, s, set, setText } from './dom.js';
import { duration, percent, tickText } from './format.js';
import { addTable, createFigure, createPanel } from './panel.js';
import { drawStack } from './stacked.js';
import { termWords } from './words.js';

const top = 6;
const thick = 40;
/** Seconds that nobody could see or wants to read. */
const negligible = 1e-7;

/** Bars that start where the one before ended. */
export function stackOf(parts, scale, wordsOf, textOf) {
  let sum = 0;
  return parts.map((part) => {
    const from = scale(sum);
    sum += part.amount;
    const words = wordsOf(part.name);
    return { ...words, from, to: scale(sum), words: `${words.label}: ${textOf(part)}` };
  });
}

/** Ticks below bars. */
export function drawTicks(group, ticks, scale, y, textOf) {
  pool(group, ticks, () => s('g', {}, s('line', { class: 'grid' }), s('text', { class: 'tick' })),
    (element, tick) => {
      const [line, text] = element.children;
      const x = scale(tick).toFixed(1);
      set(line, { x1: x, x2: x, y1: top, y2: y });
      set(text, { x: tick === 0 ? 0 : x, y: y + 16, 'text-anchor': tick === 0 ? 'start' : 'middle' });
      setText(text, textOf(tick));
    });
}

export function breakdownPanel(context) {
  const panel = createPanel({
    id: 'step',
    title: 'Time of a step',
    lead: 'Each part is time of the slowest rank that is not hidden behind other work; the parts '
      + 'add up to the step. Striped parts wait for a network, hatched parts are idle.',
  });
  let shown = null;
  const figure = createFigure('Time of a step', () => draw());
  const axis = s('g');
  const bars = s('g');
  figure.figure.append(axis, bars);
  panel.body.append(figure.frame);

  const columns = [
    {
      heading: 'part', text: (row) => termWords(row.name).label,
      swatch: (row) => termWords(row.name), raw: (row) => row.name,
    },
    { heading: 'time', number: true, text: (row) => duration(row.amount), raw: (row) => row.amount },
    { heading: 'share', number: true, text: (row) => percent(row.share), raw: (row) => row.share },
  ];
  const table = addTable(panel, 'Time of a step by part', columns,
    { name: () => `${context.name()}-step`, figure: () => figure.figure }, false);

  function draw() {
    if (figure.width === 0 || shown === null) return;
    figure.resize(top + thick + 26);
    const scale = linearScale(0, shown.step, 1, figure.width - 24);
    drawTicks(axis, linearTicks(0, shown.step, Math.max(3, figure.width / 120)), scale,
      top + thick, (tick) => (tick === 0 ? '0' : tickText(duration(tick))));
    drawStack(bars, stackOf(shown.parts, scale, termWords, (part) => duration(part.amount)),
      top, thick);
  }

  return {
    root: panel.root,
    /** @param {Object} document  of `simulate` */
    update(document) {
      const runs = document.step_time_s !== null;
      figure.frame.hidden = !runs;
      if (!runs) {
        setText(panel.finding, `No step: ${document.why}.`);
        table.update([]);
        return;
      }
      const step = document.step_time_s;
      const parts = document.breakdown.filter((part) => part.seconds > negligible)
        .map((part) => ({ name: part.name, amount: part.seconds, share: part.seconds / step }));
      shown = { step, parts };
      const largest = [...parts].sort((a, b) => b.amount - a.amount).slice(0, 2)
        .map((part) => `${percent(part.share)} is ${termWords(part.name).label}`);
      setText(panel.finding, `A step takes ${duration(step)}: ${largest.join(', ')}.`.replace('..', '.'));
      figure.describe(panel.finding.textContent);
      table.update(parts);
      draw();
    },
  };
}
