/**
 * Text as roff prints it, in ASCII: its backslashes are no commands, hyphens and quotes stay what can be typed, and whatever else
 * there is stands by its number, since roff reads no UTF-8 by itself. Forms of both groff and mandoc.
 */
export const emphasised = (text: string): string =>
  text.replace(
    /[\\\-"'`^~]|[^\t\n\u0020-\u007e]/gu,
    (character) => escapes[character] ?? byNumber(character),
  );

const escapes: Record<string, string> = {
  "\\": "\\e",
  "-": "\\-",
  '"': "\\(dq",
  "'": "\\(aq",
  "`": "\\(ga",
  "^": "\\(ha",
  "~": "\\(ti",
};

const byNumber = (character: string): string =>
  `\\[u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`;

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
