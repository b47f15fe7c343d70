// What the program ships: scenarios, families, devices; and the knobs of a scenario, kept once
// they were read.

import { h } from './dom.js';
import { readKnob } from './plan.js';

const kept = 40;

export class Shelf {
  constructor(engine) {
    this.engine = engine;
    /** @type {Map<string, import('./plan.js').Knob[]>} */
    this.spaces = new Map();
  }

  async load() {
    const list = async (what) => (await this.engine.document(['list', what], { urgency: 0 }))[what];
    this.scenarios = await list('scenarios');
    this.families = await list('families');
    this.devices = await list('devices');
  }

  /** The word that names a scenario to the program. */
  word(name) {
    return this.engine.files.has(name) ? `./${name}` : name;
  }

  /** @returns {Promise<import('./plan.js').Knob[]>} */
  async knobs(name) {
    if (!this.spaces.has(name)) {
      const document = await this.engine.document(['list', 'parameters', this.word(name)],
        { urgency: 0 });
      if (this.spaces.size >= kept) this.spaces.delete(this.spaces.keys().next().value);
      this.spaces.set(name, document.parameters.map(readKnob));
    }
    return this.spaces.get(name);
  }

  summary(name) {
    const [family, member] = name.split('@');
    if (member !== undefined) {
      const found = this.families.find((one) => one.name === family);
      return found ? `Member ${member} of the family: ${found.summary}` : '';
    }
    if (this.engine.files.has(name)) return 'Your scenario file; it stays in this page.';
    return this.scenarios.find((one) => one.name === name)?.summary ?? '';
  }

  /** Fills a list of scenarios, in groups; `extra` names that are in none of them come first. */
  fill(select, chosen) {
    const group = (label, names) => h('optgroup', { label },
      ...names.map((name) => h('option', { value: name, text: name })));
    const names = this.scenarios.map((one) => one.name);
    const members = this.families.map((one) => `${one.name}@0`);
    const own = [...this.engine.files.keys()];
    const others = [chosen].filter((name) => ![...names, ...members, ...own].includes(name));
    select.replaceChildren(
      ...(own.length ? [group('Your files', own)] : []),
      ...(others.length ? [group('From the link', others)] : []),
      group('Scenarios', names), group('Families of problems, first member', members),
    );
    select.value = chosen;
  }
}
