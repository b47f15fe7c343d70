// What the scripted reader checks with: sentences that say what was expected and what was found.

let checks = 0;

/** How many things were checked so far. */
export function checked() {
  return checks;
}

/** Throws unless `holds`. */
export function expect(holds, about) {
  checks += 1;
  if (!holds) throw new Error(`expected ${about}`);
}

export function expectEqual(found, wanted, about) {
  checks += 1;
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${about}: expected ${b}, found ${a}`);
}

/** The number at the front of what the page shows, in the unit's own size: "6.318 s" is 6.318. */
export function shownNumber(text) {
  const found = /^([+−-]?)([\d.,]+)\s*(GiB|ms|k|M|G|T|s|%)?/.exec(text);
  if (!found) throw new Error(`no number in "${text}"`);
  const factors = { k: 1e3, M: 1e6, G: 1e9, T: 1e12, ms: 1e-3, '%': 1e-2 };
  const value = Number(found[2].replaceAll(',', '')) * (factors[found[3]] ?? 1);
  return found[1] === '' || found[1] === '+' ? value : -value;
}

/** Whether what is shown is `value` to the digits that are shown: half a unit of the last one. */
export function expectShown(text, value, about) {
  checks += 1;
  const shown = shownNumber(text);
  const digits = /^[+−-]?([\d.,]+)/.exec(text)[1];
  const decimals = (digits.split('.')[1] ?? '').length;
  const unit = Math.abs(shownNumber(text.replace(digits, (10 ** -decimals).toFixed(decimals))));
  if (Math.abs(shown - value) > 0.500001 * unit) {
    throw new Error(`${about}: shown is "${text}", the engine says ${value}`);
  }
}

/** The share `p` of numbers lies at or below the result. */
export function quantile(numbers, p) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(p * sorted.length) - 1)];
}
