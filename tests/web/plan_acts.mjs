// The reader at a plan: every panel, against the engine's own answers.

import { expect, expectEqual, expectShown, quantile } from './expect.mjs';

const scenarios = ['llama3-405b', 'gpt3-175b', 'mixtral-8x7b', 'ads-73b', 'dlrm-dcnv2', 'dense-small@0'];

/** JavaScript that asks the engine of the page. */
function ask(words) {
  return `window.explorer.engine.document(${JSON.stringify(words)})`;
}

/** The rows of a table of a panel, as texts. */
function rowsOf(panel, table = 0) {
  return `[...document.querySelectorAll('#panel-${panel} table')[${table}].tBodies[0].rows]`
    + '.filter((row) => row.style.display !== "none")'
    + '.map((row) => [...row.cells].map((cell) => cell.textContent))';
}

function finding(panel) {
  return `document.querySelector('#panel-${panel} .finding').textContent`;
}

/** Goes to a link and waits until its plan is drawn and nothing is asked any more. */
export async function visit(tab, hash, milliseconds = 60000) {
  await tab.evaluate(`history.pushState(null, '', ${JSON.stringify(hash)}); `
    + 'window.explorer.page.read()');
  await settled(tab, milliseconds);
}

export async function settled(tab, milliseconds = 60000) {
  await tab.evaluate('new Promise((done) => setTimeout(done, 400))');
  await tab.until('window.explorer.engine.underWay === null && window.explorer.engine.waiting.size === 0',
    'the engine to rest', milliseconds);
  await tab.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))');
}

async function checkHeadline(tab, document, about) {
  const shown = await tab.evaluate(`[...document.querySelectorAll('.headline dd')].map((one) => one.textContent)`);
  if (document.step_time_s === null) {
    expectEqual(shown[0], '–', `${about}: the step of a plan that does not run`);
    const banner = await tab.evaluate(`document.querySelector('.banner').textContent`);
    expect(banner.includes(document.why), `${about}: the banner to say "${document.why}", not "${banner}"`);
  } else {
    expectShown(shown[0], document.step_time_s, `${about}: step`);
    expectShown(shown[1], document.tokens_per_s ?? document.samples_per_s, `${about}: throughput`);
    expectShown(shown[2], document.mfu, `${about}: MFU`);
  }
  if (document.memory?.parts.length > 0) {
    expectShown(shown[3], document.memory.demand_bytes / 2 ** 30, `${about}: memory`);
    expectShown(shown[4], document.memory.oom_probability, `${about}: probability`);
  }
}

async function checkBreakdown(tab, document, about) {
  const rows = await tab.evaluate(rowsOf('step'));
  const parts = document.breakdown.filter((part) => part.seconds > 1e-7);
  expectEqual(rows.length, parts.length, `${about}: parts of the step`);
  parts.forEach((part, i) => expectShown(rows[i][1], part.seconds, `${about}: ${part.name}`));
}

async function checkMemory(tab, document, about) {
  const rows = await tab.evaluate(rowsOf('memory'));
  const parts = document.memory.parts.filter((part) => part.bytes > 0);
  expectEqual(rows.length, parts.length + 3, `${about}: parts of memory`);
  parts.forEach((part, i) => expectShown(rows[i][1], part.bytes / 2 ** 30, `${about}: ${part.name}`));
  expectShown(rows.at(-1)[1], document.memory.capacity_bytes / 2 ** 30, `${about}: capacity`);
}

async function checkSweep(tab, scenario, about) {
  const knob = await tab.evaluate(`document.getElementById('sweep-knob').value`);
  const rows = await tab.evaluate(rowsOf('sweep'));
  const values = rows.map((row) => row[0]).join(',');
  const document = await tab.evaluate(ask(['sweep', scenario, '--set', `${knob}=${values}`]));
  expectEqual(rows.length, document.points.length, `${about}: points of ${knob}`);
  document.points.forEach((point, i) => {
    if (point.objective === null) expect(rows[i][4] !== '', `${about}: a reason at ${rows[i][0]}`);
    else expectShown(rows[i][1], point.objective, `${about}: ${knob} = ${rows[i][0]}`);
  });
  const marks = await tab.evaluate(`[...document.querySelectorAll('#panel-sweep .mark')].filter((one) => one.style.display !== 'none').length`);
  expectEqual(marks, document.points.length, `${about}: marks`);
}

