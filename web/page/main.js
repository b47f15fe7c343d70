// The page: which view is shown, what the URL says, and what the reader is told.

import { set, setText } from './dom.js';
import { Engine } from './engine.js';
import { LessonsView } from './lessons.js';
import { PlanView } from './plan_view.js';
import { RaceView } from './race_view.js';
import { defaults, firstScenario, readRoute, routeText } from './route.js';
import { Shelf } from './shelf.js';
import { patterns } from './stacked.js';
import { themeButton } from './theme.js';

const titles = { plan: 'Plan', race: 'Search race', lessons: 'Lessons' };

class Page {
  constructor(engine, shelf) {
    this.now = defaults();
    this.status = document.getElementById('status');
    this.problem = document.getElementById('problem');
    const access = {
      state: () => this.now,
      go: (change, how) => this.go(change, how),
      say: (text, isSeen) => this.say(text, isSeen),
      fail: (text) => this.fail(text),
    };
    this.views = {
      plan: new PlanView(engine, shelf, access),
      race: new RaceView(engine, shelf, access),
      lessons: new LessonsView(engine, access),
    };
    this.place = document.getElementById('view');
    this.links = [...document.querySelectorAll('header nav a')];
    document.getElementById('close-problem').addEventListener('click', () => this.clear());
  }

  /** Says something once; on the screen, too, where the reader asked for it. */
  say(text, isSeen = false) {
    setText(this.status, text);
    this.status.classList.toggle('seen', isSeen);
    clearTimeout(this.saying);
    if (isSeen) this.saying = setTimeout(() => this.status.classList.remove('seen'), 2500);
  }

  /** Shows what is wrong, in the program's own words. */
  fail(text) {
    setText(this.problem.querySelector('p'), text);
    this.problem.hidden = false;
  }

  clear() {
    this.problem.hidden = true;
  }

  /**
   * Changes the state.
   * @param {'step'|'passing'|'instead'} how  a step can be gone back on; while a slider moves, the
   *   URL waits for its end; 'instead' takes the place of the step before
   */
  go(change, how = 'step') {
    const { scenario } = this.now;
    this.now = { ...this.now, ...change };
    if (how !== 'passing') this.writeUrl(how);
    this.clear();
    this.show(scenario !== this.now.scenario);
  }

  writeUrl(how) {
    const url = `#${routeText(this.now)}`;
    const isNew = how === 'step' && url !== this.stepUrl;
    window.history[isNew ? 'pushState' : 'replaceState'](null, '', url);
    this.stepUrl = url;
  }

  /** Reads the URL; of what makes no sense it says so, once, and shows the defaults. */
  read() {
    this.clear();
    try {
      this.now = readRoute(window.location.hash);
    } catch (error) {
      this.reset(`The link cannot be read: ${error.message}. The page shows the defaults instead.`);
      return;
    }
    this.stepUrl = window.location.hash;
    this.show(true);
  }

  reset(message, keeps = {}) {
    this.now = { ...defaults(), ...keeps };
    window.history.replaceState(null, '', `#${routeText(this.now)}`);
    this.stepUrl = window.location.hash;
    this.show(false);
    this.fail(message);
  }

  /** `isFromLink`: a state that cannot be shown gives way to the defaults. */
  async show(isFromLink) {
    const { view, lesson } = this.now;
    for (const link of this.links) {
      set(link, { 'aria-current': link.dataset.view === view ? 'page' : null });
    }
    this.keepLinks();
    document.title = `${titles[view]} – CubicBench explorer`;
    const shown = this.views[view];
    if (this.place.firstChild !== shown.root) {
      this.views.race.leave();
      this.place.replaceChildren(shown.root);
      window.scrollTo(0, 0);
    }
    try {
      await (view === 'lessons' ? shown.show(lesson) : shown.show());
    } catch (error) {
      if (isFromLink && view === 'plan') this.giveWay(error);
      else this.fail(error.message);
    }
  }

  giveWay(error) {
    const { scenario } = this.now;
    const isKnown = this.views.plan.loaded === scenario;
    this.reset(`The link cannot be shown. ${error.message}`,
      isKnown ? { scenario } : { scenario: firstScenario });
  }

  /** The link to the plan leads back to the plan that was left. */
  keepLinks() {
    for (const link of this.links) {
      const { view } = link.dataset;
      if (view === this.now.view) set(link, { href: `#${routeText(this.now)}` });
    }
  }
}

async function start() {
  const loading = document.getElementById('loading');
  const hidden = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  set(hidden, { width: 0, height: 0, class: 'unseen', 'aria-hidden': 'true' });
  hidden.append(patterns());
  document.body.prepend(hidden);
  try {
    const engine = await Engine.start();
    const shelf = new Shelf(engine);
    await shelf.load();
    const page = new Page(engine, shelf);
    themeButton(document.getElementById('theme'), () => page.views.plan.panels.timeline.draw());
    window.addEventListener('popstate', () => page.read());
    document.getElementById('app').hidden = false;
    loading.remove();
    page.read();
    window.explorer = { page, engine };
  } catch (error) {
    setText(loading, `The simulator cannot start in this browser: ${error.message}`);
  }
}

start();
