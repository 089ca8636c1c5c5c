/** Text as roff prints it: its backslashes are no commands, and hyphens stay what can be typed. */
export const emphasised = (text: string): string =>
  text.replace(/\\/g, "\\e").replace(/-/g, "\\-").replace(/"/g, "\\(dq");

/** Text in lines that roff fills: none begins as a command would. */
export const plainLines = (text: string): string[] =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => safe(emphasised(line.trim())));

/** Text whose lines stay as they are, such as what is typed. */
export const verbatim = (text: string): string[] => [
  ".PP",
  ".nf",
  ...text.split("\n").map((line) => (line.trim() === "" ? ".sp" : safe(emphasised(line)))),
  ".fi",
];

const safe = (line: string): string => (/^[.']/.test(line) ? `\\&${line}` : line);
