// The state of the page in its URL, after '#': what can be sent to a colleague.
//
//   #plan/llama3-405b?tensor_parallel=4&vs=virtual_stages:7&sweep=micro_batch
//   #race/dense-small@0?trials=150&seed=2
//   #lessons/6

/**
 * @typedef {Object} State
 * @property {'plan'|'race'|'lessons'} view
 * @property {string} scenario  name of the library, or of a dropped file
 * @property {Object<string, string>} set  what differs from the baseline
 * @property {?Object<string, string>} against  the other plan, likewise; null: none
 * @property {string} sweep  the knob that is swept; '': the first
 * @property {string} problem  of the race; '': the first
 * @property {number} trials  launches of each searcher; 0: as the problem says
 * @property {number} seed
 * @property {number} lesson  from 1; 0: the list
 */

export const firstScenario = 'llama3-405b';

/** @returns {State} */
export function defaults() {
  return {
    view: 'plan', scenario: firstScenario, set: {}, against: null, sweep: '',
    problem: '', trials: 0, seed: 1, lesson: 0,
  };
}

const settingName = /^[a-z][a-z0-9_.]*$/;
const settingValue = /^[A-Za-z0-9_.+-]+$/;

function readSets(text, where) {
  const sets = {};
  for (const part of text.split(',').filter((one) => one !== '')) {
    const [name, value, more] = part.split(':');
    if (!settingName.test(name) || value === undefined || more !== undefined
        || !settingValue.test(value)) {
      throw new Error(`${where}: expected name:value, got "${part}"`);
    }
    sets[name] = value;
  }
  return sets;
}

function readWhole(text, name, low, high) {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < low || value > high) {
    throw new Error(`${name}: expected an integer in [${low}, ${high}], got "${text}"`);
  }
  return value;
}

function readPlan(state, query) {
  for (const [name, value] of query) {
    if (name === 'vs') {
      state.against = readSets(value === 'baseline' ? '' : value, 'vs');
    } else if (name === 'sweep') {
      if (!settingName.test(value)) throw new Error(`sweep: expected a knob, got "${value}"`);
      state.sweep = value;
    } else {
      if (!settingName.test(name)) throw new Error(`expected a setting, got "${name}"`);
      if (!settingValue.test(value)) throw new Error(`${name}: expected a value, got "${value}"`);
      state.set[name] = value;
    }
  }
}

function readRace(state, query) {
  for (const [name, value] of query) {
    if (name === 'trials') state.trials = readWhole(value, name, 1, 2000);
    else if (name === 'seed') state.seed = readWhole(value, name, 0, 2 ** 31);
    else throw new Error(`expected trials or seed, got "${name}"`);
  }
}

/**
 * What a URL says. Throws an Error with one sentence for what cannot be read.
 * @returns {State}
 */
export function readRoute(hash) {
  const state = defaults();
  const text = hash.replace(/^#\/?/, '');
  if (text === '') return state;
  const [path, ...rest] = text.split('?');
  const [view, ...names] = path.split('/');
  let name;
  try {
    name = decodeURIComponent(names.join('/'));
  } catch {
    throw new Error(`expected a name, got "${names.join('/')}"`);
  }
  const query = new URLSearchParams(rest.join('?'));
  if (view === 'plan') {
    if (name !== '') state.scenario = name;
    readPlan(state, query);
  } else if (view === 'race') {
    state.problem = name;
    readRace(state, query);
  } else if (view === 'lessons') {
    if (name !== '') state.lesson = readWhole(name, 'lesson', 1, 12);
  } else {
    throw new Error(`expected plan, race or lessons, got "${view}"`);
  }
  state.view = view;
  return state;
}

function setsText(sets) {
  return Object.entries(sets).map(([name, value]) => `${name}:${value}`).join(',');
}

function queryText(pairs) {
  const text = pairs.map(([name, value]) => `${name}=${value}`).join('&');
  return text === '' ? '' : `?${text}`;
}

/** The part after '#' that readRoute() reads back. */
export function routeText(state) {
  if (state.view === 'lessons') return state.lesson === 0 ? 'lessons' : `lessons/${state.lesson}`;
  if (state.view === 'race') {
    const pairs = [];
    if (state.trials !== 0) pairs.push(['trials', state.trials]);
    if (state.seed !== 1) pairs.push(['seed', state.seed]);
    return `race${state.problem === '' ? '' : `/${state.problem}`}${queryText(pairs)}`;
  }
  const pairs = Object.entries(state.set);
  if (state.against !== null) pairs.push(['vs', setsText(state.against) || 'baseline']);
  if (state.sweep !== '') pairs.push(['sweep', state.sweep]);
  return `plan/${encodeURIComponent(state.scenario)}${queryText(pairs)}`;
}