async function checkRoofline(tab, explained, about) {
  const rows = await tab.evaluate(rowsOf('roofline'));
  expectEqual(rows.length, explained.roofline.length, `${about}: kernels`);
  explained.roofline.forEach((point, i) => expectShown(rows[i][2], point.seconds, `${about}: ${point.name}`));
}

async function checkTimeline(tab, document, about) {
  const text = await tab.evaluate(finding('timeline'));
  if (document.step_time_s === null) return;
  expect(/^One step of/.test(text), `${about}: a timeline, not "${text}"`);
  const painted = await tab.evaluate(`(() => {
    const canvas = document.querySelector('canvas.timeline');
    const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const seen = new Set();
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 0) seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
    return seen.size;
  })()`);
  expect(painted > 5, `${about}: colours in the timeline, found ${painted}`);
}

/** Each panel of each scenario shows what the engine says. */
export async function panels(tab) {
  for (const scenario of scenarios) {
    await visit(tab, `#plan/${scenario}`);
    const document = await tab.evaluate(ask(['simulate', scenario]));
    const explained = await tab.evaluate(ask(['explain', scenario]));
    await checkHeadline(tab, document, scenario);
    await checkBreakdown(tab, document, scenario);
    await checkMemory(tab, document, scenario);
    await checkSweep(tab, scenario, scenario);
    await checkRoofline(tab, explained, scenario);
    await checkTimeline(tab, document, scenario);
    const changes = await tab.evaluate(rowsOf('advice'));
    expectEqual(changes.length, explained.changes.length, `${scenario}: changes`);
  }
}

/** Plans that do not run say why. */
export async function failures(tab) {
  for (const [hash, words] of [
    ['#plan/llama3-405b?context_parallel=1&micro_batch=2', ['--set', 'micro_batch=2']],
    ['#plan/llama3-8b?sharding=no_shard', ['--set', 'sharding=no_shard']],
  ]) {
    await visit(tab, hash);
    const scenario = hash.split('/')[1].split('?')[0];
    const document = await tab.evaluate(ask(['simulate', scenario, ...words]));
    expect(document.step_time_s === null, `${hash}: no step`);
    await checkHeadline(tab, document, hash);
  }
}

/** Two plans: what is shown is what `explain --against` says, and swapping turns the sign. */
export async function twoPlans(tab) {
  await visit(tab, '#plan/llama3-405b?vs=virtual_stages:7,async_tensor_parallel:true');
  const document = await tab.evaluate(ask(['explain', 'llama3-405b', '--against',
    'virtual_stages=7,async_tensor_parallel=true']));
  const rows = await tab.evaluate(rowsOf('compare'));
  const last = rows.at(-1);
  expectShown(last[1], document.step_time_s, 'this plan');
  expectShown(last[2], document.against.step_time_s, 'kept plan');
  expectShown(last[3], document.against.step_time_s - document.step_time_s, 'difference');
  await tab.evaluate(`[...document.querySelectorAll('#panel-compare button')].find((one) => one.textContent === 'Swap').click()`);
  await settled(tab);
  const swapped = (await tab.evaluate(rowsOf('compare'))).at(-1);
  expectEqual(swapped[1], last[2], 'this plan, swapped');
  expectEqual(swapped[2], last[1], 'kept plan, swapped');
}

