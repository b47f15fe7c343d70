// Chromium without a window, driven over its debugging pipe: no package is needed.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A running browser; `send` speaks to it, `close` ends it. */
class Browser {
  constructor(program) {
    this.profile = mkdtempSync(join(tmpdir(), 'explorer-'));
    this.process = spawn(program, [
      '--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--no-first-run',
      '--disable-dev-shm-usage', '--enable-precise-memory-info', '--js-flags=--expose-gc',
      `--user-data-dir=${this.profile}`, '--remote-debugging-pipe', 'about:blank',
    ], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    this.count = 0;
    this.waiting = new Map();
    this.listeners = new Set();
    let rest = Buffer.alloc(0);
    this.process.stdio[4].on('data', (data) => {
      rest = Buffer.concat([rest, data]);
      for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
        this.received(JSON.parse(rest.subarray(0, end).toString()));
        rest = rest.subarray(end + 1);
      }
    });
  }

  received(message) {
    const job = this.waiting.get(message.id);
    if (job) {
      this.waiting.delete(message.id);
      if (message.error) job.reject(new Error(`${job.method}: ${message.error.message}`));
      else job.resolve(message.result);
      return;
    }
    for (const listener of this.listeners) listener(message);
  }

  send(method, params = {}, sessionId = undefined) {
    this.count += 1;
    const id = this.count;
    this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, method });
    });
  }

  close() {
    return new Promise((resolve) => {
      this.process.on('exit', () => {
        rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
        resolve();
      });
      this.send('Browser.close').catch(() => {});
      setTimeout(() => this.process.kill('SIGKILL'), 4000).unref();
    });
  }
}

/** One tab: opens pages, evaluates, presses keys, takes pictures, collects what goes wrong. */
export class Tab {
  static async open(program = process.env.CHROMIUM ?? 'chromium') {
    const tab = new Tab();
    tab.browser = new Browser(program);
    const { targetInfos } = await tab.browser.send('Target.getTargets');
    const { targetId } = targetInfos.find((one) => one.type === 'page');
    const { sessionId } = await tab.browser.send('Target.attachToTarget', { targetId, flatten: true });
    tab.session = sessionId;
    tab.problems = [];
    tab.requests = [];
    tab.browser.listeners.add((message) => tab.hear(message));
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await tab.send(`${domain}.enable`);
    return tab;
  }

  hear({ method, params }) {
    if (method === 'Runtime.exceptionThrown') {
      const { exceptionDetails } = params;
      this.problems.push(exceptionDetails.exception?.description ?? exceptionDetails.text);
    } else if (method === 'Runtime.consoleAPICalled' && ['error', 'warning'].includes(params.type)) {
      this.problems.push(params.args.map((one) => one.value ?? one.description).join(' '));
    } else if (method === 'Log.entryAdded' && params.entry.level === 'error') {
      this.problems.push(`${params.entry.text} ${params.entry.url ?? ''}`);
    } else if (method === 'Network.requestWillBeSent') {
      this.requests.push(params.request.url);
    }
  }

  send(method, params = {}) {
    return this.browser.send(method, params, this.session);
  }

  /** Opens a page; `seconds` from then on are counted by the page's own clock. */
  async go(url) {
    await this.send('Page.navigate', { url });
  }

  /** The value of an expression in the page, awaited if it is a promise. */
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
      expression, awaitPromise: true, returnByValue: true, userGesture: true,
    });
    if (exceptionDetails) {
      throw new Error(`${exceptionDetails.exception?.description ?? exceptionDetails.text}\n${expression}`);
    }
    return result.value;
  }

  /** Waits until an expression is true; what it is about is said where that takes too long. */
  async until(expression, about, milliseconds = 20000) {
    const end = Date.now() + milliseconds;
    for (;;) {
      const value = await this.evaluate(expression).catch(() => false);
      if (value) return value;
      if (Date.now() > end) throw new Error(`waited ${milliseconds} ms for: ${about}`);
      await new Promise((resolve) => { setTimeout(resolve, 25); });
    }
  }

  async size(width, height, isDark = false) {
    await this.send('Emulation.setDeviceMetricsOverride', {
      width, height, deviceScaleFactor: 1, mobile: width < 600,
    });
    await this.send('Emulation.setEmulatedMedia', {
      features: [{ name: 'prefers-color-scheme', value: isDark ? 'dark' : 'light' }],
    });
  }

  /** The page, or all of it down to its end, as a PNG. */
  async picture(isWhole = true) {
    const { cssContentSize } = await this.send('Page.getLayoutMetrics');
    const clip = isWhole ? { clip: { x: 0, y: 0, width: cssContentSize.width, height: cssContentSize.height, scale: 1 } } : {};
    const { data } = await this.send('Page.captureScreenshot', {
      format: 'png', captureBeyondViewport: isWhole, ...clip,
    });
    return Buffer.from(data, 'base64');
  }

  async press(key, code = key, windowsVirtualKeyCode = 0) {
    for (const type of ['keyDown', 'keyUp']) {
      await this.send('Input.dispatchKeyEvent', { type, key, code, windowsVirtualKeyCode });
    }
  }

  close() {
    return this.browser.close();
  }
}
