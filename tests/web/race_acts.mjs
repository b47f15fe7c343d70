// The reader at the race, to its end.

import { expect, expectEqual, expectShown } from './expect.mjs';
import { visit } from './plan_acts.mjs';

/** Lets the race that is shown run to its end. */
export async function run(tab) {
  await tab.until('window.explorer.page.views.race.race !== null', 'the problem of the race', 120000);
  await tab.evaluate(`document.querySelector('.race-controls .primary').click()`);
  await tab.until('window.explorer.page.views.race.race?.isDone === true && !window.explorer.page.views.race.isPlaying',
    'the race to end', 300000);
}

/** Two problems to the end; what the table counts is what the engine told. */
export async function race(tab, problem, trials, seed) {
  await visit(tab, `#race/${problem}?trials=${trials}&seed=${seed}`);
  await run(tab);
  const told = await tab.evaluate(`(() => {
    const {race} = window.explorer.page.views.race;
    return {problem: race.problem, curves: race.curves, launched: race.launched, seconds: race.spent / 1000};
  })()`);
  const rows = await tab.evaluate(`[...document.querySelectorAll('#panel-race tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))`);
  expectEqual(rows.map((row) => row[0]), ['random', 'evolution', 'coordinate', 'CubicML'], 'searchers');
  const { optimum, baseline, random } = told.problem;
  expect(optimum !== null && random !== null, `a certified optimum and the exact random band of ${problem}`);
  told.curves.forEach((curve, i) => {
    expectEqual(curve.best.length, trials, `launches of ${curve.name}`);
    expectEqual(rows[i][1], String(trials), `shown launches of ${curve.name}`);
    expectShown(rows[i][2], curve.best.at(-1), `best of ${curve.name}`);
    expectShown(rows[i][3], (curve.best.at(-1) - baseline) / (optimum.value - baseline), `gap closed by ${curve.name}`);
    expectEqual(rows[i][4], String(curve.failures.length), `failures of ${curve.name}`);
    expectShown(rows[i][5], curve.hours, `GPU-hours of ${curve.name}`);
    const most = Math.max(...curve.best.filter((value) => value !== null));
    expect(most <= optimum.value * (1 + 1e-12), `${curve.name} not to pass the optimum`);
  });
  const marks = await tab.evaluate(`[...document.querySelectorAll('#panel-race .mark')].filter((one) => one.style.display !== 'none').length`);
  expectEqual(marks, told.curves.reduce((sum, curve) => sum + curve.failures.length, 0), 'marks of failures');
  return { launches: told.launched, rate: told.launched / told.seconds };
}

/** A race can be paused, and goes on where it stood. */
export async function pause(tab, problem) {
  await visit(tab, `#race/${problem}?trials=600&seed=3`);
  await tab.until('window.explorer.page.views.race.race !== null', 'the problem of the race', 120000);
  const button = `document.querySelector('.race-controls .primary')`;
  await tab.evaluate(`${button}.click()`);
  await tab.until('window.explorer.page.views.race.race.launched > 0', 'the first launches', 60000);
  await tab.evaluate(`${button}.click()`);
  await tab.evaluate('new Promise((done) => setTimeout(done, 600))');
  const launched = await tab.evaluate('window.explorer.page.views.race.race.launched');
  await tab.evaluate('new Promise((done) => setTimeout(done, 300))');
  expectEqual(await tab.evaluate('window.explorer.page.views.race.race.launched'), launched, 'launches of a paused race');
  expectEqual(await tab.evaluate(`${button}.textContent`), 'Go on', 'the button of a paused race');
}
