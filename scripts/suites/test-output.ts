/** Follows what `bun test` prints while it runs. */
export type TestOutput = {
  /** Takes the next piece of its standard error. */
  take(text: string): void;
  /** Its last lines, colors removed: enough for the summary. */
  tail(): string;
  /** Tests that passed, tests that failed, and the files seen so far. */
  seen(): { passed: number; failed: number; files: number };
  /** Errors outside of tests, which the junit report leaves out, each with its file. */
  strayErrors(): string[];
};

/** `onFailure` hears of each failed test as soon as it is printed. */
export const followOutput = (onFailure: (title: string) => void): TestOutput => {
  let rest = "";
  let tail = "";
  let file = "";
  let passed = 0;
  let failed = 0;
  const files = new Set<string>();
  const stray: string[] = [];
  let block: string[] | null = null;
  let isOver = false;
  const takeLine = (line: string): void => {
    // A long run ends with a list of the failures that it has told of.
    isOver ||= /^\d+ tests? failed:$/.test(line);
    if (isOver) return;
    const header = /^(\S.*\.test\.tsx?):$/.exec(line)?.[1];
    if (header !== undefined) {
      file = header;
      files.add(file);
    }
    if (line.startsWith("(pass) ")) passed += 1;
    if (line.startsWith("(fail) ")) {
      failed += 1;
      onFailure(`${file} > ${line.slice(7).replace(/ \[[^\]]*\]$/, "")}`);
    }
    if (line.startsWith("# Unhandled error")) block = [file];
    else if (block !== null && (block.length > 1 || !line.startsWith("---"))) {
      if (line.startsWith("---")) {
        stray.push(block.join("\n"));
        block = null;
      } else block.push(line);
    }
  };
  return {
    take: (text) => {
      const lines = `${rest}${Bun.stripANSI(text)}`.split("\n");
      rest = lines.pop() ?? "";
      tail = (tail + Bun.stripANSI(text)).slice(-tailCharacters);
      for (const line of lines) takeLine(line);
    },
    tail: () => tail,
    seen: () => ({ passed, failed, files: files.size }),
    strayErrors: () => stray,
  };
};

const tailCharacters = 6000;
