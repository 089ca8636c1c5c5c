/** A file for the reader's downloads. */
type SavedFile = { name: string; type: string; text: string };

// Long enough for the slowest browser to have begun reading.
const keptMs = 60_000;

/** Hands a text to the browser as a download. */
export const saveFile = ({ name, type, text }: SavedFile): void => {
  const href = URL.createObjectURL(new Blob([text], { type }));
  Object.assign(document.createElement("a"), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), keptMs);
};
