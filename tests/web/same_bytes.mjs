// Holds the engine of the page, in Chromium, against the program at a terminal: 1,000 random configurations of eight scenarios,
// whose documents, messages and exit codes have to be equal byte for byte; then how many launches a second a race makes.
//
//   node tests/web/same_bytes.mjs PAGE PROGRAM [COUNT]      PAGE: index.html as scripts/web.sh builds it

import { execFileSync, spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';

import { Tab } from './chromium.mjs';

const scenarios = [
  'tiny-llama', 'llama3-8b', 'llama3-405b', 'gpt3-175b', 'mixtral-8x7b', 'deepseek-v3', 'dlrm-dcnv2', 'ads-73b',
];
const [page, program, count = '1000'] = process.argv.slice(2);
if (program === undefined) {
  console.error('usage: node tests/web/same_bytes.mjs PAGE PROGRAM [COUNT]');
  process.exit(2);
}

/** Numbers in [0, 1) that are the same in every run. */
function uniform(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function knobsOf(scenario) {
  const text = execFileSync(program, ['list', 'parameters', scenario, '--json'], { encoding: 'utf8' });
  return JSON.parse(text).parameters;
}

/** Some knobs of the baseline turned, of every second configuration two at most, so that many run. */
function drawnWords(scenario, knobs, draw) {
  const most = draw() < 0.5 ? 2 : knobs.length;
  const turned = 1 + Math.floor(draw() * Math.min(most, knobs.length));
  const words = ['simulate', scenario];
  const left = [...knobs];
  for (let i = 0; i < turned; i += 1) {
    const [knob] = left.splice(Math.floor(draw() * left.length), 1);
    words.push('--set', `${knob.name}=${knob.values[Math.floor(draw() * knob.values.length)]}`);
  }
  return [...words, '--json'];
}

function native(words) {
  const { status, stdout, stderr } = spawnSync(program, [...words, '--quiet'], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  return { code: status, out: stdout, err: stderr };
}

/** Makes a worker from the engine that the page carries, as the page does. */
const startEngine = `(async () => {
  const bytes = Uint8Array.from(atob(document.getElementById('engine').textContent.trim()), (one) => one.charCodeAt(0));
  const code = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
  const answer = 'self.ready = createEngine(); self.onmessage = async ({data}) => self.postMessage((await self.ready).answer(data));';
  const worker = new Worker(URL.createObjectURL(new Blob([code, answer], {type: 'text/javascript'})));
  globalThis.askEngine = (request) => new Promise((resolve, reject) => {
    worker.onmessage = ({data}) => resolve(data);
    worker.onerror = ({message}) => reject(new Error(message));
    worker.postMessage(request);
  });
})()`;

async function asked(tab, request) {
  return JSON.parse(await tab.evaluate(`askEngine(${JSON.stringify(JSON.stringify(request))})`));
}

function difference(words, here, there) {
  for (const part of ['code', 'out', 'err']) {
    if (here[part] === there[part]) continue;
    let at = 0;
    while (typeof here[part] === 'string' && here[part][at] === there[part][at]) at += 1;
    const shown = (text) => JSON.stringify(String(text).slice(Math.max(0, at - 60), at + 60));
    return `cubicbench ${words.join(' ')}\n  ${part}: the page has ${shown(here[part])}\n  the program ${shown(there[part])}`;
  }
  return null;
}

/** Differences and what the configurations came to. */
async function compared(tab) {
  const draw = uniform(1);
  const differences = [];
  const verdicts = {};
  const each = Math.ceil(Number(count) / scenarios.length);
  for (const scenario of scenarios) {
    const knobs = knobsOf(scenario);
    for (let i = 0; i < each; i += 1) {
      const words = drawnWords(scenario, knobs, draw);
      const there = native(words);
      const found = difference(words, await asked(tab, { ask: 'run', words }), there);
      if (found !== null) differences.push(found);
      const verdict = there.code === 0 ? JSON.parse(there.out).status : `exit code ${there.code}`;
      verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
    }
  }
  return { differences, verdicts };
}

/** Launches a second of searchers that race on a member of a family. */
async function pace(tab, searchers, launches) {
  const begun = await asked(tab, {
    ask: 'race_begin', scenario: 'dense-small@0', searchers, launches, seed: 1,
  });
  if (begun.error !== undefined) throw new Error(begun.error);
  const begin = performance.now();
  for (let isDone = false; !isDone;) isDone = (await asked(tab, { ask: 'race_step', launches: 5 })).is_done;
  return searchers.length * launches / ((performance.now() - begin) / 1000);
}

const tab = await Tab.open();
let isWrong = false;
try {
  await tab.go(pathToFileURL(resolve(page)).href);
  await tab.until("document.readyState === 'complete'", 'the page');
  await tab.evaluate(startEngine);
  const { differences, verdicts } = await compared(tab);
  console.log(`configurations: ${Object.entries(verdicts).map(([name, n]) => `${n} ${name}`).join(', ')}`);
  console.log(`differences between the page and the program: ${differences.length}`);
  for (const found of differences.slice(0, 5)) console.log(found);
  isWrong = differences.length > 0;
  const searchers = ['random', 'evolution', 'coordinate', 'cubicml'];
  for (const searcher of searchers) {
    console.log(`race: ${searcher} alone makes ${(await pace(tab, [searcher], 150)).toFixed(0)} launches a second`);
  }
  const race = await pace(tab, searchers, 150);
  console.log(`race: all of them make ${race.toFixed(0)} launches a second`);
  if (race < 100) isWrong = true;
} finally {
  await tab.close();
}
process.exit(isWrong ? 1 : 0);
