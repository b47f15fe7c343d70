// The page as screen readers, narrow screens and dark rooms have it.

import { expect, expectEqual } from './expect.mjs';

/** Nothing wider than the screen, and no text cut off in a control or a tile. */
export async function fits(tab, about) {
  const found = await tab.evaluate(`(() => {
    const wide = document.documentElement.scrollWidth > window.innerWidth;
    const cut = [...document.querySelectorAll('.headline dd, button, .finding, h2, label')]
      .filter((one) => one.offsetParent !== null && one.scrollWidth > one.clientWidth + 1
        && getComputedStyle(one).display !== 'inline')
      .map((one) => one.textContent.slice(0, 40));
    const out = [...document.querySelectorAll('svg.figure')].filter((one) => one.clientWidth > 0).flatMap((figure) => {
      const frame = figure.getBoundingClientRect();
      return [...figure.querySelectorAll('text')].filter((text) => {
        const box = text.getBoundingClientRect();
        return text.textContent !== '' && box.width > 0 && (box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1);
      }).map((text) => text.textContent);
    });
    return {wide, cut, out};
  })()`);
  expectEqual(found, { wide: false, cut: [], out: [] }, `what does not fit, ${about}`);
}

/** axe-core finds nothing serious. */
export async function axe(tab, source, about) {
  if (!await tab.evaluate('window.axe !== undefined')) await tab.evaluate(source);
  const found = await tab.evaluate(`axe.run(document, {resultTypes: ['violations']}).then(({violations}) => violations
    .map((one) => [one.impact, one.id, one.nodes.length, one.nodes[0].html.slice(0, 120), one.nodes[0].any?.[0]?.message ?? '']))`);
  const serious = found.filter(([impact]) => impact === 'serious' || impact === 'critical');
  expect(serious.length === 0, `nothing serious by axe, ${about}; found ${JSON.stringify(serious, null, 1)}`);
  return found;
}
