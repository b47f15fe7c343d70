// The program in a worker: commands in, documents out. One request is under way at a time; of
// those that wait for the same picture only the newest is ever sent.

import { packedText } from './packed.js';

/** What the worker runs behind the engine's own code. */
const workerEnd = `
self.engineReady = createEngine();
self.onmessage = async (event) => {
  try {
    const engine = await self.engineReady;
    self.postMessage(engine.answer(JSON.stringify(event.data)));
  } catch (error) {
    self.postMessage(JSON.stringify({error: String(error && error.message || error)}));
  }
};`;

/** A worker that evaluates the engine of this page and answers requests. */
async function startWorker() {
  const code = await packedText('engine');
  const url = URL.createObjectURL(new Blob([code, workerEnd], { type: 'text/javascript' }));
  const worker = new Worker(url);
  URL.revokeObjectURL(url);
  return worker;
}

/** What the program says of bad input: its own lines. */
export class Refusal extends Error {}

/**
 * @typedef {Object} Job
 * @property {Object} request
 * @property {number} urgency  lower is sooner
 * @property {function(?Object): void} done  null: a newer one has taken its place
 */

export class Engine {
  constructor(worker) {
    this.worker = worker;
    /** @type {Map<string, Job>} by the picture that waits for it */
    this.waiting = new Map();
    this.underWay = null;
    this.count = 0;
    this.files = new Map();
    worker.onmessage = (event) => this.received(JSON.parse(event.data));
    worker.onerror = (event) => this.received({ error: event.message });
  }

  static async start() {
    return new Engine(await startWorker());
  }

  received(answer) {
    const job = this.underWay;
    this.underWay = null;
    this.next();
    job?.done(answer);
  }

  next() {
    if (this.underWay !== null || this.waiting.size === 0) return;
    let best = null;
    for (const [slot, job] of this.waiting) {
      if (best === null || job.urgency < best[1].urgency) best = [slot, job];
    }
    this.waiting.delete(best[0]);
    [, this.underWay] = best;
    this.worker.postMessage(this.underWay.request);
  }

  /**
   * Sends a request as soon as nothing more urgent waits. Resolves to null if a newer request for
   * the same slot comes first.
   */
  ask(request, { slot = null, urgency = 5 } = {}) {
    this.count += 1;
    const place = slot ?? `#${this.count}`;
    return new Promise((resolve) => {
      this.waiting.get(place)?.done(null);
      this.waiting.set(place, { request, urgency, done: resolve });
      this.next();
    });
  }

  /** Forgets what waits for a slot. */
  drop(slot) {
    this.waiting.get(slot)?.done(null);
    this.waiting.delete(slot);
  }

  /**
   * Runs a command and reads its JSON document. Throws a Refusal with the program's own lines
   * for bad input; null where a newer request took its place.
   * @returns {Promise<?{document: Object, files: Object<string, string>}>}
   */
  async run(words, options = {}) {
    const files = Object.fromEntries([...this.files].filter(([name]) => words.includes(`./${name}`)));
    const answer = await this.ask({ ask: 'run', words: [...words, '--json'], files }, options);
    if (answer === null) return null;
    if (answer.error !== undefined) throw new Refusal(answer.error);
    if (answer.code !== 0) throw new Refusal(answer.err.trim() || `exit code ${answer.code}`);
    return { document: JSON.parse(answer.out), files: answer.files ?? {} };
  }

  /** The document alone. */
  async document(words, options = {}) {
    const answer = await this.run(words, options);
    return answer === null ? null : answer.document;
  }

  /** A request of the race. */
  async race(request) {
    const answer = await this.ask(request, { urgency: 4 });
    if (answer !== null && answer.error !== undefined) throw new Refusal(answer.error);
    return answer;
  }
}
