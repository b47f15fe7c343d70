// Lanes of a timeline as rectangles of a picture that is some pixels wide: what is too narrow to
// be seen is drawn once per pixel, so a picture has no more rectangles than it needs.

import { kinds } from './trace.js';

const tall = 20;
const low = 8;
const gap = 3;
const rankGap = 12;

/** How high a picture of these ranks is. */
export function lanesHeight(ranks) {
  return ranks.reduce((sum, rank) => sum + rankGap + rank.lanes.reduce(
    (all, lane) => all + (lane.tall ? tall : low) + gap, 0), 0) + 26;
}

/**
 * @typedef {{x: number, y: number, width: number, height: number, kind: number, mark: string,
 *   box: Object}} Shape
 *
 * @param {{from: number, to: number, left: number, width: number}} view  seconds, and pixels
 * @returns {{shapes: Shape[], names: {x: number, y: number, text: string, strong: boolean}[],
 *   lanes: {y: number, height: number, lane: Object, rank: Object}[]}}
 */
export function layOut(ranks, view) {
  const shapes = [];
  const names = [];
  const lanes = [];
  const scale = view.width / (view.to - view.from);
  let y = 4;
  for (const rank of ranks) {
    rank.lanes.forEach((lane, i) => {
      const height = lane.tall ? tall : low;
      const text = i === 0 ? rank.name : lane.name;
      names.push({ y: y + height / 2 + 4, text, strong: i === 0 });
      lanes.push({ y, height, lane, rank });
      addBoxes(shapes, lane, view, scale, y, height);
      y += height + gap;
    });
    y += rankGap;
  }
  return { shapes, names, lanes, bottom: y };
}

function addBoxes(shapes, lane, view, scale, y, height) {
  let lastColumn = -1;
  let lastKind = -1;
  for (const box of lane.boxes) {
    if (box.to < view.from) continue;
    if (box.from > view.to) break;
    const from = view.left + Math.max(0, (box.from - view.from) * scale);
    const to = view.left + Math.min(view.width, (box.to - view.from) * scale);
    let width = to - from;
    if (width < 1) {
      const column = Math.floor(from);
      if (column === lastColumn && box.kind === lastKind) continue;
      lastColumn = column;
      lastKind = box.kind;
      width = 1;
    }
    shapes.push({ x: from, y, width, height, kind: box.kind, mark: box.mark, box });
  }
}

const darkFills = new Set(['blue', 'slate', 'ink', 'forest', 'rust', 'plum', 'green']);

/** Draws shapes on a canvas; `color(name)` is the colour that the page has for it now. */
export function paint(drawing, laid, view, color) {
  drawing.fillStyle = color('tint');
  for (const lane of laid.lanes) drawing.fillRect(view.left, lane.y, view.width, lane.height);
  const edge = color('paper');
  drawing.font = '11px system-ui, sans-serif';
  drawing.textAlign = 'center';
  for (const shape of laid.shapes) {
    const fill = kinds[shape.kind].color;
    drawing.fillStyle = color(fill);
    const inset = shape.width > 3 ? 0.5 : 0;
    drawing.fillRect(shape.x + inset, shape.y, shape.width - inset, shape.height);
    if (shape.mark !== '' && shape.width > 7 * shape.mark.length + 4) {
      drawing.fillStyle = darkFills.has(fill) ? color('on-dark') : color('on-light');
      drawing.fillText(shape.mark, shape.x + shape.width / 2, shape.y + shape.height - 6);
    }
  }
  drawing.textAlign = 'right';
  for (const name of laid.names) {
    drawing.font = `${name.strong ? '600 12px' : '11px'} system-ui, sans-serif`;
    drawing.fillStyle = color(name.strong ? 'ink' : 'soft');
    drawing.fillText(name.text, view.left - 8, name.y, view.left - 10);
  }
  drawing.fillStyle = edge;
}

/** The same picture as the text of an SVG's inside. */
export function shapesSvg(laid, view) {
  const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
  const lanes = laid.lanes.map((lane) => `<rect class="lane" x="${view.left}" y="${lane.y}" `
    + `width="${view.width}" height="${lane.height}"/>`);
  const boxes = laid.shapes.map((shape) => `<rect class="fill-${kinds[shape.kind].color}" `
    + `x="${shape.x.toFixed(2)}" y="${shape.y}" width="${shape.width.toFixed(2)}" `
    + `height="${shape.height}"/>`);
  const names = laid.names.map((name) => `<text class="${name.strong ? 'label' : 'tick'}" `
    + `text-anchor="end" x="${view.left - 8}" y="${name.y}">${escaped(name.text)}</text>`);
  return [...lanes, ...boxes, ...names].join('\n');
}
