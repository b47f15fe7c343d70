// Searchers on one problem, drawn while they search.

import { h, set, setText } from './dom.js';
import { counted, grouped, objectiveText, percent, scaled } from './format.js';
import { addTable, createPanel } from './panel.js';
import { createRaceFigure } from './race_figure.js';
import { searchers } from './words.js';

const names = ['random', 'evolution', 'coordinate', 'cubicml'];
const usualLaunches = 150;
/** How long a step of the race may take, so that the page draws often: milliseconds. */
const stepTime = 40;

/** Problems whose optimum was certified by valuing every configuration. */
function readProblems() {
  return JSON.parse(document.getElementById('race-problems').textContent || '[]');
}

export class RaceView {
  constructor(engine, shelf, page) {
    Object.assign(this, { engine, shelf, page });
    this.problems = readProblems();
    this.run = 0;
    this.race = null;
    this.isPlaying = false;
    this.build();
  }

  build() {
    this.problem = h('select', { id: 'race-problem' },
      ...this.problems.map((name) => h('option', { value: name, text: name })));
    this.trials = h('input', { type: 'number', id: 'race-trials', min: 10, max: 2000, step: 1 });
    this.seed = h('input', { type: 'number', id: 'race-seed', min: 0, max: 2 ** 31, step: 1 });
    this.problem.addEventListener('change', () => this.changed({ problem: this.problem.value }));
    this.trials.addEventListener('change', () => this.changed({ trials: this.whole(this.trials) }));
    this.seed.addEventListener('change', () => this.changed({ seed: this.whole(this.seed) }));
    this.start = h('button', { type: 'button', class: 'primary', onclick: () => this.toggle() });
    this.again = h('button', { type: 'button', text: 'From the start', onclick: () => this.begin(true) });
    this.figure = createRaceFigure();
    const panel = createPanel({
      id: 'race',
      title: 'Search race',
      lead: 'Every searcher starts from the baseline and meets the same jobs, with noise and '
        + 'failures. A line is the noise-free value of the configuration that measured best so far. '
        + 'The grey bands hold half and nine tenths of all random searches, exactly, the dotted '
        + 'line is their mean; marks below the axis are launches that failed, by shape: a triangle '
        + 'ran out of memory, a cross cannot be laid out, a square takes too long, a diamond '
        + 'diverges, a ring is a failure of the hardware. Gap closed is the share of the distance '
        + 'from the baseline to the optimum. Failed launches cost GPU-hours, too.',
    });
    panel.body.append(this.figure.frame);
    this.finding = panel.finding;
    const field = (label, element) => h('div', { class: 'field' },
      h('label', { for: element.id, text: label }), element);
    this.summary = h('p', { class: 'note' });
    this.speed = h('p', { class: 'note' });
    this.table = addTable(panel, 'Searchers', this.columns(),
      { name: () => `race-${this.problem.value}`, figure: () => this.figure.figure }, false);
    this.root = h('div', { class: 'race' },
      h('div', { class: 'row race-controls' }, field('Problem', this.problem),
        field('Launches each', this.trials), field('Seed', this.seed), this.start, this.again),
      this.summary, panel.root, this.speed);
    this.showButton();
  }

  columns() {
    const value = (number) => objectiveText(this.race?.problem.objective.metric, number);
    return [
      {
        heading: 'searcher', text: (row) => searchers[row.name].label, raw: (row) => row.name,
        swatch: (row) => ({ color: searchers[row.name].color }),
      },
      { heading: 'launches', number: true, text: (row) => grouped(row.launches), raw: (row) => row.launches },
      { heading: 'best', number: true, text: (row) => value(row.best), raw: (row) => row.best ?? '' },
      {
        heading: 'gap closed', number: true,
        text: (row) => (row.closed === null ? '–' : percent(row.closed)), raw: (row) => row.closed ?? '',
      },
      { heading: 'failed', number: true, text: (row) => grouped(row.failed), raw: (row) => row.failed },
      {
        heading: 'GPU-hours', number: true, text: (row) => scaled(row.gpuHours),
        raw: (row) => row.gpuHours,
      },
      {
        heading: 'lost to failures', number: true, text: (row) => percent(row.lost),
        raw: (row) => row.lost,
      },
    ];
  }

  whole(field) {
    const value = Math.round(Number(field.value));
    const low = Number(field.min);
    const high = Number(field.max);
    return Number.isFinite(value) ? Math.min(high, Math.max(low, value)) : low;
  }

  changed(change) {
    this.page.go(change);
  }

  wanted() {
    const { problem, trials, seed } = this.page.state();
    return { problem: problem || this.problems[0], trials: trials || usualLaunches, seed };
  }

  async show() {
    const wanted = this.wanted();
    if (![...this.problem.options].some((option) => option.value === wanted.problem)) {
      this.problem.append(h('option', { value: wanted.problem, text: wanted.problem }));
    }
    this.problem.value = wanted.problem;
    this.trials.value = wanted.trials;
    this.seed.value = wanted.seed;
    const isSame = this.race !== null && ['problem', 'trials', 'seed']
      .every((name) => this.race.wanted[name] === wanted[name]);
    if (!isSame) await this.begin(false);
  }

