// Where ticks of an axis lie, and what stands beside them.

/** About `wanted` round numbers that cover [low, high]. */
export function linearTicks(low, high, wanted = 5) {
  if (!(high > low)) return [low];
  const raw = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(raw));
  const factor = [1, 2, 2.5, 5, 10].find((one) => one * power >= raw);
  const step = factor * power;
  const ticks = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + 1e-9 * step; at += 1) {
    ticks.push(at * step);
  }
  return ticks;
}

/** Powers of ten in [low, high], and between them 2 and 5 where `pixels` have room for them. */
export function logTicks(low, high, pixels) {
  const ticks = [];
  const few = pixels / Math.log10(high / low) > 125;
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power += 1) {
    for (const factor of few ? [1, 2, 5] : [1]) {
      const tick = factor * 10 ** power;
      if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) ticks.push(tick);
    }
  }
  return ticks;
}

/** Maps [low, high] to pixels. */
export function linearScale(low, high, from, to) {
  const span = high - low || 1;
  return (value) => from + ((to - from) * (value - low)) / span;
}

/** Maps [low, high] to pixels, equal factors to equal lengths. */
export function logScale(low, high, from, to) {
  const span = Math.log(high / low) || 1;
  return (value) => from + ((to - from) * Math.log(value / low)) / span;
}

/**
 * Moves labels apart so that neighbours keep `gap`, and all lie in [low, high].
 * @param {number[]} wanted  where each label would like to be
 * @returns {number[]} where each is, in the same order
 */
export function apart(wanted, gap, low, high) {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b]);
  const placed = [...wanted];
  let least = low;
  for (const i of order) {
    placed[i] = Math.max(wanted[i], least);
    least = placed[i] + gap;
  }
  let most = high;
  for (const i of order.reverse()) {
    placed[i] = Math.min(placed[i], most);
    most = placed[i] - gap;
  }
  return placed;
}

/** About how wide a text of 12 pixels is. */
export function textWidth(text, size = 12) {
  return text.length * size * 0.56;
}
