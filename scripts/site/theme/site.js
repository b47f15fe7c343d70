// Search in all pages, without a server: the index is a script, which is loaded when the field is used. Also keeps the menu open on wide screens.
'use strict';
const menu = document.querySelector('.menu');
const wide = matchMedia('(min-width: 1000px)');
const openIfWide = () => { menu.open = wide.matches; };
wide.addEventListener('change', openIfWide);
openIfWide();

const form = document.querySelector('form[role=search]');
const field = form.querySelector('input');
const found = document.querySelector('#found');
form.hidden = false;

let isLoading = false;
function load() {
  if (isLoading) return;
  isLoading = true;
  const script = document.createElement('script');
  script.src = `${field.dataset.root}/search_index.js`;
  script.onload = show;
  document.head.append(script);
}

/** How well a section answers: every word must be in it; words in headings count more than words in the text. */
function score([, page, heading, text], words) {
  let sum = 0;
  for (const word of words) {
    const inHead = heading.toLowerCase().includes(word) ? 12 : 0;
    const inPage = page.toLowerCase().includes(word) ? 6 : 0;
    const inText = Math.min(5, text.toLowerCase().split(word).length - 1);
    if (inHead + inPage + inText === 0) return 0;
    sum += inHead + inPage + inText;
  }
  return sum;
}

function excerpt(text, word) {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 50);
  return (at > 0 ? '… ' : '') + text.slice(at, at + 160);
}

function result([address, page, heading, text], words) {
  const link = document.createElement('a');
  link.href = `${field.dataset.root}/${address}`;
  link.textContent = page === heading ? page : `${page}: ${heading}`;
  const small = document.createElement('small');
  small.textContent = excerpt(text, words[0]);
  link.append(small);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter((word) => word.length > 1);
  found.hidden = words.length === 0;
  if (found.hidden || !window.searchIndex) return;
  const scored = window.searchIndex.map((one) => [score(one, words), one]).filter(([sum]) => sum > 0);
  scored.sort((a, b) => b[0] - a[0]);
  found.replaceChildren(...scored.slice(0, 12).map(([, one]) => result(one, words)));
  if (scored.length === 0) found.textContent = 'Nothing has all of these words.';
}

field.addEventListener('focus', load);
field.addEventListener('input', () => { load(); show(); });
form.addEventListener('submit', (event) => {
  event.preventDefault();
  found.querySelector('a')?.click();
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') found.hidden = true;
});
found.addEventListener('click', () => { found.hidden = true; });
