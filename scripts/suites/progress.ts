/** Shows how far a long run is, on standard error. */
export type Progress = {
  /** What the run is doing now. */
  update(text: string): void;
  /** Prints a line that stays. */
  say(line: string): void;
  /** Ends the moving line. */
  end(): void;
};

/** On a terminal one moving line; elsewhere, where a line stays, one a minute. */
export const createProgress = (write: (text: string) => void, isTerminal: boolean): Progress => {
  let latest = "";
  const timer = setInterval(
    () => write(isTerminal ? `\r\x1b[K${latest}` : `${latest}\n`),
    isTerminal ? 200 : 60_000,
  );
  timer.unref();
  return {
    update: (text) => {
      latest = text.slice(0, isTerminal ? (process.stderr.columns ?? 80) - 1 : undefined);
    },
    say: (line) => write(isTerminal ? `\r\x1b[K${line}\n` : `${line}\n`),
    end: () => {
      clearInterval(timer);
      if (isTerminal) write("\r\x1b[K");
    },
  };
};

/** `90` as `1:30`. */
export const minutes = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
