// A Chrome trace of the event engine as ranks with lanes of boxes.

/**
 * @typedef {Object} Box
 * @property {number} from  seconds
 * @property {number} to
 * @property {number} kind  index into kinds
 * @property {string} mark  the number of its micro-batch, or ''
 * @property {string} name
 *
 * @typedef {{name: string, tall: boolean, boxes: Box[]}} Lane
 * @typedef {{name: string, lanes: Lane[]}} Rank
 */

/** What boxes stand for, in the order of the legend; colours as in docs/timeline.md. */
export const kinds = [
  ['forward', 'blue'], ['backward', 'amber'], ['weight gradients', 'green'],
  ['forward and backward', 'pink'], ['optimizer', 'ink'], ['matrix products', 'slate'],
  ['attention', 'pink'], ['memory-bound kernels', 'silver'], ['weights gathered', 'sky'],
  ['gradients reduced', 'vermilion'], ['tensor group', 'green'], ['context group', 'gold'],
  ['messages between stages', 'plum'], ['embedding rows', 'rust'], ['tokens to experts', 'rust'],
  ['next batch', 'silver'], ['launches', 'slate'], ['lookups', 'forest'],
].map(([name, color]) => ({ name, color }));

const kindNamed = new Map(kinds.map((kind, i) => [kind.name, i]));

const byTrack = {
  'tensor group': 'tensor group', 'context group': 'context group',
  pipeline: 'messages between stages', 'embedding ranks': 'embedding rows',
  experts: 'tokens to experts', 'next batch': 'next batch', 'host launches': 'launches',
};

function kindOf(track, name) {
  if (track === 'passes') {
    const pass = name.replace(/ -?\d+$/, '');
    return kindNamed.get(pass) ?? kindNamed.get('optimizer');
  }
  if (track === 'compute') {
    if (/product/.test(name)) return kindNamed.get('matrix products');
    if (/attention/.test(name)) return kindNamed.get('attention');
    if (/lookup|rows/.test(name)) return kindNamed.get('lookups');
    return kindNamed.get(/optimizer/.test(name) ? 'optimizer' : 'memory-bound kernels');
  }
  if (track === 'weights and gradients') {
    return kindNamed.get(/gather/.test(name) ? 'weights gathered' : 'gradients reduced');
  }
  return kindNamed.get(byTrack[track] ?? 'launches');
}

/** "pipeline 2" is a second lane of the stream "pipeline". */
function trackOf(lane) {
  return lane.replace(/ \d+$/, '');
}

function rankName(text) {
  const stage = /^rank (\d+) \(stage (\d+)/.exec(text);
  return stage ? `stage ${stage[2]}, rank ${stage[1]}` : text.replace(/ \(.*/, '');
}

/**
 * Reads what `simulate --engine event --trace` writes. Host launches are left out: they are as
 * many as kernels and say little that the gaps between those do not.
 * @returns {{length: number, ranks: Rank[], used: number[]}}
 */
export function readTrace(text) {
  const events = JSON.parse(text).traceEvents;
  const ranks = new Map();
  const lanes = new Map();
  for (const event of events) {
    if (event.ph !== 'M') continue;
    if (event.name === 'process_name') {
      ranks.set(event.pid, { name: rankName(event.args.name), lanes: [] });
    } else if (event.name === 'thread_name' && trackOf(event.args.name) !== 'host launches') {
      const lane = { name: event.args.name, tall: event.args.name === 'passes', boxes: [] };
      lanes.set(event.tid, lane);
      ranks.get(event.pid).lanes.push(lane);
    }
  }
  const used = new Set();
  let length = 0;
  for (const event of events) {
    const lane = event.ph === 'X' ? lanes.get(event.tid) : undefined;
    if (lane === undefined) continue;
    const kind = kindOf(trackOf(lane.name), event.name);
    used.add(kind);
    const from = event.ts * 1e-6;
    const to = from + event.dur * 1e-6;
    length = Math.max(length, to);
    const micro = event.args?.micro_batch;
    lane.boxes.push({
      from, to, kind, name: event.name, mark: lane.tall && micro >= 0 ? String(micro) : '',
    });
  }
  for (const lane of lanes.values()) lane.boxes.sort((a, b) => a.from - b.from);
  return { length, ranks: [...ranks.values()], used: [...used].sort((a, b) => a - b) };
}

/** How long a lane is busy between two moments, as a share of them. */
export function busyShare(lane, from, to) {
  let busy = 0;
  let end = from;
  for (const box of lane.boxes) {
    const start = Math.max(box.from, end);
    const stop = Math.min(box.to, to);
    if (stop > start) {
      busy += stop - start;
      end = stop;
    }
  }
  return to > from ? busy / (to - from) : 0;
}
