// Which kernels are bound by arithmetic, which by memory.

import { apart, logScale, logTicks, textWidth } from './axis.js';
import { pool, s, set, setText } from './dom.js';
import { duration, grouped, percent, scaled } from './format.js';
import { makeMark, placeMark } from './marks.js';
import { addTable, createFigure, createPanel } from './panel.js';
import { roleWords } from './words.js';

const height = 320;
const left = 60;
const right = 14;
const top = 26;
const bottom = 46;

export function rooflinePanel(context) {
  const panel = createPanel({
    id: 'roofline',
    title: 'Under the roofline',
    lead: 'Each dot is a kind of kernel: how many operations it does per byte that it moves, and '
      + 'which share of the tensor cores’ peak it reaches. Left of the ridge memory sets the roof, '
      + 'right of it arithmetic does. Both axes are logarithmic. Fused attention keeps its scores on '
      + 'the chip and has no such intensity; it appears only in the table.',
  });
  let shown = [];
  const figure = createFigure('Roofline', () => draw());
  const parts = {
    gridX: s('g'), gridY: s('g'), roof: s('path', { class: 'line line-ink' }),
    ridge: s('text', { class: 'tick', 'text-anchor': 'middle' }), dots: s('g'), names: s('g'),
    unitX: s('text', { class: 'tick', 'text-anchor': 'end', text: 'operations per byte' }),
    unitY: s('text', { class: 'tick', x: 4, y: 12, text: 'share of the tensor cores’ peak' }),
  };
  figure.figure.append(...Object.values(parts));
  panel.body.append(figure.frame);

  const number = (value, text) => (value === null ? '–' : text(value));
  const columns = [
    { heading: 'kernels', text: (row) => roleWords(row.name) },
    { heading: 'in', text: (row) => row.dtype ?? '' },
    { heading: 'time', number: true, text: (row) => duration(row.seconds), raw: (row) => row.seconds },
    {
      heading: 'FLOP per byte', number: true, text: (row) => number(row.flop_per_byte, scaled),
      raw: (row) => row.flop_per_byte ?? '',
    },
    { heading: 'ridge', number: true, text: (row) => grouped(row.ridge_flop_per_byte) },
    { heading: 'of peak', number: true, text: (row) => number(row.of_peak, percent) },
    { heading: 'of bandwidth', number: true, text: (row) => number(row.of_bandwidth, percent) },
    { heading: 'bound by', text: (row) => row.bound_by },
  ];
  const table = addTable(panel, 'Kernels under the roofline', columns,
    { name: () => `${context.name()}-roofline`, figure: () => figure.figure });

  function draw() {
    const points = shown.filter((point) => point.flop_per_byte > 0 && point.of_peak > 0);
    figure.frame.hidden = points.length === 0;
    if (figure.width === 0 || points.length === 0) return;
    figure.resize(height);
    const { width } = figure;
    const ridge = Math.max(...points.map((point) => point.ridge_flop_per_byte));
    const all = points.map((point) => point.flop_per_byte);
    const low = Math.min(...all, ridge / 20) / 1.6;
    const high = Math.max(...all, ridge * 4) * 2.2;
    const least = Math.min(...points.map((point) => point.of_peak), low / ridge, 0.05) / 1.3;
    const x = logScale(low, high, left, width - right);
    const y = logScale(least, 1.25, height - bottom, top);
    drawGrid(x, y, low, high, least, width);
    set(parts.roof, {
      d: `M${x(low)} ${y(Math.max(least, low / ridge))}L${x(ridge)} ${y(1)}L${x(high)} ${y(1)}`,
    });
    set(parts.ridge, { x: x(ridge), y: y(1) - 8 });
    setText(parts.ridge, `ridge ${grouped(ridge)}`);
    set(parts.unitX, { x: width - right, y: height - 6 });
    drawDots(points, x, y, width);
  }

  function drawGrid(x, y, low, high, least, width) {
    const make = () => s('g', {}, s('line', { class: 'grid' }), s('text', { class: 'tick' }));
    pool(parts.gridX, logTicks(low, high, width - left - right), make, (element, tick) => {
      const [line, text] = element.children;
      set(line, { x1: x(tick), x2: x(tick), y1: top, y2: height - bottom });
      set(text, { x: Math.min(x(tick), width - 16), y: height - bottom + 16, 'text-anchor': 'middle' });
      setText(text, tick >= 1 ? grouped(tick) : String(+tick.toPrecision(2)));
    });
    pool(parts.gridY, logTicks(least, 1.0, 1000), make, (element, tick) => {
      const [line, text] = element.children;
      set(line, { x1: left, x2: width - right, y1: y(tick), y2: y(tick) });
      set(text, { x: left - 8, y: y(tick) + 4, 'text-anchor': 'end' });
      setText(text, `${+(100 * tick).toPrecision(2)} %`);
    });
  }

  function drawDots(points, x, y, width) {
    const names = points.map((point) => roleWords(point.name));
    const places = apart(points.map((point) => y(point.of_peak) + 4), 15, top + 12, height - bottom);
    pool(parts.dots, points, makeMark, (mark, point, i) => {
      const words = `${names[i]}: ${scaled(point.flop_per_byte)} operations per byte, `
        + `${percent(point.of_peak)} of the peak`;
      placeMark(mark, { mark: 'dot', color: point.bound_by === 'compute' ? 'blue' : 'green' },
        x(point.flop_per_byte), y(point.of_peak), words);
    });
    pool(parts.names, points, () => s('text', { class: 'label' }), (text, point, i) => {
      const at = x(point.flop_per_byte);
      const fits = at + 10 + textWidth(names[i]) < width - right;
      set(text, { x: fits ? at + 10 : at - 10, y: places[i], 'text-anchor': fits ? 'start' : 'end' });
      setText(text, names[i]);
    });
  }

  return {
    root: panel.root,
    /** @param {Object[]} points  `roofline` of `explain` */
    update(points) {
      shown = points;
      const largest = [...points].sort((a, b) => b.seconds - a.seconds)[0];
      setText(panel.finding, largest === undefined ? 'No kernel: the plan has no step.'
        : `The longest kernels, ${roleWords(largest.name)}, are bound by `
          + `${largest.bound_by === 'compute' ? 'arithmetic' : 'memory bandwidth'}`
          + `${largest.of_peak === null ? '.' : ` and reach ${percent(largest.of_peak)} of the peak.`}`);
      figure.describe(panel.finding.textContent);
      table.update(points);
      draw();
    },
  };
}
