// What the plan comes to at every value of one knob; where it fails, a mark says why.

import { linearScale, linearTicks } from './axis.js';
import { h, pool, s, set, setText } from './dom.js';
import { gib, metricWords, objectiveText, percent, scaled, tickText } from './format.js';
import { makeMark, placeMark } from './marks.js';
import { addTable, createFigure, createPanel } from './panel.js';
import { reasonWords } from './words.js';

const height = 300;
const left = 66;
const right = 20;
const top = 14;
const floor = 56;

/** What failed, by the same names as launches of a race. */
function failureOf(point) {
  if (point.objective !== null) return null;
  if (point.status !== 'ok') return point.status;
  return /diverges/.test(point.why ?? '') ? 'numeric' : 'timeout';
}

function bestOf(points) {
  const run = points.filter((point) => point.objective !== null);
  if (run.length === 0) return null;
  return run.reduce((best, point) => (point.better(best) ? point : best));
}

export function sweepPanel(context) {
  const panel = createPanel({
    id: 'sweep',
    title: 'Throughput against a knob',
    lead: 'Only this knob changes; everything else stays as it is. Marks below the axis are values '
      + 'that fail: a triangle runs out of memory, a cross cannot be laid out, a square takes too '
      + 'long, a diamond diverges. The dot with a dark rim is the current plan.',
  });
  const choice = h('select', { id: 'sweep-knob', onchange: () => context.sweepOn(choice.value) });
  panel.body.append(h('div', { class: 'field row' },
    h('label', { for: 'sweep-knob', text: 'Knob' }), choice));
  let shown = null;
  const figure = createFigure('Throughput against a knob', () => draw());
  const parts = {
    grid: s('g'), names: s('g'), line: s('path', { class: 'line line-blue' }),
    marks: s('g'), unit: s('text', { class: 'tick', x: 4, y: 10 }),
  };
  figure.figure.append(parts.grid, parts.names, parts.line, parts.marks, parts.unit);
  panel.body.append(figure.frame);

  const columns = [
    { heading: 'value', text: (row) => row.value },
    {
      heading: 'objective', number: true, text: (row) => objectiveText(row.metric, row.objective),
      raw: (row) => row.objective ?? '',
    },
    {
      heading: 'memory', number: true,
      text: (row) => (row.memory === null ? '–' : gib(row.memory)), raw: (row) => row.memory ?? '',
    },
    { heading: 'MFU', number: true, text: (row) => (row.mfu === null ? '–' : percent(row.mfu)) },
    {
      heading: 'why it fails',
      text: (row) => (row.failure === null ? '' : row.why || reasonWords(row.failure).label),
    },
  ];
  const table = addTable(panel, 'Throughput against a knob', columns, {
    name: () => `${context.name()}-${shown?.knob ?? 'sweep'}`, figure: () => figure.figure,
  });

  function drawGrid(ticks, y, width) {
    pool(parts.grid, ticks,
      () => s('g', {}, s('line', { class: 'grid' }), s('text', { class: 'tick' })),
      (element, tick) => {
        const [line, text] = element.children;
        set(line, { x1: left, x2: width - right, y1: y(tick), y2: y(tick) });
        set(text, { x: left - 8, y: y(tick) + 4, 'text-anchor': 'end' });
        setText(text, tick === 0 ? '0' : tickText(scaled(tick)));
      });
  }

  function draw() {
    if (figure.width === 0 || shown === null) return;
    figure.resize(height);
    const { points, metric, now } = shown;
    const { width } = figure;
    const values = points.map((point) => point.objective).filter((value) => value !== null);
    const most = Math.max(...values, 0) * 1.06 || 1;
    const y = linearScale(0, most, height - floor, top + 6);
    const step = (width - left - right) / points.length;
    const x = (i) => left + step * (i + 0.5);
    drawGrid(values.length === 0 ? [] : linearTicks(0, most, 6), y, width);
    setText(parts.unit, `${metricWords(metric).name}, ${metricWords(metric).unit}`);
    const every = Math.ceil(points.length * 62 / (width - left - right)) || 1;
    pool(parts.names, points, () => s('text', { class: 'tick', 'text-anchor': 'middle' }),
      (text, point, i) => {
        const wide = Math.max(4, Math.floor(step / 6.4));
        set(text, { x: x(i), y: height - 12, class: point.value === now ? 'tick strong' : 'tick' });
        setText(text, i % every === 0 ? shortened(point.value, wide * every) : '');
      });
    const run = points.map((point, i) => [point, i]).filter(([point]) => point.objective !== null);
    const isOrdered = points.every((point) => !Number.isNaN(Number(point.value)));
    set(parts.line, {
      d: isOrdered ? run.map(([point, i], k) => `${k ? 'L' : 'M'}${x(i).toFixed(1)} ${y(point.objective).toFixed(1)}`).join('') : '',
    });
    pool(parts.marks, points, makeMark, (mark, point, i) => {
      const words = `${point.value}: ${point.failure === null
        ? objectiveText(metric, point.objective) : point.why}`;
      const extra = point.value === now ? 'now' : '';
      if (point.failure === null) {
        placeMark(mark, { mark: 'dot', color: 'blue' }, x(i), y(point.objective), words, extra);
      } else {
        placeMark(mark, reasonWords(point.failure), x(i), height - floor + 18, words, extra);
      }
    });
  }

  return {
    root: panel.root,
    /** Fills the list of knobs. */
    knobs(names, chosen) {
      pool(choice, names, () => h('option'), (option, name) => {
        set(option, { value: name });
        setText(option, name);
      });
      while (choice.options.length > names.length) choice.lastChild.remove();
      choice.value = chosen;
    },
    /** @param {Object} document  of `sweep`; `now`: the value that the plan has */
    update(document, knob, now, moreIsBetter) {
      const { metric } = document.objective ?? { metric: context.metric() };
      const points = document.points.map((point) => ({
        value: String(point.set[knob]),
        objective: point.objective,
        memory: point.memory_bytes,
        mfu: point.mfu,
        why: point.why,
        failure: failureOf(point),
        metric,
        better: (other) => (moreIsBetter ? point.objective > other.objective
          : point.objective < other.objective),
      }));
      shown = { points, knob, now, metric };
      const best = bestOf(points);
      const failed = points.filter((point) => point.failure !== null).length;
      setText(panel.finding, best === null ? `No value of ${knob} runs.`
        : `Best at ${knob} = ${best.value}: ${objectiveText(metric, best.objective)}`
          + `${failed === 0 ? '; every value runs.' : `; ${failed} of ${points.length} values ${failed === 1 ? 'fails' : 'fail'}.`}`);
      figure.describe(panel.finding.textContent);
      table.update(points, (row) => (row.value === now ? 'now' : null));
      draw();
    },
    /** The sweep cannot be made. */
    refuse(message) {
      shown = null;
      setText(panel.finding, message);
      table.update([]);
    },
  };
}

function shortened(text, letters) {
  return text.length <= letters ? text : `${text.slice(0, Math.max(2, letters - 1))}…`;
}
