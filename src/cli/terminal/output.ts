import { type CliFailure, exitCodeOf } from "#cli/failure.ts";

/** Where results and messages are written. */
export type Screen = {
  env: Record<string, string | undefined>;
  /** Writes results to standard output; `false` when its reader has gone. */
  out(text: string): boolean;
  /** Writes everything else to standard error. */
  err(text: string): void;
  isOutputTerminal: boolean;
  /** How many columns a line of standard output has; `null` where that is no terminal or does not tell. */
  columns(): number | null;
  isErrorTerminal: boolean;
};

/** How results are shown: words and tables for a person, or the API's data for a program. */
export type Output = {
  /** Whether a program reads it (`--json`). */
  isJson: boolean;
  /** Prints the data itself with `--json`, else what `asText` makes of it. */
  result<T>(data: T, asText: (data: T, style: Style) => string): void;
  /** Tells the person something that is not a result. */
  note(text: string): void;
};

/** Colors on a terminal, plain text elsewhere. */
export type Style = {
  isTerminal: boolean;
  /** How many columns a line has; `null` for any number. */
  columns: number | null;
  bold(text: string): string;
  dim(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  red(text: string): string;
};

/** The output of one command. */
export const createOutput = (terminal: Screen, isJson: boolean): Output => {
  const style = outputStyle(terminal);
  return {
    isJson,
    result: (data, asText) => {
      const text = isJson ? jsonText(data) : asText(data, style);
      if (text !== "") terminal.out(`${text}\n`);
    },
    note: (text) => terminal.err(`${text}\n`),
  };
};

/** How text on standard output is painted. */
export const outputStyle = (terminal: Screen): Style => ({
  ...styleFor(terminal, terminal.isOutputTerminal),
  columns: terminal.columns(),
});

/** Tells why a command failed, as text or as the error envelope, and returns its exit code. */
export const reportFailure = (
  terminal: Screen,
  failure: CliFailure,
  how: { isJson: boolean; isServe: boolean },
): number => {
  const { kind, message, requestId, errors, data, exitCode } = failure;
  const envelope = {
    success: false,
    code: kind,
    message,
    ...(requestId ? { requestId } : {}),
    ...(errors.length > 0 ? { errors } : {}),
    ...(data === undefined ? {} : { data }),
  };
  terminal.err(how.isJson ? `${jsonText(envelope)}\n` : failureText(terminal, failure));
  return exitCode ?? exitCodeOf(kind, how.isServe);
};

const failureText = (terminal: Screen, failure: CliFailure): string => {
  const style = styleFor(terminal, terminal.isErrorTerminal);
  const { message, errors } = headed(failure);
  const lines = [`${style.red("error:")} ${printable(message, "\n")}`];
  // One that says what the message says already would stand there twice.
  for (const { path, message: complaint } of errors.filter((error) => error.message !== message)) {
    lines.push(`  ${printable([path, complaint].filter(Boolean).join(": "))}`);
  }
  const { requestId } = failure;
  if (requestId) lines.push(style.dim(`  requestId ${printable(requestId)}`));
  return `${lines.join("\n")}\n`;
};

// What the API says of all fields together is for a form; the only complaint says more.
const headed = ({ kind, message, errors }: CliFailure): Pick<CliFailure, "message" | "errors"> => {
  const [only] = errors;
  if (kind !== "VALIDATION_FAILED" || !only || errors.length > 1) return { message, errors };
  return { message: only.path === "" ? only.message : `${only.message} (${only.path})`, errors: [] };
};

/** A value as JSON on one line that steers no terminal. */
export const jsonLine = (data: unknown): string => jsonText(data, 0);

/** JSON whose strings steer no terminal: what JSON lets stand of steering characters is escaped, the value is the same. */
const jsonText = (data: unknown, indent = 2): string =>
  JSON.stringify(data, null, indent).replace(/[\u007F-\u009F\p{Bidi_Control}]/gu, escaped);

/** JSON for a person to read: what {@link printable} takes out is escaped, so that it is the same value. */
export const shownJson = (data: unknown): string =>
  JSON.stringify(data, null, 2).replace(unprintable, (character) =>
    character === "\n" ? character : escaped(character),
  );

/** A character as JSON writes it in ASCII: one behind U+FFFF is two units. */
const escaped = (character: string): string =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");

/** Text from elsewhere without the characters that steer a terminal; `kept` stay as they are. */
export const printable = (text: string, kept = ""): string =>
  text.replace(unprintable, (character) => (kept.includes(character) ? character : "\uFFFD"));

const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const styleFor = ({ env }: Screen, isTerminal: boolean): Omit<Style, "columns"> => {
  const hasColour = isTerminal && !env.NO_COLOR && env.TERM !== "dumb";
  const paint = (code: number) => (text: string) => (hasColour ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { isTerminal, bold: paint(1), dim: paint(2), green: paint(32), yellow: paint(33), red: paint(31) };
};