  /** The page shows something else: the race waits. */
  leave() {
    this.isPlaying = false;
    this.showButton();
  }

  toggle() {
    if (this.race === null || this.race.isDone) {
      this.begin(true);
      return;
    }
    this.isPlaying = !this.isPlaying;
    this.showButton();
    if (this.isPlaying) this.play(this.run);
  }

  showButton() {
    const isDone = this.race?.isDone ?? false;
    let words = 'Start the race';
    if (this.isPlaying) words = 'Pause';
    else if (isDone) words = 'Race again';
    else if (this.race !== null && this.race.launched > 0) words = 'Go on';
    setText(this.start, words);
    this.again.hidden = this.race === null || this.race.launched === 0 || isDone;
  }

  async begin(plays) {
    this.run += 1;
    const { run } = this;
    const wanted = this.wanted();
    this.isPlaying = false;
    this.race = null;
    try {
      const problem = await this.engine.race({
        ask: 'race_begin', scenario: this.shelf.word(wanted.problem), searchers: names,
        launches: wanted.trials, seed: wanted.seed,
      });
      if (run !== this.run) return;
      this.race = {
        wanted, problem, launched: 0, isDone: false, spent: 0,
        curves: names.map((name) => ({ name, best: [], failures: [], lostHours: 0, hours: 0 })),
      };
      this.describeProblem(problem);
      this.draw();
      this.isPlaying = plays;
      this.showButton();
      if (plays) this.play(run);
    } catch (error) {
      this.showButton();
      if (wanted.problem !== this.problems[0]) {
        this.page.go({ problem: '', trials: 0, seed: 1 }, 'instead');
      }
      this.page.fail(error.message);
    }
  }

  describeProblem(problem) {
    const optimum = problem.optimum === null ? 'The optimum of its space is not known.'
      : `The optimum, ${objectiveText(problem.objective.metric, problem.optimum.value)}, is certified: every configuration was valued.`;
    setText(this.summary, `${grouped(problem.configurations)} configurations on `
      + `${counted(problem.gpus, 'GPU', 'GPUs')}. ${optimum}`);
  }

  async play(run) {
    let size = 1;
    try {
      while (this.isPlaying && run === this.run && !this.race.isDone) {
        const began = performance.now();
        const answer = await this.engine.race({ ask: 'race_step', launches: size });
        if (run !== this.run) return;
        const took = performance.now() - began;
        this.take(answer, took);
        if (took < stepTime / 2) size = Math.min(size * 2, 16);
        else if (took > stepTime * 2) size = Math.max(1, Math.floor(size / 2));
        await new Promise((resolve) => { requestAnimationFrame(resolve); });
        this.draw();
      }
    } catch (error) {
      this.page.fail(error.message);
    }
    if (run !== this.run) return;
    if (this.race.isDone) this.isPlaying = false;
    this.showButton();
  }

  take(answer, took) {
    const { race } = this;
    race.isDone = answer.is_done;
    race.spent += took;
    for (const one of answer.searchers) {
      const curve = race.curves.find((known) => known.name === one.name);
      for (const launch of one.recent) {
        curve.best.push(launch.best);
        race.launched += 1;
        const cost = launch.gpu_hours - curve.hours;
        curve.hours = launch.gpu_hours;
        if (launch.status !== 'complete') {
          curve.failures.push({ launch: launch.launch, reason: launch.status });
          curve.lostHours += cost;
        }
      }
    }
  }

  rows() {
    const { problem, curves } = this.race;
    const optimum = problem.optimum?.value ?? null;
    return curves.map((curve) => {
      const best = curve.best.at(-1) ?? null;
      const canTell = best !== null && optimum !== null && problem.baseline !== null;
      return {
        name: curve.name, launches: curve.best.length, best, failed: curve.failures.length,
        gpuHours: curve.hours, lost: curve.hours > 0 ? curve.lostHours / curve.hours : 0,
        closed: canTell ? (best - problem.baseline) / (optimum - problem.baseline) : null,
      };
    });
  }

  draw() {
    const { problem, curves, wanted, launched, isDone, spent } = this.race;
    const rows = this.rows();
    this.figure.update({ problem, curves, launches: wanted.trials });
    this.table.update(rows);
    const sign = problem.objective.more_is_better ? 1 : -1;
    const ahead = rows.filter((row) => row.best !== null)
      .sort((a, b) => sign * (b.best - a.best))[0];
    const closed = ahead?.closed === null || ahead === undefined ? ''
      : `, ${percent(ahead.closed)} of the way from the baseline to the optimum`;
    setText(this.finding, ahead === undefined ? 'No launches yet.'
      : `${searchers[ahead.name].label} ${isDone ? 'ends ahead' : 'is ahead'} after `
        + `${grouped(ahead.launches)} launches${closed}.`);
    this.figure.describe(this.finding.textContent);
    const rate = spent > 0 ? launched / (spent / 1000) : 0;
    setText(this.speed, launched === 0 ? ''
      : `${grouped(launched)} launches simulated, ${grouped(rate)} a second.`);
    set(this.speed, { 'data-rate': Math.round(rate) });
    if (isDone) this.page.say(this.finding.textContent);
  }
}
