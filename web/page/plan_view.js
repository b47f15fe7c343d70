// One plan of one scenario: its knobs at the left, what comes of them at the right.

import { advicePanel } from './advice.js';
import { breakdownPanel } from './breakdown.js';
import { againstWord, commandLine, setWords } from './command.js';
import { comparePanel } from './compare.js';
import { h, setText } from './dom.js';
import { createHeadline } from './headline.js';
import { fieldsForm, knobsForm } from './knobs.js';
import { measuredOf, measuredPanel } from './measured.js';
import { memoryPanel } from './memory.js';
import { changesOf, differenceOf, turned, valuesOf } from './plan.js';
import { rooflinePanel } from './roofline.js';
import { copyText, saveFile } from './save.js';
import { acceptFiles, libraryText, scenarioWith } from './scenario_file.js';
import { sweepPanel } from './sweep.js';
import { timelinePanel } from './timeline.js';
import { readTrace } from './trace.js';

/** How long knobs must rest before what takes longer is asked, in milliseconds. */
const rest = 90;
const longRest = 260;

export class PlanView {
  /**
   * @param {import('./engine.js').Engine} engine
   * @param {import('./shelf.js').Shelf} shelf
   * @param {{state: function(): Object, go: function(Object, string=): void,
   *   say: function(string): void, fail: function(string): void}} page
   */
  constructor(engine, shelf, page) {
    Object.assign(this, { engine, shelf, page });
    this.knobs = [];
    this.loaded = '';
    this.last = null;
    this.timers = new Map();
    this.lags = [];
    this.build();
  }

  build() {
    this.scenario = h('select', { id: 'scenario' });
    this.scenario.addEventListener('change', () => this.choose(this.scenario.value));
    this.summary = h('p', { class: 'note' });
    this.form = knobsForm((name, value, isDone) => this.turn(name, value, isDone));
    this.fields = fieldsForm((name, value) => this.turnField(name, value));
    this.headline = createHeadline();
    const context = this.context();
    this.panels = {
      step: breakdownPanel(context),
      memory: memoryPanel(context),
      sweep: sweepPanel(context),
      compare: comparePanel(context),
      advice: advicePanel(context),
      timeline: timelinePanel(context),
      roofline: rooflinePanel(context),
      measured: measuredPanel(context),
    };
    const contents = h('nav', { class: 'contents', 'aria-label': 'Panels' },
      h('ul', {}, ...Object.values(this.panels).map(({ root }) => h('li', {}, h('a', {
        href: `#${root.id}`, text: root.querySelector('h2').textContent,
        onclick: (event) => {
          event.preventDefault();
          root.scrollIntoView({ block: 'start' });
          root.querySelector('h2').focus?.();
        },
      })))));
    this.root = h('div', { class: 'plan' },
      h('form', { class: 'side', 'aria-label': 'Plan', onsubmit: (event) => event.preventDefault() },
        h('div', { class: 'field' }, h('label', { for: 'scenario', text: 'Model and cluster' }),
          this.scenario), this.summary, this.actions(), this.foldedControls()),
      h('div', { class: 'shown' }, this.headline.root, contents,
        h('div', { class: 'pair' }, this.panels.step.root, this.panels.memory.root),
        ...Object.values(this.panels).slice(2).map((panel) => panel.root)));
  }

  /** Knobs and fields; folded where the screen is narrow, so that what they do is in sight. */
  foldedControls() {
    const folded = h('details', { class: 'folded' }, h('summary', { text: 'Knobs of the plan' }),
      h('h2', { text: 'Knobs' }), this.form.root,
      h('h2', { text: 'The problem' }), this.fields.root);
    const wide = window.matchMedia('(min-width: 901px)');
    const follow = () => { folded.open = wide.matches; };
    wide.addEventListener('change', follow);
    follow();
    return folded;
  }

  actions() {
    const action = (text, act) => h('button', { type: 'button', text, onclick: act });
    const open = action('Open file', () => {});
    const row = h('div', { class: 'row actions' },
      action('Baseline', () => this.page.go({ set: {} })),
      action('Copy command', () => this.copyCommand()),
      action('Copy link', () => this.copyLink()),
      action('Scenario JSON', () => this.saveScenario()), open);
    acceptFiles(open, (name, text) => this.open(name, text));
    return row;
  }

