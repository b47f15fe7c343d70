// Prints the engine with the answers of the program to the command lines of web/recorded.txt in front of it:
//
//   node web/record.mjs PROGRAM ENGINE.js

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const [program, engine] = process.argv.slice(2);
if (engine === undefined) {
  console.error('usage: node web/record.mjs PROGRAM ENGINE.js');
  process.exit(2);
}
const lines = readFileSync(new URL('recorded.txt', import.meta.url), 'utf8').trim().split('\n');
const recorded = {};
for (const line of lines) {
  const words = [...line.split(' '), '--json'];
  recorded[words.join(' ')] = execFileSync(program, [...words, '--quiet'], { encoding: 'utf8', maxBuffer: 2 ** 28 });
}
process.stdout.write(`globalThis.recordedAnswers = ${JSON.stringify(recorded)};\n${readFileSync(engine, 'utf8')}`);