/** Advice, applied, comes to what it promised. */
export async function advice(tab) {
  await visit(tab, '#plan/llama3-405b');
  const { advice: list } = await tab.evaluate(ask(['explain', 'llama3-405b']));
  await tab.evaluate(`document.querySelector('.advice button').click()`);
  await settled(tab);
  const shown = await tab.evaluate(`document.querySelector('.headline dd').textContent`);
  expectShown(shown, list[0].step_time_s, 'the step after the advice');
  const hash = await tab.evaluate('location.hash');
  const [[name, value]] = Object.entries(list[0].set);
  expect(hash.includes(`${name}=${value}`), `the change in the URL, not ${hash}`);
}

/** Measured runs beside the model, with the errors of `validate`. */
export async function measured(tab) {
  await visit(tab, '#plan/dlrm-dcnv2');
  const document = await tab.evaluate(ask(['validate', 'mlperf_dlrm_results']));
  const rows = await tab.evaluate(rowsOf('measured'));
  expect(rows.length > 0, 'measured runs of dlrm-dcnv2');
  for (const row of rows) {
    const known = document.rows.find((one) => one.id === row[0]);
    expectShown(row[2], known.step_time_s_measured, `${row[0]}, measured`);
    expectShown(row[4], known.rel_error, `${row[0]}, error`);
  }
}

/** Moves a slider as a hand does and returns how long each picture took, in milliseconds. */
export async function sliderLags(tab, knob, moves, milliseconds = 60000) {
  await tab.evaluate('window.explorer.page.views.plan.lags.length = 0');
  await tab.evaluate(`(async () => {
    const slider = document.getElementById('knob-${knob}');
    const steps = Number(slider.max);
    for (let i = 0; i < ${moves}; i += 1) {
      slider.value = String(i % (2 * steps) <= steps ? i % (2 * steps) : 2 * steps - i % (2 * steps));
      slider.dispatchEvent(new Event('input', {bubbles: true}));
      await new Promise((done) => setTimeout(done, 60));
    }
    slider.dispatchEvent(new Event('change', {bubbles: true}));
  })()`);
  await settled(tab, milliseconds);
  return tab.evaluate('[...window.explorer.page.views.plan.lags]');
}

/** The bar: 95 of 100 changes of a slider are drawn within `limit` milliseconds. */
export async function slider(tab, limit) {
  await visit(tab, '#plan/llama3-405b');
  await sliderLags(tab, 'virtual_stages', 10);
  const lags = await sliderLags(tab, 'virtual_stages', 100);
  expect(lags.length >= 60, `a picture for most of 100 moves, found ${lags.length}`);
  const p95 = quantile(lags, 0.95);
  expect(p95 <= limit, `a slider's change within ${limit} ms, found ${p95.toFixed(1)} ms`);
  return { median: quantile(lags, 0.5), p95, moves: lags.length };
}

async function weight(tab) {
  await tab.evaluate('window.gc(); new Promise((done) => setTimeout(done, 200))');
  return tab.evaluate(`({nodes: document.getElementsByTagName('*').length, heap: performance.memory.usedJSHeapSize})`);
}

/** Play of so many minutes, and of twelve rounds at least, adds neither nodes nor memory to a page
 * that has seen twelve rounds before. */
export async function growth(tab, minutes) {
  const busy = 600000;  // of a machine that does other things as well
  const round = async (i) => {
    await sliderLags(tab, 'virtual_stages', 12, busy);
    await sliderLags(tab, 'context_parallel', 4, busy);
    if (i % 4 === 0) await visit(tab, '#plan/gpt3-175b', busy);
    await visit(tab, '#plan/llama3-405b', busy);
  };
  const rounds = async (seconds) => {
    const end = Date.now() + 1000 * seconds;
    let played = 0;
    while (played < 12 || Date.now() < end) await round(played++);
    return played;
  };
  await rounds(0);
  const before = await weight(tab);
  const played = await rounds(60 * minutes);
  const after = await weight(tab);
  expect(after.nodes <= before.nodes + 10, `nodes not to grow: ${before.nodes} to ${after.nodes}`);
  expect(after.heap <= before.heap * 1.15 + 2e6, `the heap not to grow: ${before.heap} to ${after.heap}`);
  return { before, after, played };
}
