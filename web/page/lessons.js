// The lessons: a question, the reader's prediction, and only then the answer.

import { h } from './dom.js';
import { markdown } from './markdown.js';
import { routeText, defaults } from './route.js';

/** Pictures that the program draws by gnuplot, by the number of their lesson. */
function readFigures() {
  return JSON.parse(document.getElementById('lesson-figures').textContent || '{}');
}

/** The plan that a command of a lesson asks for, as a link into this page; null for others. */
function planLink(command) {
  const words = command.split(' ');
  if (!['simulate', 'explain', 'timeline'].includes(words[1]) || words[2] === undefined) return null;
  const state = { ...defaults(), scenario: words[2], set: {} };
  for (let i = 3; i < words.length; i += 1) {
    if (words[i] !== '--set') continue;
    const [name, value] = words[i + 1].split('=');
    state.set[name] = value;
  }
  return h('li', {}, h('a', { href: `#${routeText(state)}`, text: words.slice(1).join(' ') }));
}

function letter(i) {
  return String.fromCharCode(97 + i);
}

export class LessonsView {
  /** @param {{fail: function(string): void}} page */
  constructor(engine, page) {
    Object.assign(this, { engine, page });
    /** @type {Map<number, Object>} lessons that were read; there are twelve */
    this.read = new Map();
    /** @type {Map<number, number>} what the reader predicted; it cannot be taken back */
    this.locked = new Map();
    this.figures = readFigures();
    this.root = h('div', { class: 'lessons' });
    this.shown = null;
  }

  async list() {
    this.titles ??= (await this.engine.document(['lesson'], { urgency: 1 })).lessons;
    return this.titles;
  }

  async lesson(number) {
    if (!this.read.has(number)) {
      this.read.set(number, await this.engine.document(['lesson', String(number)], { urgency: 1 }));
    }
    return this.read.get(number);
  }

  async show(number) {
    const titles = await this.list();
    if (number === 0) {
      this.shown = 0;
      this.root.replaceChildren(this.overview(titles));
      return;
    }
    if (this.shown !== number) this.root.replaceChildren(h('p', { class: 'note', text: 'The lesson is being read.' }));
    this.shown = number;
    const lesson = await this.lesson(number);
    if (this.shown === number) this.root.replaceChildren(this.lessonPage(lesson, titles));
  }

  overview(titles) {
    const stateOf = (number) => (this.locked.has(number) ? 'answered' : '');
    return h('div', { class: 'column' },
      h('h2', { text: 'Twelve lessons' }),
      h('p', { text: 'Ten minutes each: a question, your prediction, what the simulator says, and what somebody measured. The answer shows when your prediction is locked. Every number is what the program said when this page was made.' }),
      h('ol', { class: 'lesson-list' }, ...titles.map((one) => h('li', {},
        h('a', { href: `#lessons/${one.number}`, text: one.title }),
        h('span', { class: 'soft', text: stateOf(one.number) })))));
  }

  lessonPage(lesson, titles) {
    const after = h('div', { id: 'lesson-answer' });
    const reply = h('div', { class: 'reply', role: 'status' });
    const next = titles.find((one) => one.number === lesson.number + 1);
    const body = h('article', { class: 'column' },
      h('p', { class: 'crumb' }, h('a', { href: '#lessons', text: 'All lessons' }),
        ` · Lesson ${lesson.number} of ${titles.length}`),
      h('h2', { text: lesson.title }), ...markdown(lesson.question),
      this.choices(lesson, reply, after), reply, after,
      h('p', { class: 'crumb' }, next
        ? h('a', { href: `#lessons/${next.number}`, text: `Next: ${next.title}` })
        : h('a', { href: '#lessons', text: 'All lessons' })));
    if (this.locked.has(lesson.number)) this.reveal(lesson, reply, after);
    return body;
  }

  choices(lesson, reply, after) {
    const chosen = this.locked.get(lesson.number);
    const isLocked = chosen !== undefined;
    const lock = h('button', {
      type: 'submit', class: 'primary', disabled: true, text: 'Lock my prediction',
    });
    const form = h('form', { class: 'choices' }, h('fieldset', { disabled: isLocked },
      h('legend', { text: 'Your prediction first' }),
      ...lesson.choices.map((choice, i) => h('label', { class: 'choice' },
        h('input', {
          type: 'radio', name: 'choice', value: i, checked: chosen === i,
          onchange: () => { lock.disabled = false; },
        }), h('span', { text: `${letter(i)}) ${choice.text}` }))), lock));
    if (isLocked) this.markChoices(form, lesson);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const value = new FormData(form).get('choice');
      if (value === null || this.locked.has(lesson.number)) return;
      this.locked.set(lesson.number, Number(value));
      form.firstChild.disabled = true;
      this.markChoices(form, lesson);
      this.reveal(lesson, reply, after);
      reply.scrollIntoView({ block: 'nearest' });
    });
    return form;
  }

  markChoices(form, lesson) {
    form.querySelector('button').hidden = true;
    form.querySelectorAll('.choice').forEach((label, i) => {
      label.classList.toggle('right', lesson.choices[i].right);
      label.classList.toggle('mine', this.locked.get(lesson.number) === i);
    });
  }

  reveal(lesson, reply, after) {
    const choice = lesson.choices[this.locked.get(lesson.number)];
    reply.replaceChildren(h('p', { class: choice.right ? 'verdict right' : 'verdict wrong' },
      h('strong', { text: choice.right ? 'Right.' : 'No.' })), ...markdown(choice.reply));
    const section = (title, text, ...more) => (text.trim() === '' && more.length === 0 ? null
      : h('section', {}, h('h3', { text: title }), ...more, ...markdown(text)));
    const links = lesson.commands.map(planLink).filter((link) => link !== null);
    const solution = h('div', { id: 'lesson-solution', hidden: true }, ...markdown(lesson.solution));
    const open = h('button', {
      type: 'button', 'aria-expanded': 'false', 'aria-controls': 'lesson-solution',
      text: 'Show the solution',
      onclick: () => {
        solution.hidden = !solution.hidden;
        open.setAttribute('aria-expanded', String(!solution.hidden));
        open.textContent = solution.hidden ? 'Show the solution' : 'Hide the solution';
      },
    });
    after.replaceChildren(...[
      section('Run it', lesson.command), this.picture(lesson, section),
      section('Answer', lesson.answer), section('A measured run', lesson.measured),
      section('Exercise', lesson.exercise), open, solution,
      links.length === 0 ? null : h('section', {}, h('h3', { text: 'Its plans in the explorer' }),
        h('ul', { class: 'plans' }, ...links)),
    ].filter((one) => one !== null));
  }

  picture(lesson, section) {
    const figure = this.figures[lesson.number];
    if (figure === undefined) return section('Picture', lesson.picture);
    const image = h('img', { alt: figure.title, src: `data:image/svg+xml;utf8,${encodeURIComponent(figure.svg)}` });
    return section('Picture', lesson.picture, h('figure', {},
      h('div', { class: 'wide', tabindex: '0', role: 'region', 'aria-label': 'Figure' }, image),
      h('figcaption', { text: figure.caption })));
  }
}
