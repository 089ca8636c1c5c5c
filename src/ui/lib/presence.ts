import { backgroundHeader } from "#contract/proof.ts";

// What follows an input within this time is its consequence; the server counts uses by the minute, too.
const consequenceMs = 60_000;
const inputs = ["click", "keydown", "pointerdown", "touchmove", "wheel"];

// Until someone watches, every request counts.
let isWatched = false;
let inputAtMs = 0;
let usedAtMs = 0;
const listeners = new Set<() => void>();

/** Notes that the reader has done something. */
export const noteInput = (): void => {
  inputAtMs = Date.now();
  for (const listener of listeners) listener();
};

/** Watches for inputs from now on; returns how to stop. */
export const watchInputs = (): (() => void) => {
  isWatched = true;
  noteInput();
  const how = { capture: true, passive: true };
  for (const type of inputs) document.addEventListener(type, noteInput, how);
  return () => {
    isWatched = false;
    for (const type of inputs) document.removeEventListener(type, noteInput, how);
  };
};

/** Calls `listener` at every input of the reader; returns how to stop. */
export const onInput = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** When the last request was made that counts as a use of the session. */
export const lastUseMs = (): number => usedAtMs;

/** Headers of a request to the server: what no one at the page has caused doesn't count as a use of the session. */
export const presenceHeaders = (): Record<string, string> => {
  const nowMs = Date.now();
  if (isWatched && nowMs - inputAtMs >= consequenceMs) return { [backgroundHeader]: "1" };
  usedAtMs = nowMs;
  return {};
};
