import { type CliFailure, exitCodeOf } from "./failure.ts";
import type { Terminal } from "./terminal.ts";

/** How results are shown: words and tables for a person, or the API's data for a program. */
export type Output = {
  /** Prints the data itself with `--json`, else what `asText` makes of it. */
  result<T>(data: T, asText: (data: T, style: Style) => string): void;
  /** Tells the person something that is not a result. */
  note(text: string): void;
};

/** Colours on a terminal, plain text elsewhere. */
export type Style = {
  isTerminal: boolean;
  bold(text: string): string;
  dim(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  red(text: string): string;
};

/** The output of one command. */
export const createOutput = (terminal: Terminal, isJson: boolean): Output => {
  const style = styleFor(terminal, terminal.isOutputTerminal);
  return {
    result: (data, asText) => {
      const text = isJson ? JSON.stringify(data, null, 2) : asText(data, style);
      if (text !== "") terminal.out(`${text}\n`);
    },
    note: (text) => terminal.err(`${text}\n`),
  };
};

/** Tells why a command failed, as text or as the error envelope, and returns its exit code. */
export const reportFailure = (
  terminal: Terminal,
  failure: CliFailure,
  how: { isJson: boolean; isServe: boolean },
): number => {
  const { kind, message, requestId, errors } = failure;
  const envelope = {
    success: false,
    code: kind,
    message,
    ...(requestId ? { requestId } : {}),
    ...(errors.length > 0 ? { errors } : {}),
  };
  terminal.err(how.isJson ? `${JSON.stringify(envelope, null, 2)}\n` : failureText(terminal, failure));
  return exitCodeOf(kind, how.isServe);
};

const failureText = (terminal: Terminal, { message, requestId, errors }: CliFailure): string => {
  const style = styleFor(terminal, terminal.isErrorTerminal);
  const lines = [`${style.red("error:")} ${printable(message, "\n")}`];
  for (const { path, message: complaint } of errors) {
    lines.push(`  ${printable([path, complaint].filter(Boolean).join(": "))}`);
  }
  if (requestId) lines.push(style.dim(`  requestId ${requestId}`));
  return `${lines.join("\n")}\n`;
};

/** Text from elsewhere without the characters that steer a terminal; `kept` stay as they are. */
export const printable = (text: string, kept = ""): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    kept.includes(character) ? character : "\uFFFD",
  );

const styleFor = ({ env }: Terminal, isTerminal: boolean): Style => {
  const hasColour = isTerminal && !env.NO_COLOR && env.TERM !== "dumb";
  const paint = (code: number) => (text: string) => (hasColour ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { isTerminal, bold: paint(1), dim: paint(2), green: paint(32), yellow: paint(33), red: paint(31) };
};
