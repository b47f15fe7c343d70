// The frame of a panel: a heading, what it shows, and what can be taken along.

import { freshId, h, s, set, setText } from './dom.js';
import { saveFile, svgText } from './save.js';
import { createTable, csvOf } from './table.js';

/** A button that says what it does. */
export function button(text, label, action) {
  const isWord = /^\w\w/.test(text) && !label.startsWith(text);
  return h('button', {
    type: 'button', class: 'small', 'aria-label': isWord ? `${text}: ${label}` : label, text,
    onclick: action,
  });
}

/**
 * @param {{id: string, title: string, lead: string}} words  `lead`: how to read it, in a sentence
 * @returns a section with `body`, `tools` and `finding`, a sentence that says what is seen
 */
export function createPanel({ id, title, lead }) {
  const heading = freshId('heading');
  const body = h('div', { class: 'panel-body' });
  const tools = h('div', { class: 'tools' });
  const finding = h('p', { class: 'finding', 'aria-live': 'off' });
  const root = h('section', { class: 'panel', id: `panel-${id}`, 'aria-labelledby': heading },
    h('div', { class: 'panel-head' }, h('h2', { id: heading, text: title }), tools),
    finding, body, h('p', { class: 'note', text: lead }));
  return { root, body, tools, finding };
}

/** A figure that is as wide as its place; `draw(width)` is called when that changes. */
export function createFigure(label, draw) {
  const title = s('title', { text: label });
  const figure = s('svg', { role: 'img', class: 'figure' }, title);
  const frame = h('div', { class: 'frame' }, figure);
  let width = 0;
  new ResizeObserver(() => {
    const now = Math.floor(frame.clientWidth);
    if (now === width || now === 0) return;
    width = now;
    draw(width);
  }).observe(frame);
  return {
    frame,
    figure,
    title,
    get width() { return width; },
    resize(height) {
      set(figure, { width, height, viewBox: `0 0 ${width} ${height}` });
    },
    describe(text) {
      setText(title, text);
    },
  };
}

/**
 * The table behind a figure, folded, and the buttons that save both.
 * @param {{name: function(): string, figure: ?function(): SVGElement, csv: string}} what  `csv`:
 *   what its button says, where a panel has several
 */
export function addTable(panel, caption, columns, what, folded = true) {
  const table = createTable(caption, columns);
  let rows = [];
  const wide = h('div', { class: 'wide', tabindex: '0', role: 'region', 'aria-label': caption },
    table.root);
  panel.body.append(folded
    ? h('details', {}, h('summary', { text: 'The same as a table' }), wide) : wide);
  if (what.figure) {
    panel.tools.append(button('SVG', `save the figure ${caption}`, () => {
      saveFile(`${what.name()}.svg`, svgText(what.figure()), 'image/svg+xml');
    }));
  }
  panel.tools.append(button(what.csv ?? 'CSV', `save the table ${caption}`, () => {
    saveFile(`${what.name()}.csv`, csvOf(columns, rows), 'text/csv');
  }));
  return {
    update(next, classOf) {
      rows = next;
      table.update(rows, classOf);
    },
  };
}
