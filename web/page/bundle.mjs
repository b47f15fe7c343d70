// Makes the page one file: modules, styles, pictures of lessons and the engine go into index.html,
// under a policy that names them by their hashes and forbids everything else.
//
//   node web/page/bundle.mjs --engine FILE.js --out FOLDER [--connect ORIGIN]
//
// FILE.js defines createEngine, with its WebAssembly inside; it is packed by zopfli. --connect allows requests to ORIGIN, for
// development with an engine that runs elsewhere.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../..');

function read(path) {
  return readFileSync(path, 'utf8');
}

/** The value of an option of the command line. */
function option(name, isNeeded = true) {
  const at = process.argv.indexOf(`--${name}`);
  if (at < 0 || process.argv[at + 1] === undefined) {
    if (!isNeeded) return null;
    console.error(`bundle.mjs: expected --${name} with a value`);
    process.exit(2);
  }
  return process.argv[at + 1];
}

const importLine = /^import (\{[^}]*\}) from '\.\/([a-z_]+)\.js';$/gm;
const exportWord = /^export (?=(?:async )?function|const|class)/gm;
const exportName = /^export (?:async )?(?:function|const|class) (\w+)/gm;

/**
 * Modules in the order in which they need one another, each as a function that returns what it
 * exports.
 */
function bundled(entry) {
  const done = new Map();
  const parts = [];
  const add = (name, path) => {
    if (path.includes(name)) throw new Error(`modules in a circle: ${[...path, name].join(' -> ')}`);
    if (done.has(name)) return;
    done.set(name, true);
    const source = read(join(here, `${name}.js`));
    for (const [, , needed] of source.matchAll(importLine)) add(needed, [...path, name]);
    const names = [...source.matchAll(exportName)].map(([, exported]) => exported);
    const body = source
      .replace(importLine, (_, what, needed) => `const ${what.replace(/ as /g, ': ')} = module_${needed};`)
      .replace(exportWord, '');
    parts.push(`const module_${name} = (() => {\n${body}\nreturn { ${names.join(', ')} };\n})();`);
  };
  add(entry, []);
  return `'use strict';\n(() => {\n${parts.join('\n')}\n})();\n`;
}

/** Problems of which every configuration was valued. */
function raceProblems() {
  const names = readdirSync(join(root, 'results/reference'))
    .filter((name) => name.endsWith('.json')).map((name) => name.replace('.json', ''));
  const families = names.filter((name) => name.includes('@'));
  return [...families, ...names.filter((name) => !name.includes('@'))];
}

/** Pictures that gnuplot drew for the lessons, with the text around them in docs/lessons. */
function lessonFigures() {
  const folder = join(root, 'docs/lessons');
  const figures = {};
  for (const name of readdirSync(folder).filter((one) => /^\d\d-.*\.md$/.test(one))) {
    const text = read(join(folder, name));
    const found = /^!\[(.*)\]\((figures\/.*\.svg)\)\n\n(.*)$/m.exec(text);
    if (!found || !existsSync(join(folder, found[2]))) continue;
    figures[Number(name.slice(0, 2))] = {
      title: found[1], caption: found[3], svg: read(join(folder, found[2])),
    };
  }
  return figures;
}

/** The scenario files of the library, by their names, to be saved with a plan in them. */
function libraryFiles() {
  const folder = join(root, 'scenarios/library');
  return Object.fromEntries(readdirSync(folder).filter((name) => name.endsWith('.json'))
    .map((name) => [name.replace('.json', ''), read(join(folder, name))]));
}

/**
 * The engine with its WebAssembly as a text of bytes in the place of base64, which gzip cannot
 * compress: the same module in three quarters of the size, and nothing that it would fetch.
 */
function engineText(file) {
  const code = read(file);
  const [uri, base64] = /data:application\/octet-stream;base64,([A-Za-z0-9+/=]+)/.exec(code) ?? [];
  if (uri === undefined) return code;
  const escapes = { '\\': '\\\\', '"': '\\"', '\n': '\\n', '\r': '\\r' };
  const bytes = Buffer.from(base64, 'base64').toString('latin1').replace(/[\\"\n\r]/g, (one) => escapes[one]);
  return `${code.replace(uri, () => 'engine.wasm')}
{
  const text = "${bytes}";
  const wasmBinary = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) wasmBinary[i] = text.charCodeAt(i);
  const make = createEngine;
  createEngine = () => make({ wasmBinary });
}
`;
}

/** Packed by zopfli, which finds gzip's shortest forms: a thirteenth less than gzip itself, and read by the same browsers. */
function packed(text) {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  const file = join(folder, 'text');
  writeFileSync(file, text);
  const gzip = execFileSync('zopfli', ['--i5', '-c', file], { maxBuffer: 2 ** 26 });
  rmSync(folder, { recursive: true });
  return gzip.toString('base64');
}

function hash(text) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** JSON that may stand inside a script element. */
function embedded(value) {
  return JSON.stringify(value).replace(/</g, '\\u003c');
}

const script = bundled('main');
if (/<\/script/i.test(script)) throw new Error('a module has the end of a script in it');
const style = ['page.css', 'controls.css', 'panels.css'].map((name) => read(join(here, name))).join('\n');
const figureStyle = read(join(here, 'figure.css'));
const connect = option('connect', false);
const policy = [
  "default-src 'none'", `script-src ${hash(script)} 'wasm-unsafe-eval'`, 'worker-src blob:',
  `style-src ${hash(style)} ${hash(figureStyle)}`, 'img-src data:', "base-uri 'none'",
  "form-action 'none'", `connect-src ${connect ?? "'none'"}`,
].join('; ');
const parts = {
  policy, style, 'figure-style': figureStyle, script,
  'race-problems': embedded(raceProblems()), 'lesson-figures': embedded(lessonFigures()),
  library: packed(JSON.stringify(libraryFiles())),
  engine: packed(engineText(option('engine'))),
};
const page = read(join(here, 'index.html')).replace(/\{\{([a-z-]+)\}\}/g, (_, name) => parts[name]);
const out = option('out');
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'index.html'), page);
console.log(`${join(out, 'index.html')}: ${page.length} bytes, ${gzipSync(page, { level: 9 }).length} packed`);
