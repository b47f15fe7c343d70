// The plan in five numbers.

import { h, setText } from './dom.js';
import { duration, gib, metricWords, percent, scaled } from './format.js';

function throughputOf(document) {
  if (document.tokens_per_s !== null) return `${scaled(document.tokens_per_s)} tokens/s`;
  return document.samples_per_s === null ? '–' : `${scaled(document.samples_per_s)} samples/s`;
}

const facts = [
  ['step time', (one) => (one.step_time_s === null ? '–' : duration(one.step_time_s))],
  ['throughput', throughputOf],
  ['MFU', (one) => (one.mfu === null || one.step_time_s === null ? '–' : percent(one.mfu))],
  ['memory needed', (one) => (one.memory?.parts.length ? gib(one.memory.demand_bytes) : '–')],
  ['out-of-memory risk', (one) => (one.memory?.parts.length
    ? percent(one.memory.oom_probability) : '–')],
];

/** "no step" in a few words, for the banner. */
function verdictOf(document) {
  if (document.status === 'ok' && document.objective.value !== null) return '';
  if (document.status === 'ok') return `It runs, but has no ${metricWords(document.objective.metric).name}: ${document.why}.`;
  if (document.status === 'invalid') return `This plan cannot be laid out: ${document.why}.`;
  return `This plan runs out of memory: ${document.why}.`;
}

export function createHeadline() {
  const values = facts.map(() => h('dd', {}, h('span'), h('small')));
  const list = h('dl', { class: 'headline' },
    ...facts.map(([name], i) => h('div', {}, h('dt', { text: name }), values[i])));
  const banner = h('p', { class: 'banner', hidden: true });
  const space = h('p', { class: 'note', hidden: true });
  const root = h('div', {}, list, banner, space);
  return {
    root,
    /** @param {Object} document  of `simulate` */
    update(document) {
      facts.forEach(([, text], i) => {
        const [, number, unit] = /^(\S+)(.*)$/.exec(text(document));
        setText(values[i].firstChild, number);
        setText(values[i].lastChild, unit);
      });
      const verdict = verdictOf(document);
      banner.hidden = verdict === '';
      setText(banner, verdict);
      space.hidden = document.in_space;
      setText(space, document.in_space ? ''
        : 'The plan lies outside the search space of the scenario; it is simulated all the same.');
    },
    /** The five numbers as a sentence, for screen readers. */
    sentence(document) {
      return facts.map(([name, text]) => `${name} ${text(document)}`).join(', ');
    },
  };
}
