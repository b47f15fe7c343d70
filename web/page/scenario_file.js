// Scenario files: the plan as one, and files that are dropped on the page.

import { h } from './dom.js';
import { packedText } from './packed.js';

/** The file of a scenario of the library; null for other names. */
export async function libraryText(name) {
  const files = JSON.parse(await packedText('library'));
  return files[name] ?? null;
}

function valueOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * The scenario with the plan as its baseline, and changed fields of the problem in their places.
 * @param {string} text  the scenario file
 * @param {Object} config  of `simulate`: the value of every active knob
 * @param {Object<string, string>} set  names with a dot are fields
 */
export function scenarioWith(text, config, set) {
  const scenario = JSON.parse(text);
  for (const [name, value] of Object.entries(set)) {
    const path = name.split('.');
    if (path.length < 2) continue;
    let place = scenario;
    for (const part of path.slice(0, -1)) place = place[part] ??= {};
    place[path.at(-1)] = valueOf(value);
  }
  const fixed = Object.keys(scenario.settings ?? {});
  const baseline = {};
  for (const [name, value] of Object.entries(config)) {
    if (fixed.includes(name)) scenario.settings[name] = value;
    else baseline[name] = value;
  }
  scenario.baseline = baseline;
  return `${JSON.stringify(scenario, null, 2)}\n`;
}

/** A name that the program takes for a file: one part, safe letters, ".json". */
function safeName(name) {
  const stem = name.replace(/\.json$/i, '').replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 60) || 'mine';
  return `${stem}.json`;
}

/**
 * Takes files that are dropped anywhere on the page, or chosen by the button.
 * @param {HTMLButtonElement} button
 * @param {function(string, string): void} take  name and text
 */
export function acceptFiles(button, take) {
  const input = h('input', { type: 'file', accept: '.json,application/json', class: 'unseen', tabindex: '-1', 'aria-hidden': 'true', 'aria-label': 'Scenario file' });
  button.after(input);
  button.addEventListener('click', () => input.click());
  const read = async (file) => {
    if (file) take(safeName(file.name), await file.text());
  };
  input.addEventListener('change', () => {
    read(input.files[0]);
    input.value = '';
  });
  const isFile = (event) => [...(event.dataTransfer?.types ?? [])].includes('Files');
  const mark = (on) => document.body.classList.toggle('dropping', on);
  window.addEventListener('dragover', (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    mark(true);
  });
  window.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) mark(false);
  });
  window.addEventListener('drop', (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    mark(false);
    read(event.dataTransfer.files[0]);
  });
}
