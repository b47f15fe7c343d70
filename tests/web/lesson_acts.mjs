// The reader in all lessons, to the last answer of each.

import { expect, expectEqual } from './expect.mjs';

const sections = ['command', 'answer', 'measured', 'exercise', 'solution'];

/** Words of a text in the order in which they stand, without marks of Markdown. */
function wordsOf(text) {
  return text.replace(/[|`*>#\-:\\]/g, ' ').split(/\s+/).filter((word) => word !== '' && !/^\d+\.$/.test(word)).join(' ');
}

async function play(tab, number) {
  await tab.evaluate(`location.hash = '#lessons/${number}'`);
  await tab.until(`document.querySelector('.crumb')?.textContent.includes('Lesson ${number} of 12') && document.querySelector('.choices') !== null`,
    `lesson ${number}`, 120000);
  const lesson = await tab.evaluate(`window.explorer.engine.document(['lesson', '${number}'])`);
  const before = await tab.evaluate(`document.querySelector('.lessons').textContent`);
  for (const choice of lesson.choices) expect(before.includes(choice.text), `lesson ${number}: the choice "${choice.text}"`);
  expectEqual(await tab.evaluate(`document.getElementById('lesson-answer').textContent`), '', `lesson ${number}: no answer before the prediction`);
  expect(!wordsOf(before).includes(wordsOf(lesson.answer).slice(0, 60)), `lesson ${number}: the answer to be out of the page`);
  expectEqual(await tab.evaluate(`document.querySelector('.choices .primary').disabled`), true, `lesson ${number}: no lock without a choice`);
  const chosen = number % lesson.choices.length;
  await tab.evaluate(`document.querySelectorAll('.choices input')[${chosen}].click(); document.querySelector('.choices .primary').click()`);
  const verdict = await tab.evaluate(`document.querySelector('.reply .verdict').textContent`);
  expectEqual(verdict, lesson.choices[chosen].right ? 'Right.' : 'No.', `lesson ${number}: the verdict`);
  expectEqual(await tab.evaluate(`document.querySelector('.choices fieldset').disabled`), true, `lesson ${number}: a locked prediction`);
  await tab.evaluate(`[...document.querySelectorAll('#lesson-answer > button')].forEach((one) => one.click())`);
  const after = wordsOf(await tab.evaluate(`(() => { const copy = document.getElementById('lesson-answer').cloneNode(true);
    copy.querySelectorAll('td, th, p, li, pre, h3').forEach((one) => one.append(' ')); return copy.textContent; })()`));
  for (const section of sections) {
    const words = wordsOf(lesson[section]);
    for (const piece of [words.slice(0, 80), words.slice(-80)]) {
      expect(after.includes(piece.trim()), `lesson ${number}, ${section}: "${piece}"`);
    }
  }
  expectEqual(await tab.evaluate(`document.getElementById('lesson-solution').hidden`), false, `lesson ${number}: the solution`);
  return lesson;
}

/** All twelve; a prediction stays locked when the reader comes back, and its plans open. */
export async function lessons(tab) {
  for (let number = 1; number <= 12; number += 1) await play(tab, number);
  await tab.evaluate(`location.hash = '#lessons'`);
  await tab.until(`document.querySelectorAll('.lesson-list li').length === 12`, 'the list');
  expectEqual(await tab.evaluate(`[...document.querySelectorAll('.lesson-list span')].filter((one) => one.textContent === 'answered').length`), 12, 'answered lessons');
  await tab.evaluate(`location.hash = '#lessons/6'`);
  await tab.until(`document.querySelector('.plans a') !== null`, 'the plans of a lesson that was answered');
  expectEqual(await tab.evaluate(`document.querySelector('.choices fieldset').disabled`), true, 'a prediction that cannot be changed');
  await tab.evaluate(`document.querySelector('.plans a').click()`);
  await tab.until(`document.querySelector('.plan') !== null && location.hash.startsWith('#plan/gpt3-175b')`, 'a plan of the lesson');
}
