// Numbers as the program prints them: four significant digits, units beside them.

/** Digits after the point that leave four significant ones of a value in [0, 10000). */
function digitsOfFour(value) {
  if (value < 10) return 3;
  return value < 100 ? 2 : 1;
}

/** "6.318 s", "955.3 ms", "12.3 µs" where a kernel is meant. */
export function duration(seconds) {
  const size = Math.abs(seconds);
  if (size >= 1) return `${seconds.toFixed(digitsOfFour(size))} s`;
  return `${(seconds * 1e3).toFixed(digitsOfFour(size * 1e3))} ms`;
}

/** "+1.177 s", "−668.7 ms". */
export function signedDuration(seconds) {
  const text = duration(Math.abs(seconds));
  if (Number.parseFloat(text) === 0) return '0';
  return `${seconds < 0 ? '−' : '+'}${text}`;
}

/** "2.655 M": the largest prefix that keeps the number above one. */
export function scaled(value) {
  const suffixes = ['', ' k', ' M', ' G', ' T'];
  let suffix = 0;
  let rest = value;
  while (Math.abs(rest) >= 1000 && suffix + 1 < suffixes.length) {
    rest /= 1000;
    suffix += 1;
  }
  const digits = digitsOfFour(Math.abs(rest)) - (suffix === 0 ? 1 : 0);
  return rest.toFixed(digits) + suffixes[suffix];
}

/** A number of a tick, without digits that say nothing: "2 M", "0.5 s". */
export function tickText(text) {
  return text.replace(/(\.\d*?)0+(?=\D|$)/, '$1').replace(/\.(?=\D|$)/, '');
}

/** "16,384". */
export function grouped(count) {
  return Math.round(count).toString().replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** "1 launch", "2,000 launches". */
export function counted(count, one, many) {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** "64.28 GiB". */
export function gib(bytes) {
  return `${(bytes / 2 ** 30).toFixed(2)} GiB`;
}

/** "+1.20 GiB". */
export function signedGib(bytes) {
  if (Math.abs(bytes) < 2 ** 30 / 200) return '0';
  return `${bytes < 0 ? '−' : '+'}${gib(Math.abs(bytes))}`;
}

/** "54.0 %". */
export function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}

/** "+15.4 %". */
export function signedPercent(share) {
  return `${share < 0 ? '−' : '+'}${percent(Math.abs(share))}`;
}

const metrics = {
  tokens_per_s: { name: 'throughput', unit: 'tokens/s' },
  samples_per_s: { name: 'throughput', unit: 'samples/s' },
  tokens_per_s_per_gpu: { name: 'throughput', unit: 'tokens/s per GPU' },
  step_time_s: { name: 'step time', unit: 's' },
};

/** What an objective is called, and in which unit: {name, unit}. */
export function metricWords(metric) {
  return metrics[metric] ?? { name: metric.replace(/_/g, ' '), unit: '' };
}

/** An objective's value with its unit: "2.433 M tokens/s". */
export function objectiveText(metric, value) {
  if (value === null || value === undefined) return '–';
  if (metric === 'step_time_s') return duration(value);
  return `${scaled(value)} ${metricWords(metric).unit}`.trim();
}
