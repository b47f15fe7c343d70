// Behind the module of emscripten. Texts go in and out as UTF-8, whatever their length.

/** What the program answered when the page was built; undefined where it was not asked that. */
function recordedAnswer(request) {
  if (globalThis.recordedAnswers === undefined) return undefined;
  try {
    const { ask, words } = JSON.parse(request);
    const out = ask === 'run' ? globalThis.recordedAnswers[words.join(' ')] : undefined;
    return out && JSON.stringify({ code: 0, out, err: '', files: {} });
  } catch {
    return undefined; // the program says what is wrong with it
  }
}

function computedAnswer(request) {
  const bytes = lengthBytesUTF8(request) + 1;
  const place = _malloc(bytes);
  stringToUTF8(request, place, bytes);
  const answer = UTF8ToString(_cubicbench_answer(place));
  _free(place);
  return answer;
}

Module['answer'] = (request) => recordedAnswer(request) ?? computedAnswer(request);