  context() {
    return {
      name: () => this.page.state().scenario.replace(/\.json$/, ''),
      metric: () => this.last?.objective.metric ?? '',
      sweepOn: (knob) => this.page.go({ sweep: knob }),
      replay: () => this.askTimeline(),
      keep: () => this.page.go({ against: { ...this.page.state().set } }),
      dropKept: () => this.page.go({ against: null }),
      swap: () => {
        const { set: now, against } = this.page.state();
        this.page.go({ set: against, against: now });
      },
      apply: (sets) => {
        let next = this.page.state().set;
        for (const [name, value] of Object.entries(sets)) {
          next = turned(this.knobs, next, name, value);
        }
        this.page.go({ set: next });
      },
    };
  }

  choose(name) {
    this.page.go({ scenario: name, set: {}, against: null, sweep: '' });
  }

  turn(name, value, isDone) {
    this.touched ??= performance.now();
    this.page.go({ set: turned(this.knobs, this.page.state().set, name, value) },
      isDone ? 'step' : 'passing');
  }

  turnField(name, value) {
    const next = { ...this.page.state().set };
    if (value === '') delete next[name];
    else next[name] = value;
    this.page.go({ set: next });
  }

  /** Shows the state of the page; throws the program's Refusal where it cannot be. */
  async show() {
    const { scenario } = this.page.state();
    if (this.loaded !== scenario) {
      const knobs = await this.shelf.knobs(scenario);
      if (this.page.state().scenario !== scenario) return;
      this.knobs = knobs;
      this.loaded = scenario;
      this.form.load(knobs);
      this.shelf.fill(this.scenario, scenario);
      this.fields.devices(this.shelf.devices);
      setText(this.summary, this.shelf.summary(scenario));
      this.measured = null;
      this.askMeasured();
    }
    this.scenario.value = scenario;
    this.form.show(this.page.state().set);
    this.fields.show(this.page.state().set);
    this.showKept();
    this.showSweepChoice();
    await this.simulate();
    this.soon('explain', rest, () => this.explain());
    this.soon('sweep', rest, () => this.sweep());
    this.soon('timeline', longRest, () => this.askTimeline());
  }

  soon(what, delay, act) {
    clearTimeout(this.timers.get(what));
    this.timers.set(what, setTimeout(() => {
      Promise.resolve(act()).catch((error) => this.page.fail(error.message));
    }, delay));
  }

  /** The words after `cubicbench` that name this plan. */
  words(command) {
    const { scenario, set: sets } = this.page.state();
    return [command, this.shelf.word(scenario), ...setWords(changesOf(this.knobs, sets))];
  }

  async simulate() {
    const began = this.touched;
    this.touched = null;
    const document = await this.engine.document(this.words('simulate'),
      { slot: 'simulate', urgency: 0 });
    if (document === null) {
      this.touched ??= began;
      return;
    }
    this.last = document;
    this.headline.update(document);
    this.panels.step.update(document);
    this.panels.memory.update(document);
    if (began !== null && began !== undefined) this.measureLag(began);
    this.soon('say', 700, () => this.page.say(this.headline.sentence(document)));
  }

