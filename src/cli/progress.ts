import type { Terminal } from "./terminal.ts";

/** A line on standard error that tells how far long work has come. */
export type Progress = {
  isShown: boolean;
  /** Shows it, in place of what was shown before; too soon after that, nothing happens. */
  show(text: () => string): void;
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
    show: (text) => {
      const now = performance.now();
      if (!isShown || (shownAtMs !== null && now - shownAtMs < everyMs)) return;
      shownAtMs = now;
      terminal.err(`${backToStart}${text()}`);
    },
    end: () => {
      if (shownAtMs !== null) terminal.err(backToStart);
      shownAtMs = null;
    },
  };
};

const barWidth = 24;

/** A bar that is filled by a share from 0 to 1, with the share in percent behind it. */
export const progressBar = (share: number): string => {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * barWidth);
  return `${"█".repeat(filled)}${"░".repeat(barWidth - filled)} ${Math.floor(share * 100)}%`;
};
