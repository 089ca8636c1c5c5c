// Long enough for the slowest browser to have begun reading.
const keptMs = 60_000;

/** Hands bytes to the browser as a download. */
export const saveBlob = (blob: Blob, name: string): void => {
  const href = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), keptMs);
};
