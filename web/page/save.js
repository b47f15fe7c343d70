// What the reader takes along: files, and texts on the clipboard.

/** Hands a text to the browser as a file. */
export function saveFile(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

const figureColors = [
  'ink', 'soft', 'paper', 'tint', 'edge', 'blue', 'sky', 'green', 'forest', 'amber', 'gold',
  'vermilion', 'rust', 'pink', 'plum', 'silver', 'slate', 'random',
];

/** The style sheet of figures, with the colours that the page has now. */
export function figureStyle() {
  const look = getComputedStyle(document.documentElement);
  const values = figureColors.map((name) => `--${name}:${look.getPropertyValue(`--${name}`)}`);
  return `svg{${values.join(';')};background:var(--paper);font-family:system-ui,sans-serif}\n`
    + document.getElementById('figure-style').textContent;
}

/** A figure as a file of its own. */
export function svgText(figure) {
  const copy = figure.cloneNode(true);
  for (const hidden of [...copy.querySelectorAll('[style*="display: none"]')]) hidden.remove();
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const style = document.createElementNS('http://www.w3.org/2000/svg', 'style');
  style.textContent = figureStyle();
  copy.prepend(style, document.getElementById('patterns').cloneNode(true));
  return new XMLSerializer().serializeToString(copy);
}

/** Puts a text on the clipboard; where the browser refuses, the older way. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.createElement('textarea');
    field.value = text;
    field.className = 'unseen';
    document.body.append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
  }
}
