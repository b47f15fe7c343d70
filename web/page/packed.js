// Texts that lie in the page as base64 of gzip.

/** The text in the element with this id. */
export async function packedText(id) {
  const base64 = document.getElementById(id).textContent.trim();
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).text();
}
