// The reader with links, files and keys.

import { expect, expectEqual } from './expect.mjs';
import { settled, visit } from './plan_acts.mjs';

function problem(tab) {
  return tab.evaluate(`document.getElementById('problem').hidden ? '' : document.querySelector('#problem p').textContent`);
}

function step(tab) {
  return tab.evaluate(`document.querySelector('.headline dd').textContent`);
}

/** Moves a slider as a hand does: some values on the way, then the last. */
function drag(knob, values) {
  return `(async () => { const slider = document.getElementById('knob-${knob}');
    for (const value of ${JSON.stringify(values)}) { slider.value = value; slider.dispatchEvent(new Event('input', {bubbles: true})); await new Promise((done) => setTimeout(done, 400)); }
    slider.dispatchEvent(new Event('change', {bubbles: true})); })()`;
}

/** Back and forward lead through the steps that were taken, with the pictures of each. */
export async function history(tab) {
  await visit(tab, '#plan/llama3-405b');
  const first = await step(tab);
  await tab.evaluate(`(() => { const box = document.getElementById('knob-async_tensor_parallel'); box.click(); })()`);
  await settled(tab);
  const second = await step(tab);
  expect(first !== second, 'asynchronous tensor parallelism to change the step');
  await tab.evaluate(`document.querySelector('header [data-view=lessons]').click()`);
  await tab.until(`document.querySelector('.lesson-list li') !== null`, 'the list of lessons');
  await tab.evaluate('history.back()');
  await tab.until(`document.querySelector('.plan') !== null`, 'the plan, one step back');
  await settled(tab);
  expectEqual(await step(tab), second, 'the step, one step back');
  await tab.evaluate('history.back()');
  await settled(tab);
  expectEqual(await step(tab), first, 'the step, two steps back');
  expectEqual(await tab.evaluate(`document.getElementById('knob-async_tensor_parallel').checked`), false, 'the switch');
  await tab.evaluate('history.forward()');
  await settled(tab);
  expectEqual(await step(tab), second, 'the step, one step forward');
  expectEqual(await problem(tab), '', 'no problem');
  const before = await tab.evaluate('location.hash');
  await tab.evaluate(drag('virtual_stages', [3, 4, 5]));
  await settled(tab);
  await tab.evaluate('history.back()');
  await settled(tab);
  expectEqual(await tab.evaluate('location.hash'), before, 'the URL before the slider moved');
  expectEqual(await step(tab), second, 'the step before the slider moved');
}

/** Nonsense in a URL is said once, and the defaults are shown. */
export async function nonsense(tab) {
  for (const [hash, words] of [
    ['#nowhere', 'expected plan, race or lessons'],
    ['#plan/no-such-model', 'no-such-model'],
    ['#plan/llama3-405b?tensor_paralel=4', 'did you mean'],
    ['#plan/llama3-405b?tensor_parallel=<script>', 'expected a value'],
    ['#plan/llama3-405b?tensor_parallel=abc', 'tensor_parallel'],
    ['#lessons/99', 'expected an integer in [1, 12]'],
    ['#race/dense-small@0?trials=none', 'expected an integer'],
    ['#plan/%E0%A4%A', 'expected a name'],
    ['#race/no-such@0', 'no-such'],
  ]) {
    await visit(tab, hash);
    const said = await problem(tab);
    expect(said.includes(words), `${hash} to be answered with "${words}", not "${said}"`);
    const shown = await tab.evaluate('location.hash');
    if (hash.startsWith('#race/no')) {
      expectEqual(shown, '#race', `${hash}: the URL of the first race`);
      continue;
    }
    expectEqual(shown, '#plan/llama3-405b', `${hash}: the URL of the defaults`);
    expect((await step(tab)).startsWith('6.318'), `${hash}: the default plan`);
  }
  await tab.evaluate(`document.getElementById('close-problem').click()`);
  expectEqual(await problem(tab), '', 'the closed message');
}

/** JavaScript that drops a file on the page. */
function drop(name, text) {
  return `(() => {
    const files = new DataTransfer();
    files.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}, {type: 'application/json'}));
    for (const type of ['dragover', 'drop']) {
      window.dispatchEvent(new DragEvent(type, {dataTransfer: files, bubbles: true, cancelable: true}));
    }
  })()`;
}

