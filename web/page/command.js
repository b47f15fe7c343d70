// The words of commands, and how a shell would be told them.

/** "--set" options for settings. */
export function setWords(sets) {
  return Object.entries(sets).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
}

/** What `--against` takes: at least one setting, so the first knob's own value stands for none. */
export function againstWord(sets) {
  return Object.entries(sets).map(([name, value]) => `${name}=${value}`).join(',');
}

/** A word as a shell reads it. */
export function quoted(word) {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replace(/'/g, "'\\''")}'`;
}

/** The command line of words, for the clipboard. */
export function commandLine(words) {
  return ['cubicbench', ...words].map(quoted).join(' ');
}
