// The curves of a race: the best configuration so far against launches, the optimum that none can
// exceed, and what random search comes to, exactly.

import { apart, linearScale, linearTicks, textWidth } from './axis.js';
import { pool, s, set, setText } from './dom.js';
import { grouped, metricWords, scaled, tickText } from './format.js';
import { makeMark, placeMark } from './marks.js';
import { createFigure } from './panel.js';
import { reasonWords, searchers } from './words.js';

const height = 430;
const left = 78;
const top = 26;
const rugPitch = 14;

/** @typedef {{name: string, best: number[], failures: {launch: number, reason: string}[]}} Curve */

function stepsPath(values, x, y) {
  let path = '';
  let last = null;
  values.forEach((value, i) => {
    if (value === null) return;
    if (last === null) path += `M${x(i + 1).toFixed(1)} ${y(value).toFixed(1)}`;
    else if (value !== last) path += `H${x(i + 1).toFixed(1)}V${y(value).toFixed(1)}`;
    last = value;
  });
  return last === null ? '' : `${path}H${x(values.length).toFixed(1)}`;
}

function bandPath(low, high, x, y) {
  const from = low.findIndex((value) => value !== null);
  if (from < 0) return '';
  const points = (values) => values.map((value, i) => [x(i + 1), y(value ?? values[from])])
    .slice(from).map(([a, b]) => `${a.toFixed(1)} ${b.toFixed(1)}`);
  return `M${points(high).join('L')}L${points(low).reverse().join('L')}Z`;
}

function linePath(values, x, y) {
  let path = '';
  values.forEach((value, i) => {
    if (value !== null) path += `${path === '' ? 'M' : 'L'}${x(i + 1).toFixed(1)} ${y(value).toFixed(1)}`;
  });
  return path;
}

export function createRaceFigure() {
  let shown = null;
  const figure = createFigure('Search race', () => draw());
  const parts = {
    grid: s('g'), gridX: s('g'), wide: s('path', { class: 'band' }),
    narrow: s('path', { class: 'band' }), mean: s('path', { class: 'line line-random dotted' }),
    levels: s('g'), curves: s('g'), rug: s('g'), labels: s('g'),
    unitX: s('text', { class: 'tick', 'text-anchor': 'end', text: 'launches' }),
    unitY: s('text', { class: 'tick', x: 4, y: 12 }),
  };
  figure.figure.append(...Object.values(parts));

  function rangeOf({ problem, curves }) {
    const values = curves.flatMap((curve) => curve.best).filter((value) => value !== null);
    for (const one of [problem.baseline, problem.optimum?.value]) {
      if (one !== null && one !== undefined) values.push(one);
    }
    if (problem.random) values.push(...problem.random.p25.filter((value) => value !== null).slice(-1));
    const low = Math.min(...values);
    const high = Math.max(...values);
    const room = (high - low || high || 1) * 0.06;
    return [low - room, high + room];
  }

  function draw() {
    if (figure.width === 0 || shown === null) return;
    const { problem, curves, launches } = shown;
    const rug = curves.length * rugPitch + 10;
    figure.resize(height + rug);
    const { width } = figure;
    const right = width < 560 ? 84 : 104;
    const floor = height - 44;
    const [low, high] = rangeOf(shown);
    const x = linearScale(0, launches, left, width - right);
    const y = (value) => Math.min(floor, linearScale(low, high, floor, top)(value));
    drawGrid(x, y, low, high, floor, width - right);
    set(parts.wide, { d: problem.random ? bandPath(problem.random.p05, problem.random.p95, x, y) : '' });
    set(parts.narrow, { d: problem.random ? bandPath(problem.random.p25, problem.random.p75, x, y) : '' });
    set(parts.mean, { d: problem.random ? linePath(problem.random.mean, x, y) : '' });
    pool(parts.curves, curves, () => s('path'), (path, curve) => {
      const look = searchers[curve.name];
      set(path, {
        class: `line line-${look.color}${curve.name === 'cubicml' ? ' bold' : ''}`,
        'stroke-dasharray': look.dash || null, d: stepsPath(curve.best, x, y),
      });
    });
    drawRug(curves, x, floor + 44);
    drawLevels(x, y, width - right);
    drawLabels(y, floor, width, right);
    set(parts.unitX, { x: width - right, y: floor + 32 });
    const words = metricWords(problem.objective.metric);
    setText(parts.unitY, `best ${words.name} so far, without noise, ${words.unit}`);
  }

  function drawGrid(x, y, low, high, floor, end) {
    const make = () => s('g', {}, s('line', { class: 'grid' }), s('text', { class: 'tick' }));
    pool(parts.grid, linearTicks(low, high, 5), make, (element, tick) => {
      const [line, text] = element.children;
      set(line, { x1: left, x2: end, y1: y(tick), y2: y(tick) });
      set(text, { x: left - 8, y: y(tick) + 4, 'text-anchor': 'end' });
      setText(text, tick === 0 ? '0' : tickText(scaled(tick)));
    });
    const wanted = Math.max(2, Math.floor((end - left) / 90));
    pool(parts.gridX, linearTicks(0, shown.launches, wanted), () => s('text', { class: 'tick', 'text-anchor': 'middle' }),
      (text, tick) => {
        set(text, { x: x(tick), y: floor + 16 });
        setText(text, grouped(tick));
      });
  }

  function levels() {
    const { problem } = shown;
    const all = [];
    if (problem.optimum) all.push({ label: 'optimum', value: problem.optimum.value });
    if (problem.baseline !== null) all.push({ label: 'baseline', value: problem.baseline });
    return all;
  }

  function drawLevels(x, y, end) {
    pool(parts.levels, levels(), () => s('line', { class: 'level' }), (line, level) => {
      set(line, { x1: left, x2: end, y1: y(level.value), y2: y(level.value) });
    });
  }

  function drawLabels(y, floor, width, right) {
    const ends = shown.curves.filter((curve) => curve.best.at(-1) !== null && curve.best.length > 0)
      .map((curve) => ({
        label: searchers[curve.name].label, color: searchers[curve.name].color,
        at: y(curve.best.at(-1)),
      }));
    for (const level of levels()) ends.push({ label: level.label, color: 'soft', at: y(level.value) });
    if (shown.problem.random) {
      ends.push({ label: 'random, exact', color: 'random', at: y(shown.problem.random.mean.at(-1)) });
    }
    const places = apart(ends.map((end) => end.at + 4), 15, top, floor);
    pool(parts.labels, ends, () => s('text', {}), (text, end, i) => {
      set(text, { x: width - right + 6, y: places[i], class: `label ink-${end.color}` });
      const fits = textWidth(end.label) < right - 6;
      setText(text, fits ? end.label : end.label.replace('random, ', ''));
    });
  }

  function drawRug(curves, x, from) {
    pool(parts.rug, curves, () => s('g', {}, s('text', { class: 'tick', 'text-anchor': 'end' }), s('g')),
      (group, curve, row) => {
        const [text, marks] = group.children;
        const y = from + row * rugPitch;
        set(text, { x: left - 8, y: y + 4 });
        setText(text, searchers[curve.name].label);
        pool(marks, curve.failures, makeMark, (mark, failure) => {
          placeMark(mark, reasonWords(failure.reason), x(failure.launch), y,
            `${searchers[curve.name].label}, launch ${failure.launch}: ${reasonWords(failure.reason).label}`, 'small');
        });
      });
  }

  return {
    frame: figure.frame,
    figure: figure.figure,
    describe: figure.describe,
    /** @param {{problem: Object, curves: Curve[], launches: number}} race */
    update(race) {
      shown = race;
      draw();
    },
  };
}
