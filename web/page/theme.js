// Light or dark: as the system says until the reader chooses.

import { set, setText } from './dom.js';

const choices = ['auto', 'light', 'dark'];
const names = { auto: 'Theme: system', light: 'Theme: light', dark: 'Theme: dark' };

function remembered() {
  try {
    return localStorage.getItem('cubicbench-theme');
  } catch {
    return null; // storage is refused to pages of some file systems
  }
}

function remember(choice) {
  try {
    localStorage.setItem('cubicbench-theme', choice);
  } catch {
    // The choice then holds until the page is closed.
  }
}

/** The button that goes through the choices; `changed` is called after each. */
export function themeButton(button, changed) {
  let choice = choices.includes(remembered()) ? remembered() : 'auto';
  const show = () => {
    set(document.documentElement, { 'data-theme': choice === 'auto' ? null : choice });
    setText(button, names[choice]);
  };
  button.addEventListener('click', () => {
    choice = choices[(choices.indexOf(choice) + 1) % choices.length];
    remember(choice);
    show();
    changed();
  });
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed);
  show();
}
