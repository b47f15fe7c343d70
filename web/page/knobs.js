// The controls of a plan: a slider, a list or a switch for each knob, with its explanation.

import { h, pool, set, setText } from './dom.js';
import { valuesOf } from './plan.js';

/** "applies when schedule is interleaved". */
function conditionText(knob) {
  const parts = knob.when.map((one) => `${one.parameter} is ${one.values.join(' or ')}`);
  return parts.length === 0 ? '' : `Applies when ${parts.join(' and ')}.`;
}

function isSlider(knob) {
  return (knob.type === 'ordinal' || knob.type === 'integer') && knob.values.length > 2
    && knob.values.every((value) => value !== '' && !Number.isNaN(Number(value)));
}

/** The control of one knob. `turn(value, isDone)` is told while a slider moves, and at its end. */
function makeControl(knob, id, turn) {
  if (isSlider(knob)) {
    const slider = h('input', { type: 'range', id, min: 0, max: knob.values.length - 1, step: 1 });
    slider.addEventListener('input', () => turn(knob.values[slider.value], false));
    slider.addEventListener('change', () => turn(knob.values[slider.value], true));
    return {
      element: slider,
      show(value) {
        const place = String(Math.max(0, knob.values.indexOf(value)));
        if (slider.value !== place) slider.value = place;
        set(slider, { 'aria-valuetext': value });
      },
    };
  }
  if (knob.type === 'boolean') {
    const box = h('input', { type: 'checkbox', id, role: 'switch' });
    box.addEventListener('change', () => turn(String(box.checked), true));
    return { element: box, show(value) { box.checked = value === 'true'; } };
  }
  const list = h('select', { id }, ...knob.values.map((value) => h('option', { value, text: value })));
  list.addEventListener('change', () => turn(list.value, true));
  return {
    element: list,
    show(value) {
      if (![...list.options].some((option) => option.value === value)) {
        list.append(h('option', { value, text: `${value} (outside the space)` }));
      }
      list.value = value;
    },
  };
}

function makeKnob(knob, turn) {
  const id = `knob-${knob.name.replaceAll('.', '-')}`;
  const control = makeControl(knob, id, (value, isDone) => turn(knob.name, value, isDone));
  const value = h('output', { for: id, class: 'value' });
  const condition = conditionText(knob);
  const words = h('p', {
    class: 'meaning', id: `${id}-meaning`, hidden: true,
    text: `${knob.meaning}. ${condition}`.replace('..', '.').trim(),
  });
  const help = h('button', {
    type: 'button', class: 'help', 'aria-expanded': 'false', 'aria-controls': words.id,
    'aria-label': `What ${knob.name} is`, title: knob.meaning, text: '?',
  });
  help.addEventListener('click', () => {
    words.hidden = !words.hidden;
    set(help, { 'aria-expanded': String(!words.hidden) });
  });
  set(control.element, { 'aria-describedby': words.id });
  const root = h('div', { class: `knob ${isSlider(knob) ? 'wide-knob' : 'short-knob'}` },
    h('label', { for: id, text: knob.name }), value, help, control.element, words);
  return {
    root,
    show({ value: now, active }, isChanged) {
      control.show(now);
      control.element.disabled = !active;
      setText(value, !isSlider(knob) ? '' : active || knob.values.includes(now) ? now : '–');
      set(root, { class: `knob ${isSlider(knob) ? 'wide-knob' : 'short-knob'}`
        + `${active ? '' : ' inactive'}${isChanged ? ' changed' : ''}` });
    },
  };
}

/**
 * The controls of a scenario's space.
 * @param {function(string, string, boolean): void} turn  name, value, whether the hand is off
 */
export function knobsForm(turn) {
  const root = h('div', { class: 'knobs' });
  let knobs = [];
  let controls = [];
  return {
    root,
    /** @param {import('./plan.js').Knob[]} next */
    load(next) {
      knobs = next;
      controls = knobs.map((knob) => makeKnob(knob, turn));
      root.replaceChildren(...controls.map((control) => control.root));
    },
    show(sets) {
      const values = valuesOf(knobs, sets);
      knobs.forEach((knob, i) => {
        const now = values.get(knob.name);
        controls[i].show(now, now.active && now.value !== knob.baseline);
      });
    },
  };
}

/** Fields of the problem that may be changed beside its knobs. */
export function fieldsForm(turn) {
  const device = h('select', { id: 'field-device' });
  const gpus = h('input', { type: 'number', id: 'field-gpus', min: 1, max: 131072, inputmode: 'numeric' });
  const memory = h('input', { type: 'number', id: 'field-memory', min: 1, max: 1000, step: 'any' });
  const fields = [['cluster.device', device], ['cluster.gpus', gpus], ['cluster.memory_gib', memory]];
  for (const [name, element] of fields) {
    element.addEventListener('change', () => turn(name, element.value, true));
  }
  const field = (label, element) => h('div', { class: 'field' },
    h('label', { for: element.id, text: label }), element);
  const root = h('div', { class: 'fields' }, field('GPU', device), field('GPUs', gpus),
    field('memory of a GPU, GiB', memory));
  return {
    root,
    devices(list) {
      pool(device, [{ name: '', summary: 'as the scenario says' }, ...list], () => h('option'),
        (option, one) => {
          set(option, { value: one.name });
          setText(option, one.name === '' ? one.summary : one.name);
        });
    },
    show(sets) {
      for (const [name, element] of fields) {
        const value = sets[name] ?? '';
        if (element.value !== value) element.value = value;
      }
      set(gpus, { placeholder: 'as the scenario says' });
      set(memory, { placeholder: 'as the GPU has' });
    },
  };
}