/** A broken scenario file gets the program's own words; a good one is shown, and saved whole. */
export async function files(tab, scenarioText) {
  await visit(tab, '#plan/llama3-405b');
  await tab.evaluate(drop('broken.json', scenarioText.replace('"layers": 126', '"layers": -3')));
  await tab.until(`!document.getElementById('problem').hidden`, 'the message on the broken file');
  const said = await problem(tab);
  expect(said.includes('broken.json#/workload/layers'), `the place of the mistake, not "${said}"`);
  await tab.evaluate(drop('torn.json', scenarioText.slice(0, 200)));
  await settled(tab);
  expect((await problem(tab)).includes('torn.json'), 'a message on the torn file');
  await tab.evaluate(drop('my model.json', scenarioText.replace('"layers": 126', '"layers": 112')));
  await tab.until(`location.hash.includes('my-model.json')`, 'the good file to be shown');
  await settled(tab);
  expectEqual(await problem(tab), '', 'the good file');
  expect(!(await step(tab)).startsWith('6.318'), 'fewer layers to take another time');
}

/** What is saved can be read: the scenario simulates to the same step, the command is the plan's. */
export async function saves(tab) {
  await visit(tab, '#plan/llama3-405b?virtual_stages=7&cluster.device=h200-sxm-141gb');
  await tab.evaluate(`window.savedFiles = []; HTMLAnchorElement.prototype.click = function () { window.savedFiles.push([this.download, this.href]); };
    URL.createObjectURL = ((make) => (blob) => { window.savedBlobs = [...(window.savedBlobs ?? []), blob]; return make.call(URL, blob); })(URL.createObjectURL)`);
  await tab.evaluate(`[...document.querySelectorAll('.actions button')].find((one) => one.textContent === 'Scenario JSON').click()`);
  await tab.until('window.savedFiles.length === 1', 'the saved scenario');
  const same = await tab.evaluate(`(async () => {
    const text = await window.savedBlobs[0].text();
    const {engine} = window.explorer;
    engine.files.set('saved.json', text);
    const saved = await engine.document(['simulate', './saved.json']);
    engine.files.delete('saved.json');
    const shown = await engine.document(['simulate', 'llama3-405b', '--set', 'virtual_stages=7', '--set', 'cluster.device=h200-sxm-141gb']);
    return [saved.step_time_s, shown.step_time_s];
  })()`);
  expectEqual(same[0], same[1], 'the step of the saved scenario');
  await tab.evaluate(`document.querySelectorAll('.tools button').forEach((one) => { if (!one.closest('[hidden]')) one.click(); })`);
  const saved = await tab.evaluate(`Promise.all(window.savedBlobs.slice(1).map(async (blob) => [blob.type, await blob.text()]))`);
  for (const [type, text] of saved) {
    if (type === 'text/csv') expect(/^[^\n]*,[^\n]*\n/.test(text), `a CSV with columns, not ${text.slice(0, 80)}`);
    else expect(text.startsWith('<svg') && text.includes('<style>') && !text.includes('NaN'), `an SVG, not ${text.slice(0, 80)}`);
  }
  expect(saved.length >= 10, `figures and tables to be saved, found ${saved.length}`);
  const command = await tab.evaluate(`(async () => {
    let copied = '';
    navigator.clipboard.writeText = async (text) => { copied = text; };
    [...document.querySelectorAll('.actions button')].find((one) => one.textContent === 'Copy command').click();
    await new Promise((done) => setTimeout(done, 100));
    return copied;
  })()`);
  expectEqual(command, 'cubicbench simulate llama3-405b --set cluster.device=h200-sxm-141gb --set virtual_stages=7', 'the command');
}

/** Everything can be reached and turned by keys alone. */
export async function keyboard(tab) {
  await visit(tab, '#plan/llama3-405b');
  await tab.evaluate(`document.getElementById('knob-virtual_stages').focus()`);
  const before = await step(tab);
  await tab.press('ArrowRight', 'ArrowRight', 39);
  await settled(tab);
  expect(await step(tab) !== before, 'an arrow key to turn a slider');
  expect((await tab.evaluate('location.hash')).includes('virtual_stages=5'), 'the turned knob in the URL');
  await tab.evaluate(`document.querySelector('.knob .help').focus()`);
  await tab.press(' ', 'Space', 32);
  expectEqual(await tab.evaluate(`document.querySelector('.knob .help').getAttribute('aria-expanded')`), 'true', 'the explanation of a knob');
  await tab.evaluate(`document.querySelector('canvas.timeline').focus()`);
  await tab.press('+', 'Equal', 187);
  const reached = await tab.evaluate(`(() => {
    const all = [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex="0"]')]
      .filter((one) => one.offsetParent !== null && !one.disabled && one.tabIndex >= 0);
    return all.filter((one) => !(one.textContent.trim() || one.getAttribute('aria-label') || one.labels?.length)).map((one) => one.outerHTML.slice(0, 90));
  })()`);
  expectEqual(reached, [], 'controls without a name');
}
