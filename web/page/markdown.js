// The Markdown that lessons are written in, as elements: paragraphs, lists, tables, quotes and
// indented commands. Nothing is ever read as HTML.

import { h } from './dom.js';

const inlineParts = /(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*|\[[^\]]+\]\([^)]+\))/;

function inline(text) {
  return text.split(inlineParts).filter((part) => part !== '').map((part) => {
    if (part.startsWith('`')) return h('code', { text: part.slice(1, -1) });
    if (part.startsWith('**')) return h('strong', { text: part.slice(2, -2) });
    if (/^\*[^*\s]/.test(part)) return h('em', { text: part.slice(1, -1) });
    const link = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part);
    if (link) return link[1];
    return part.replace(/\\([\\`*_|[\]])/g, '$1');
  });
}

function cells(line) {
  return line.replace(/^\||\|$/g, '').split('|').map((cell) => cell.trim());
}

function table(lines) {
  const isNumber = cells(lines[1]).map((rule) => rule.endsWith(':'));
  const row = (line, tag) => h('tr', {}, ...cells(line).map((cell, i) => h(
    i === 0 && tag === 'td' ? 'th' : tag,
    { class: isNumber[i] ? 'number' : null, scope: tag === 'th' ? 'col' : i === 0 ? 'row' : null },
    ...inline(cell),
  )));
  return h('div', { class: 'wide', tabindex: '0', role: 'region', 'aria-label': 'Table' },
    h('table', {}, h('thead', {}, row(lines[0], 'th')),
      h('tbody', {}, ...lines.slice(2).map((line) => row(line, 'td')))));
}

function list(lines) {
  const isOrdered = /^\d+\. /.test(lines[0]);
  const items = [];
  for (const line of lines) {
    const item = /^(?:-|\d+\.) (.*)$/.exec(line);
    if (item) items.push(item[1]);
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  const start = isOrdered ? Number.parseInt(lines[0], 10) : null;
  return h(isOrdered ? 'ol' : 'ul', start > 1 ? { start } : {},
    ...items.map((item) => h('li', {}, ...inline(item))));
}

function block(lines) {
  if (lines[0].startsWith('    ')) {
    return h('pre', { tabindex: '0' }, h('code', { text: lines.map((line) => line.slice(4)).join('\n') }));
  }
  const heading = /^(#+) (.*)$/.exec(lines[0]);
  if (heading) return h('h4', {}, ...inline(heading[2]));
  if (lines[0].startsWith('|')) return table(lines);
  if (/^(-|\d+\.) /.test(lines[0])) return list(lines);
  if (lines[0].startsWith('> ')) {
    return h('blockquote', {}, ...inline(lines.map((line) => line.replace(/^> ?/, '')).join(' ')));
  }
  return h('p', {}, ...inline(lines.join(' ')));
}

/** Blocks of lines: parted by empty lines, which stay inside indented text. */
function blocksOf(text) {
  const blocks = [];
  let current = [];
  const lines = text.split('\n');
  const end = () => {
    while (current.length && current.at(-1).trim() === '') current.pop();
    if (current.length) blocks.push(current);
    current = [];
  };
  lines.forEach((line, i) => {
    const isCode = current.length > 0 && current[0].startsWith('    ');
    if (line.trim() === '') {
      const goesOn = isCode && lines.slice(i + 1).find((one) => one.trim() !== '')?.startsWith('    ');
      if (goesOn) current.push(line);
      else end();
    } else {
      if (isCode !== line.startsWith('    ') && current.length && (isCode || !/^(-|\d+\.) /.test(current[0]))) end();
      current.push(line);
    }
  });
  end();
  return blocks;
}

/** @returns {HTMLElement[]} */
export function markdown(text) {
  return blocksOf(text).map(block);
}
