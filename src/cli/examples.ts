/** The part of a command's help that shows it in use: what it does, then how it is typed. */
export const examples = (...pairs: (readonly [purpose: string, typed: string])[]): string =>
  `\nExamples:\n${pairs.map(([purpose, typed]) => `  # ${purpose}\n  $ ${typed}\n`).join("\n")}`;
