// A shorter reader of the explorer in headless Firefox, over WebDriver BiDi: the plan, a knob, the
// race to its end and a lesson, with nothing in the console.
//
//   node --experimental-websocket tests/web/firefox.mjs PAGE.html [PICTURE.png]

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, expectEqual, expectShown } from './expect.mjs';

const [page, picture] = process.argv.slice(2);
if (page === undefined) {
  console.error('usage: node --experimental-websocket tests/web/firefox.mjs PAGE.html [PICTURE.png]');
  process.exit(2);
}

const profile = mkdtempSync(join(tmpdir(), 'explorer-firefox-'));
const firefox = spawn(process.env.FIREFOX ?? 'firefox-esr', [
  '--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'about:blank',
], { stdio: ['ignore', 'ignore', 'pipe'] });

/** The address that Firefox prints once it listens. */
function address() {
  return new Promise((found, missed) => {
    let text = '';
    firefox.stderr.on('data', (data) => {
      text += data;
      const line = /WebDriver BiDi listening on (ws:\S+)/.exec(text);
      if (line) found(line[1]);
    });
    setTimeout(() => missed(new Error(`Firefox does not listen:\n${text}`)), 60000).unref();
  });
}

const socket = new WebSocket(`${await address()}/session`);
const waiting = new Map();
const problems = [];
let count = 0;
socket.onmessage = ({ data }) => {
  const message = JSON.parse(data);
  if (message.method === 'log.entryAdded' && message.params.level === 'error') problems.push(message.params.text);
  const job = waiting.get(message.id);
  waiting.delete(message.id);
  if (message.type === 'error') job?.reject(new Error(`${message.error}: ${message.message}`));
  else job?.resolve(message.result);
};
await new Promise((done) => { socket.onopen = done; });

function send(method, params) {
  count += 1;
  socket.send(JSON.stringify({ id: count, method, params }));
  return new Promise((done, failed) => { waiting.set(count, { resolve: done, reject: failed }); });
}

await send('session.new', { capabilities: {} });
await send('session.subscribe', { events: ['log.entryAdded'] });
const { contexts: [{ context }] } = await send('browsingContext.getTree', {});

async function evaluate(expression) {
  const answer = await send('script.evaluate', {
    expression: `Promise.resolve(${expression}).then((value) => JSON.stringify(value ?? null))`,
    target: { context }, awaitPromise: true, userActivation: true,
  });
  if (answer.type === 'exception') throw new Error(answer.exceptionDetails.text);
  return JSON.parse(answer.result.value);
}

async function until(expression, about, milliseconds = 60000) {
  const end = Date.now() + milliseconds;
  while (!await evaluate(expression).catch(() => false)) {
    if (Date.now() > end) throw new Error(`waited ${milliseconds} ms for: ${about}`);
    await new Promise((done) => { setTimeout(done, 50); });
  }
}

const step = `document.querySelector('.headline dd')?.textContent ?? ''`;

async function play() {
  await send('browsingContext.setViewport', { context, viewport: { width: 1280, height: 900 } });
  await send('browsingContext.navigate', { context, url: pathToFileURL(resolve(page)).href, wait: 'complete' });
  await until(`${step} !== ''`, 'the first picture');
  const first = await evaluate('performance.now()');
  const { step_time_s: told } = await evaluate(`window.explorer.engine.document(['simulate', 'llama3-405b'])`);
  expectShown(await evaluate(step), told, 'the step');
  await evaluate(`document.getElementById('knob-async_tensor_parallel').click()`);
  await until(`!(${step}).startsWith('6.318')`, 'the turned knob');
  expect((await evaluate('location.hash')).includes('async_tensor_parallel=true'), 'the knob in the URL');
  await until(`/^One step of/.test(document.querySelector('#panel-timeline .finding').textContent)`, 'the timeline');
  if (picture) {
    const { data } = await send('browsingContext.captureScreenshot', { context });
    writeFileSync(picture, Buffer.from(data, 'base64'));
  }
  await evaluate(`void (location.hash = '#race/dense-small@0?trials=40')`);
  await until('window.explorer.page.views.race.race !== null', 'the race');
  await evaluate(`document.querySelector('.race-controls .primary').click()`);
  await until('window.explorer.page.views.race.race.isDone', 'the end of the race', 120000);
  await evaluate(`void (location.hash = '#lessons/1')`);
  await until(`document.querySelector('.choices') !== null`, 'the lesson');
  await evaluate(`void (document.querySelectorAll('.choices input')[2].click(), document.querySelector('.choices .primary').click())`);
  expectEqual(await evaluate(`document.querySelector('.verdict').textContent`), 'Right.', 'the verdict');
  expectEqual(problems, [], 'errors in the console');
  return first;
}

let code = 0;
try {
  console.log(`Firefox: plan, race and lesson; first picture after ${(await play()).toFixed(0)} ms`);
} catch (error) {
  console.log(`FAILED: ${error.message}`);
  code = 1;
}
const ended = new Promise((done) => { firefox.on('exit', done); });
firefox.kill();
await ended;
rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
process.exit(code);
