// A bar of parts that follow on one another, with their names where there is room for them.

import { pool, s, set, setText } from './dom.js';
import { textWidth } from './axis.js';

const dark = new Set(['blue', 'forest', 'rust', 'plum', 'slate', 'ink', 'vermilion', 'green']);

function makePart() {
  return s('g', {}, s('title'), s('rect'), s('rect', { class: 'pattern' }), s('text'));
}

/**
 * @param {SVGElement} group
 * @param {{label: string, color: string, look: string, from: number, to: number, words: string}[]}
 *   parts  in pixels
 */
export function drawStack(group, parts, y, height) {
  pool(group, parts, makePart, (element, part) => {
    const [title, rect, pattern, text] = element.children;
    const width = Math.max(0, part.to - part.from);
    const place = { x: part.from.toFixed(2), y, width: width.toFixed(2), height };
    set(rect, { ...place, class: `fill-${part.color} part` });
    set(pattern, { ...place, class: `pattern look-${part.look}` });
    setText(title, part.words);
    const fits = textWidth(part.label, 12) + 12 < width && part.look === 'plain';
    set(text, {
      x: (part.from + width / 2).toFixed(1),
      y: y + height / 2 + 4,
      class: `inside ${dark.has(part.color) ? 'on-dark' : 'on-light'}`,
    });
    setText(text, fits ? part.label : '');
  });
}

/** The patterns that stand for communication and for waiting; once per page. */
export function patterns() {
  const lines = (id, path) => s('pattern', {
    id, width: 8, height: 8, patternUnits: 'userSpaceOnUse',
  }, s('path', { d: path, class: 'pattern-line' }));
  return s('defs', { id: 'patterns' },
    lines('stripes', 'M-2 2L2 -2M0 8L8 0M6 10L10 6'),
    lines('waits', 'M-2 6L2 10M0 0L8 8M6 -2L10 2M-2 2L2 -2M0 8L8 0M6 10L10 6'));
}
