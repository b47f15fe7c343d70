// A scripted reader of the explorer in headless Chromium.
//
//   node tests/web/play.mjs PAGE.html [--pictures FOLDER] [--axe axe.min.js] [--only ACT,...] [--hour]
//
// It drives every panel, each lesson to its last answer, races to their end, links, files and
// keys, holds what is shown against the engine's answers, and ends with 1 where something is not
// as it must be. --axe is axe-core's file (npm install axe-core); without it that check is left
// out, and the last line says so.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Tab } from './chromium.mjs';
import { axe, fits } from './access_acts.mjs';
import { checked, expect, expectEqual } from './expect.mjs';
import { lessons } from './lesson_acts.mjs';
import { files, history, keyboard, nonsense, saves } from './link_acts.mjs';
import * as plan from './plan_acts.mjs';
import { pause, race, run } from './race_acts.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const words = process.argv.slice(2);
function option(name) {
  const at = words.indexOf(`--${name}`);
  return at < 0 ? null : words[at + 1];
}
if (words.length === 0 || words[0].startsWith('--')) {
  console.error('usage: node tests/web/play.mjs PAGE.html [--pictures FOLDER] [--axe FILE] [--only ACT,...] [--hour]');
  process.exit(2);
}
const page = pathToFileURL(resolve(words[0])).href;
const pictures = option('pictures');
const axeSource = option('axe') === null ? null : readFileSync(option('axe'), 'utf8');
const only = option('only')?.split(',') ?? null;
const limits = { firstPicture: 2000, slider: 50, raceRate: 100 };

async function picture(tab, name) {
  if (pictures === null) return;
  mkdirSync(pictures, { recursive: true });
  writeFileSync(join(pictures, `${name}.png`), await tab.picture(true));
}

/** Opens the page afresh; returns when its first picture was drawn, by the page's own clock. */
async function open(tab, hash = '') {
  await tab.go('about:blank');
  await tab.go(page + hash);
  await tab.until(`(document.querySelector('.headline dd')?.textContent ?? '') !== '' || document.querySelector('.lessons, .race') !== null`,
    'the first picture', 180000);
  return tab.evaluate('performance.now()');
}

async function firstPicture(tab) {
  const times = [];
  for (let i = 0; i < 3; i += 1) times.push(await open(tab));
  const best = Math.min(...times);
  expect(best < limits.firstPicture, `a first picture below ${limits.firstPicture} ms, found ${best}`);
  return `first picture after ${times.map((time) => time.toFixed(0)).join(', ')} ms`;
}

const sizes = [[400, 800], [1024, 800], [1920, 1080]];
const views = {
  plan: '#plan/llama3-405b?vs=virtual_stages:7', ads: '#plan/ads-73b',
  race: '#race/dense-small@0?trials=60', lessons: '#lessons/6',
};

async function looks(tab) {
  for (const [width, height] of sizes) {
    for (const isDark of [false, true]) {
      await tab.size(width, height, isDark);
      for (const [name, hash] of Object.entries(views)) {
        await plan.visit(tab, hash);
        if (name === 'race') await run(tab);
        const about = `${name} at ${width} px, ${isDark ? 'dark' : 'light'}`;
        await picture(tab, `${name}-${width}-${isDark ? 'dark' : 'light'}`);
        await fits(tab, about);
        if (axeSource !== null) await axe(tab, axeSource, about);
      }
    }
  }
  await tab.size(1280, 900);
}

const acts = {
  first: firstPicture,
  panels: plan.panels,
  failures: plan.failures,
  two: plan.twoPlans,
  advice: plan.advice,
  measured: plan.measured,
  slider: async (tab) => {
    const { median, p95, moves } = await plan.slider(tab, limits.slider);
    return `slider on llama3-405b: median ${median.toFixed(1)} ms, 95 % within ${p95.toFixed(1)} ms, ${moves} pictures`;
  },
  growth: async (tab) => {
    const { before, after, played } = await plan.growth(tab, words.includes('--hour') ? 60 : 0);
    return `${played} rounds of play: ${before.nodes} to ${after.nodes} nodes, ${(before.heap / 1e6).toFixed(1)} to ${(after.heap / 1e6).toFixed(1)} MB`;
  },
  history,
  nonsense,
  files: (tab) => files(tab, readFileSync(join(root, 'scenarios/library/llama3-405b.json'), 'utf8')),
  saves: async (tab) => {
    await saves(tab);
    await open(tab); // the act has put its own functions in the place of the browser's
  },
  keyboard,
  lessons,
  race: async (tab) => {
    const first = await race(tab, 'dense-small@0', 150, 1);
    await picture(tab, 'race-ended');
    expect(first.rate >= limits.raceRate, `${limits.raceRate} launches a second, found ${first.rate}`);
    const other = await race(tab, 'llama3-8b', 60, 2);
    await pause(tab, 'dense-small@0');
    return `race: ${first.rate.toFixed(0)} and ${other.rate.toFixed(0)} launches a second`;
  },
  looks,
};

const tab = await Tab.open();
let failed = 0;
try {
  await tab.size(1280, 900);
  await open(tab);
  for (const [name, act] of Object.entries(acts)) {
    if (only !== null && !only.includes(name)) continue;
    const began = Date.now();
    try {
      const said = await act(tab);
      expectEqual(tab.problems, [], 'errors in the console');
      console.log(`ok      ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)${typeof said === 'string' ? `: ${said}` : ''}`);
    } catch (error) {
      failed += 1;
      tab.problems.length = 0;
      console.log(`FAILED  ${name}: ${error.message}`);
      await open(tab).catch(() => {});
    }
  }
  const outside = tab.requests.filter((url) => !/^(file|blob|data|about):/.test(url));
  expectEqual(outside, [], 'requests after load');
} finally {
  await tab.close();
}
console.log(`${checked()} checks${axeSource === null ? ', without axe-core' : ''}, ${failed} acts failed`);
process.exit(failed === 0 ? 0 : 1);
