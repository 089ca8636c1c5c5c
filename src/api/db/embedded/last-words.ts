/**
 * What a process said of its end, in one line: the message of the error that ended it, without the source code, the
 * fields, the stack and the version that the runtime prints around it. Empty where it said nothing.
 */
export const lastWords = (printed: string): string => {
  const said = printed.split("\n").find((line) => line.trim() !== "" && !surroundings.test(line)) ?? "";
  return said
    .trim()
    .replace(/^error: /, "")
    .slice(0, longest);
};

// `242 | code`, the mark below it, `   code: "ENOSPC"`, `  at file:1:2`, and the last line.
const surroundings = /^\s*\d+ \||^\s*\^+\s*$|^\s+\w+: |^\s+at |^Bun v\d/;
const longest = 200;
