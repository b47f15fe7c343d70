// Tables whose rows are made once and then changed, and the same rows as CSV.

import { h, pool, set, setText } from './dom.js';

/**
 * @typedef {Object} Column
 * @property {string} heading
 * @property {function(*): string} text
 * @property {boolean} [number]  to the right, in figures of equal width
 * @property {function(*): ?{color: string, look: string}} [swatch]
 * @property {function(*): number|string} [raw]  for CSV; the text if there is none
 */

function swatchClass(swatch) {
  return `swatch fill-${swatch.color} look-${swatch.look ?? 'plain'}`;
}

function cellOf(column, first) {
  const cell = h(first ? 'th' : 'td', first ? { scope: 'row' } : {});
  if (column.number) cell.className = 'number';
  if (column.swatch) cell.append(h('span', { class: 'swatch', 'aria-hidden': 'true' }));
  cell.append(h('span'));
  return cell;
}

function fillCell(cell, column, row) {
  if (column.swatch) {
    const swatch = column.swatch(row);
    const mark = cell.firstChild;
    set(mark, { class: swatch ? swatchClass(swatch) : 'swatch none' });
  }
  setText(cell.lastChild, column.text(row));
}

/**
 * @param {string} caption  read by screen readers
 * @param {Column[]} columns
 */
export function createTable(caption, columns) {
  const body = h('tbody');
  const head = h('tr');
  for (const column of columns) {
    head.append(h('th', {
      scope: 'col', class: column.number ? 'number' : null, text: column.heading,
    }));
  }
  const root = h('table', {},
    h('caption', { class: 'unseen', text: caption }), h('thead', {}, head), body);
  const make = () => {
    const line = h('tr');
    columns.forEach((column, i) => line.append(cellOf(column, i === 0)));
    return line;
  };
  const update = (rows, classOf = () => null) => {
    pool(body, rows, make, (line, row) => {
      set(line, { class: classOf(row) });
      columns.forEach((column, i) => fillCell(line.children[i], column, row));
    });
  };
  return { root, update };
}

function csvCell(value) {
  const text = String(value ?? '');
  return /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/** Rows as CSV, with raw numbers where a column has them. */
export function csvOf(columns, rows) {
  const lines = [columns.map((column) => csvCell(column.heading))];
  for (const row of rows) {
    lines.push(columns.map((column) => csvCell((column.raw ?? column.text)(row))));
  }
  return `${lines.map((line) => line.join(',')).join('\n')}\n`;
}
