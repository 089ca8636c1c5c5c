import { formatBytes } from "./format.ts";
import type { Terminal } from "./terminal.ts";

/** A line on standard error that tells how far long work has come. */
export type Progress = {
  isShown: boolean;
  /**
   * Shows it, in place of what was shown before; too soon after that, nothing happens. A step (`isStep`) is always shown:
   * what follows it may take long, and would be shown under the name of what came before.
   */
  show(text: () => string, how?: { isStep: boolean }): void;
  /** Takes the line away. */
  end(): void;
};

// Ten times a second is smooth enough, and costs nothing.
const everyMs = 100;
// Carriage return, and "erase to the end of the line" (ECMA-48 §8.3.41).
const backToStart = "\r\u001b[K";

/**
 * The progress of a command. It is shown on a terminal only, and not on one that gets results meanwhile
 * (`isBesideResults`).
 */
export const createProgress = (terminal: Terminal, { isBesideResults = false } = {}): Progress => {
  const isShown = terminal.isErrorTerminal && !(isBesideResults && terminal.isOutputTerminal);
  let shownAtMs: number | null = null;
  return {
    isShown,
    show: (text, { isStep } = { isStep: false }) => {
      const now = performance.now();
      const isTooSoon = !isStep && shownAtMs !== null && now - shownAtMs < everyMs;
      if (!isShown || isTooSoon) return;
      shownAtMs = now;
      terminal.err(`${backToStart}${text()}`);
    },
    end: () => {
      if (shownAtMs !== null) terminal.err(backToStart);
      shownAtMs = null;
    },
  };
};

/** Shows what is being done for as long as it takes, and takes that away before anything else is written. */
export const duringStep = <T>(progress: Progress, text: string, work: () => Promise<T>): Promise<T> => {
  progress.show(() => text, { isStep: true });
  return work().finally(progress.end);
};

/** The bytes as they come, with how many there are so far shown, `ofBytes` where that is known. */
export async function* showingBytes(
  progress: Progress,
  bytes: AsyncIterable<Uint8Array>,
  ofBytes: number | null = null,
): AsyncGenerator<Uint8Array> {
  const end = ofBytes === null ? "" : ` of ${formatBytes(ofBytes)}`;
  let sofar = 0;
  for await (const chunk of bytes) {
    sofar += chunk.byteLength;
    progress.show(() => `${formatBytes(sofar)}${end}`);
    yield chunk;
  }
}

const barWidth = 24;

/** A bar that is filled by a share from 0 to 1, with the share in percent behind it. */
export const progressBar = (share: number): string => {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * barWidth);
  return `${"█".repeat(filled)}${"░".repeat(barWidth - filled)} ${Math.floor(share * 100)}%`;
};
