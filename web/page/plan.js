// A plan: the scenario's knobs, which of them are active, and what differs from the baseline.

/**
 * @typedef {Object} Knob
 * @property {string} name
 * @property {string} type  ordinal, integer, categorical or boolean
 * @property {string[]} values  as they are typed
 * @property {{parameter: string, values: string[]}[]} when  all must hold for it to be active
 * @property {string} baseline
 * @property {string} meaning
 */

/** @returns {Knob} of an entry of `list parameters` */
export function readKnob(entry) {
  return {
    name: entry.name,
    type: entry.type,
    values: entry.values.map(String),
    when: entry.when.map((one) => ({ parameter: one.parameter, values: one.values.map(String) })),
    baseline: String(entry.baseline),
    meaning: entry.meaning,
  };
}

/**
 * The value of every knob, and whether it is active, when `set` lies over the baseline. A knob
 * that the change makes active takes its first value, as `explain` does it.
 * @param {Knob[]} knobs
 * @param {Object<string, string>} set
 * @returns {Map<string, {value: string, active: boolean}>}
 */
export function valuesOf(knobs, set) {
  const values = new Map();
  for (const knob of knobs) {
    const active = knob.when.every((condition) => {
      const parent = values.get(condition.parameter);
      return parent !== undefined && parent.active && condition.values.includes(parent.value);
    });
    let value = set[knob.name] ?? knob.baseline;
    if (active && set[knob.name] === undefined && !knob.values.includes(value)) {
      [value] = knob.values;
    }
    values.set(knob.name, { value, active });
  }
  return values;
}

/**
 * The settings to give the program: what differs from the baseline, of active knobs alone, and
 * fields of the problem as they are.
 */
export function changesOf(knobs, set) {
  const changes = {};
  for (const [name, value] of Object.entries(set)) {
    if (!knobs.some((knob) => knob.name === name)) changes[name] = value;
  }
  const values = valuesOf(knobs, set);
  for (const knob of knobs) {
    const { value, active } = values.get(knob.name);
    if (active && value !== knob.baseline) changes[knob.name] = value;
  }
  return changes;
}

/** `set` with one knob turned; what equals the baseline is left out. */
export function turned(knobs, set, name, value) {
  const next = { ...set };
  const knob = knobs.find((one) => one.name === name);
  if (knob !== undefined && knob.baseline === value) delete next[name];
  else next[name] = value;
  return next;
}

/**
 * The settings that turn the plan `from` into the plan `to`, for `--against`: every active knob
 * of `to` that has another value, or is not active, in `from`.
 */
export function differenceOf(knobs, from, to) {
  const here = valuesOf(knobs, from);
  const there = valuesOf(knobs, to);
  const changes = {};
  for (const [name, { value, active }] of there) {
    const mine = here.get(name);
    if (active && (mine.value !== value || !mine.active)) changes[name] = value;
  }
  for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
    if (here.has(name)) continue;
    if (to[name] !== undefined && to[name] !== from[name]) changes[name] = to[name];
  }
  return changes;
}

/** "tensor_parallel=4 micro_batch=2", or the baseline. */
export function planText(changes) {
  const parts = Object.entries(changes).map(([name, value]) => `${name}=${value}`);
  return parts.length === 0 ? 'the baseline' : parts.join(' ');
}