  /** From the hand's move to the picture, for the test that holds the page to its promise. */
  measureLag(began) {
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => {
        this.lags.push(performance.now() - began);
        if (this.lags.length > 1000) this.lags.splice(0, 500);
      };
      channel.port2.postMessage(null);
    });
  }

  keptDifference() {
    const { set: here, against } = this.page.state();
    return against === null ? null : differenceOf(this.knobs, here, against);
  }

  showKept() {
    const { against } = this.page.state();
    const difference = this.keptDifference();
    this.panels.compare.kept(against === null ? null : changesOf(this.knobs, against),
      difference !== null && Object.keys(difference).length === 0);
  }

  async explain() {
    const difference = this.keptDifference();
    const compares = difference !== null && Object.keys(difference).length > 0;
    const words = [...this.words('explain'),
      ...(compares ? ['--against', againstWord(difference)] : [])];
    let document;
    try {
      document = await this.engine.document(words, { slot: 'explain', urgency: 2 });
    } catch (error) {
      if (!compares) throw error;
      this.panels.compare.refuse(error.message);
      document = await this.engine.document(this.words('explain'), { slot: 'explain', urgency: 2 });
    }
    if (document === null) return;
    this.panels.advice.update(document);
    this.panels.roofline.update(document.roofline);
    if (document.against) this.panels.compare.update(document);
  }

  sweptKnob() {
    const { sweep } = this.page.state();
    const known = this.knobs.find((knob) => knob.name === sweep);
    if (known !== undefined) return known;
    const values = valuesOf(this.knobs, this.page.state().set);
    const active = this.knobs.filter((knob) => values.get(knob.name).active);
    return active.reduce((most, knob) => (knob.values.length > most.values.length ? knob : most),
      active[0]);
  }

  showSweepChoice() {
    const knob = this.sweptKnob();
    if (knob) this.panels.sweep.knobs(this.knobs.map((one) => one.name), knob.name);
  }

  async sweep() {
    const knob = this.sweptKnob();
    if (knob === undefined) return;
    const { scenario, set: sets } = this.page.state();
    const { value, active } = valuesOf(this.knobs, sets).get(knob.name);
    if (!active) {
      this.panels.sweep.refuse(`${knob.name} does nothing in this plan.`);
      return;
    }
    const others = changesOf(this.knobs, sets);
    delete others[knob.name];
    const words = ['sweep', this.shelf.word(scenario), '--set',
      `${knob.name}=${knob.values.join(',')}`, ...setWords(others)];
    try {
      const document = await this.engine.document(words, { slot: 'sweep', urgency: 1 });
      if (document === null) return;
      this.panels.sweep.update(document, knob.name, value,
        document.objective.direction !== 'minimize');
    } catch (error) {
      this.panels.sweep.refuse(error.message);
    }
  }

  async askTimeline() {
    if (this.last === null || this.last.step_time_s === null) {
      this.panels.timeline.update(null, `No step to play: ${this.last?.why ?? 'nothing runs'}.`);
      return;
    }
    const words = [...this.words('simulate'), '--engine', 'event'];
    if (this.panels.timeline.everyStage()) {
      const ranks = await this.engine.run(
        [...this.words('timeline'), '--out', 'timeline.svg'], { slot: 'timeline', urgency: 6 });
      if (ranks === null) return;
      const list = ranks.document.ranks.map((one) => one.rank).join(',');
      words.push('--trace-ranks', list);
    }
    const answer = await this.engine.run([...words, '--trace', 'trace.json'],
      { slot: 'timeline', urgency: 6 });
    if (answer === null) return;
    const text = answer.files['trace.json'];
    this.panels.timeline.update(text ? readTrace(text) : null,
      `No step to play: ${answer.document.why}.`);
  }

  async askMeasured() {
    const { scenario } = this.page.state();
    const wanted = measuredOf(scenario);
    if (wanted === null) {
      this.panels.measured.update(null, null);
      return;
    }
    try {
      const document = await this.engine.document(['validate', wanted.dataset],
        { slot: 'measured', urgency: 8 });
      if (document !== null && this.page.state().scenario === scenario) {
        this.panels.measured.update(document, wanted);
      }
    } catch {
      this.panels.measured.update(null, null);
    }
  }

  async copyCommand() {
    await copyText(commandLine(this.words('simulate')));
    this.page.say('The command is on the clipboard.', true);
  }

  async copyLink() {
    await copyText(window.location.href);
    this.page.say('The link is on the clipboard.', true);
  }

  async saveScenario() {
    const { scenario, set: sets } = this.page.state();
    const text = this.engine.files.get(scenario) ?? await libraryText(scenario);
    if (text === null) {
      this.page.fail(`${scenario} is drawn from its family and has no file of its own; the command names it.`);
      return;
    }
    saveFile(`${scenario.replace(/\.json$/, '')}.json`,
      scenarioWith(text, this.last.config, changesOf(this.knobs, sets)), 'application/json');
  }

  /** A file of the reader's: the scenario, or the program's own words on what is wrong with it. */
  async open(name, text) {
    const before = this.engine.files.get(name);
    this.engine.files.set(name, text);
    this.shelf.spaces.delete(name);
    try {
      await this.shelf.knobs(name);
    } catch (error) {
      if (before === undefined) this.engine.files.delete(name);
      else this.engine.files.set(name, before);
      this.page.fail(error.message);
      return;
    }
    this.loaded = '';
    this.choose(name);
  }
}
