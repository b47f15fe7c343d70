// Elements, built once and changed in place: what does not change costs nothing.

const svgSpace = 'http://www.w3.org/2000/svg';

/**
 * Sets attributes, properties and listeners of an element.
 * `class`, `role`, `aria-*`, `data-*` and the like are attributes; `text` is its text; names that
 * begin with "on" are listeners.
 * @param {Element} element
 * @param {Object<string, *>} attributes
 */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'text') {
      setText(element, value);
    } else if (name.startsWith('on')) {
      element.addEventListener(name.slice(2), value);
    } else if (value === null || value === undefined || value === false) {
      if (element.hasAttribute(name)) element.removeAttribute(name);
    } else {
      const text = value === true ? '' : String(value);
      if (element.getAttribute(name) !== text) element.setAttribute(name, text);
    }
  }
  return element;
}

/** Changes the text of an element if it differs. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** An HTML element with attributes and children (elements, or texts). */
export function h(tag, attributes = {}, ...children) {
  const element = set(document.createElement(tag), attributes);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** An SVG element with attributes and children. */
export function s(tag, attributes = {}, ...children) {
  const element = set(document.createElementNS(svgSpace, tag), attributes);
  element.append(...children);
  return element;
}

/**
 * Keeps as many children as there are items: makes those that are missing with `make(index)`,
 * hides the rest, and calls `update(element, item, index)` on each that is shown. Nodes are
 * reused, so a page that plays for an hour holds no more of them than its largest picture.
 */
export function pool(parent, items, make, update) {
  const kept = parent.children;
  for (let i = 0; i < items.length; i += 1) {
    let element = kept[i];
    if (!element) {
      element = make(i);
      parent.append(element);
    }
    if (element.style.display === 'none') element.style.display = '';
    update(element, items[i], i);
  }
  for (let i = items.length; i < kept.length; i += 1) {
    if (kept[i].style.display !== 'none') kept[i].style.display = 'none';
  }
}

/** A label that only screen readers read. */
export function unseen(text) {
  return h('span', { class: 'unseen', text });
}

let count = 0;
/** An id that nothing else on the page has. */
export function freshId(stem) {
  count += 1;
  return `${stem}-${count}`;
}
