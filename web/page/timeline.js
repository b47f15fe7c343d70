// The step by rank and stream, to zoom into.

import { linearTicks } from './axis.js';
import { h, pool, set, setText } from './dom.js';
import { duration, percent, tickText } from './format.js';
import { lanesHeight, layOut, paint, shapesSvg } from './lanes.js';
import { addTable, button, createPanel } from './panel.js';
import { figureStyle, saveFile } from './save.js';
import { busyShare, kinds } from './trace.js';

export function timelinePanel(context) {
  const panel = createPanel({
    id: 'timeline',
    title: 'Timeline by rank and stream',
    lead: 'One step, played event by event. The tall lane of each rank shows its passes, numbered '
      + 'by micro-batch; below it are its kernels and each stream of communication. Gaps in the '
      + 'tall lane are the pipeline bubble or other waiting. Zoom with the buttons, with + and −, '
      + 'or with Ctrl and the wheel; move with the arrow keys or by dragging.',
  });
  const canvas = h('canvas', { class: 'timeline', tabindex: '0', role: 'img' });
  const tip = h('p', { class: 'tip', 'aria-hidden': 'true' });
  const frame = h('div', { class: 'frame' }, canvas);
  const legend = h('ul', { class: 'legend' });
  const every = h('input', { type: 'checkbox', id: 'every-stage', onchange: () => context.replay() });
  const controls = h('div', { class: 'row zoom', role: 'group', 'aria-label': 'Zoom' },
    button('+', 'Zoom in', () => zoom(0.5)), button('−', 'Zoom out', () => zoom(2)),
    button('←', 'Earlier', () => move(-0.4)), button('→', 'Later', () => move(0.4)),
    button('Whole step', 'Whole step', () => whole()),
    h('label', { class: 'check' }, every, 'first rank of every stage'));
  panel.body.append(controls, frame, tip, legend);

  let trace = null;
  let view = { from: 0, to: 1 };
  let laid = null;
  let place = { left: 0, width: 0 };

  const columns = [
    { heading: 'rank', text: (row) => row.rank },
    { heading: 'stream', text: (row) => row.stream },
    {
      heading: 'busy', number: true, text: (row) => percent(row.busy), raw: (row) => row.busy,
    },
  ];
  const table = addTable(panel, 'How long each stream is busy', columns,
    { name: () => `${context.name()}-timeline`, figure: null });
  panel.tools.prepend(button('SVG', 'save the timeline', () => save()));

  function color(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  }

  function draw() {
    const width = frame.clientWidth;
    if (trace === null || width === 0) return;
    const colors = new Map();
    const colorOf = (name) => {
      if (!colors.has(name)) colors.set(name, color(name));
      return colors.get(name);
    };
    const height = lanesHeight(trace.ranks);
    const ratio = window.devicePixelRatio || 1;
    const left = width < 560 ? 96 : 150;
    place = { left, width: width - left - 8 };
    if (canvas.width !== width * ratio || canvas.height !== height * ratio) {
      canvas.width = width * ratio;
      canvas.height = height * ratio;
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    const drawing = canvas.getContext('2d');
    drawing.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawing.clearRect(0, 0, width, height);
    laid = layOut(trace.ranks, { ...view, ...place });
    paint(drawing, laid, place, colorOf);
    drawTicks(drawing, height, colorOf);
  }

  function ticks() {
    return linearTicks(view.from, view.to, Math.max(2, Math.floor(place.width / 110)));
  }

  function xOf(seconds) {
    return place.left + place.width * (seconds - view.from) / (view.to - view.from);
  }

  function drawTicks(drawing, height, colorOf) {
    drawing.font = '11px system-ui, sans-serif';
    drawing.textAlign = 'center';
    for (const tick of ticks()) {
      const x = Math.round(xOf(tick)) + 0.5;
      drawing.fillStyle = colorOf('edge');
      drawing.fillRect(x, height - 24, 1, 6);
      drawing.fillStyle = colorOf('soft');
      drawing.fillText(tick === 0 ? '0' : tickText(duration(tick)), Math.min(x, place.left + place.width - 22),
        height - 6);
    }
  }

  let asked = false;
  function later() {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      draw();
    });
  }

  function show(from, to) {
    const span = Math.min(to - from, trace.length);
    const start = Math.max(0, Math.min(from, trace.length - span));
    view = { from: start, to: start + span };
    later();
  }

  function zoom(factor, around = 0.5) {
    if (trace === null) return;
    const span = Math.max((view.to - view.from) * factor, trace.length * 1e-5);
    const middle = view.from + (view.to - view.from) * around;
    show(middle - span * around, middle + span * (1 - around));
  }

  function move(share) {
    if (trace === null) return;
    const by = (view.to - view.from) * share;
    show(view.from + by, view.to + by);
  }

  function whole() {
    if (trace !== null) show(0, trace.length);
  }

  canvas.addEventListener('keydown', (event) => {
    const acts = {
      '+': () => zoom(0.5), '=': () => zoom(0.5), '-': () => zoom(2), 0: whole, Home: whole,
      ArrowLeft: () => move(-0.2), ArrowRight: () => move(0.2),
    };
    if (acts[event.key] === undefined || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    acts[event.key]();
  });
  canvas.addEventListener('wheel', (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? 0.8 : 1.25, (event.offsetX - place.left) / place.width);
  }, { passive: false });

  let drag = null;
  canvas.addEventListener('pointerdown', (event) => {
    drag = { x: event.clientX, from: view.from };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointerup', () => { drag = null; });
  canvas.addEventListener('pointercancel', () => { drag = null; });
  canvas.addEventListener('pointermove', (event) => {
    if (drag !== null) {
      const span = view.to - view.from;
      const from = drag.from - (event.clientX - drag.x) * span / place.width;
      show(from, from + span);
    } else {
      explain(event.offsetX, event.offsetY);
    }
  });
  canvas.addEventListener('pointerleave', () => setText(tip, ''));

  function explain(x, y) {
    const inside = (shape) => x >= shape.x && x <= shape.x + Math.max(shape.width, 2)
      && y >= shape.y && y <= shape.y + shape.height;
    const found = laid?.shapes.find(inside);
    if (found === undefined) {
      setText(tip, '');
      return;
    }
    const { box } = found;
    const of = laid.lanes.find((lane) => y >= lane.y && y <= lane.y + lane.height);
    setText(tip, `${of.rank.name}, ${of.lane.name}: ${box.name}, ${duration(box.to - box.from)} `
      + `from ${duration(box.from)} on`);
  }

  function save() {
    if (laid === null) return;
    const height = lanesHeight(trace.ranks);
    const width = place.left + place.width + 8;
    const axis = ticks().map((tick) => `<text class="tick" text-anchor="middle" x="${xOf(tick).toFixed(1)}" `
      + `y="${height - 6}">${tick === 0 ? '0' : tickText(duration(tick))}</text>`).join('');
    saveFile(`${context.name()}-timeline.svg`, `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" `
      + `height="${height}"><title>Timeline of a step</title><style>${figureStyle()}</style>`
      + `${shapesSvg(laid, place)}${axis}</svg>`, 'image/svg+xml');
  }

  new ResizeObserver(later).observe(frame);

  return {
    root: panel.root,
    everyStage: () => every.checked,
    draw: later,
    /** @param {?Object} read  what readTrace() returns; null: `why` it cannot be played */
    update(read, why = '') {
      trace = read;
      frame.hidden = read === null;
      controls.hidden = read === null;
      legend.hidden = read === null;
      if (read === null) {
        laid = null;
        setText(panel.finding, why);
        table.update([]);
        return;
      }
      const rows = read.ranks.flatMap((rank) => rank.lanes.map((lane) => ({
        rank: rank.name, stream: lane.name, busy: busyShare(lane, 0, read.length),
      })));
      const passes = rows.filter((row) => row.stream === 'passes' || row.stream === 'compute');
      const idle = [...passes].sort((a, b) => a.busy - b.busy)[0];
      setText(panel.finding, `One step of ${duration(read.length)}, ${read.ranks.length} ranks`
        + `${idle ? `; ${idle.rank} computes for ${percent(idle.busy)} of it.` : '.'}`);
      set(canvas, { 'aria-label': `${panel.finding.textContent} The table below has every stream.` });
      pool(legend, read.used, () => h('li', {}, h('span', { class: 'swatch' }), h('span')),
        (item, kind) => {
          set(item.firstChild, { class: `swatch fill-${kinds[kind].color}` });
          setText(item.lastChild, kinds[kind].name);
        });
      table.update(rows);
      show(0, read.length);
    },
  };
}
