// Marks that tell what a launch came to by their shape, too.

import { s, set, setText } from './dom.js';

const shapes = {
  dot: 'M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z',
  triangle: 'M-5 -4L5 -4L0 5Z',
  cross: 'M-4 -4L4 4M-4 4L4 -4',
  diamond: 'M0 -5.5L5.5 0L0 5.5L-5.5 0Z',
  square: 'M-4 -4H4V4H-4Z',
  ring: 'M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z',
};

/** A mark, to be placed by placeMark(). */
export function makeMark() {
  return s('path', { class: 'mark' }, s('title'));
}

/** @param {{mark: string, color: string}} look */
export function placeMark(element, look, x, y, words, extra = '') {
  const open = look.mark === 'ring' || look.mark === 'cross';
  set(element, {
    d: shapes[look.mark],
    transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`,
    class: `mark ${open ? `line-${look.color} open` : `fill-${look.color}`} ${extra}`,
  });
  setText(element.firstChild, words);
}

/** A mark with its name, for a legend. */
export function legendMark(look, x, y, label) {
  const group = s('g');
  const mark = makeMark();
  placeMark(mark, look, x, y, label);
  group.append(mark, s('text', { x: x + 10, y: y + 4, class: 'tick', text: label }));
  return group;
}
