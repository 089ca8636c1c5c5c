import { writeSync } from "node:fs";
import { type Log, type LogFields, type LogLevel, logLevels } from "#api/core/log.ts";

/** How and how much to log. `write` gets whole lines; by default they go to standard output. */
export type LoggerOptions = { level: LogLevel; format: "pretty" | "json"; write?: (text: string) => unknown };

const flushAfterMs = 20;
const flushAtCharacters = 32_768;

/**
 * Writes one line for each entry, gathered for 20 ms, so that a request never waits for a terminal or a pipe.
 * Warnings and errors go out at once; call `flush` before the process ends.
 */
export const createLogger = ({ level, format, write = writeToStdout }: LoggerOptions): Log => {
  const threshold = logLevels.indexOf(level);
  const line = format === "pretty" ? formatPretty : formatJson;
  let buffer = "";
  let timer: ReturnType<typeof setTimeout> | null = null;

  const flush = () => {
    if (timer) clearTimeout(timer);
    timer = null;
    if (buffer === "") return;
    const text = buffer;
    buffer = "";
    write(text);
  };

  const at = (entryLevel: LogLevel, rank: number) => {
    if (rank < threshold) return () => {};
    return (message: string, fields?: LogFields) => {
      buffer += `${line(new Date(), entryLevel, message, fields)}\n`;
      if (rank >= 2 || buffer.length > flushAtCharacters) return flush();
      timer ??= setTimeout(flush, flushAfterMs);
    };
  };

  return { debug: at("debug", 0), info: at("info", 1), warn: at("warn", 2), error: at("error", 3), flush };
};

/** The fields are written apart: to spread them into one object with the rest would cost as much as the writing. */
const formatJson = (time: Date, level: LogLevel, message: string, fields?: LogFields): string => {
  const start = `{"time":"${time.toISOString()}","level":"${level}","message":${JSON.stringify(message)}`;
  const rest = fields === undefined ? "{}" : JSON.stringify(fields);
  const line = rest === "{}" ? `${start}}` : `${start},${rest.slice(1)}`;
  return steering.test(line) ? line.replace(everySteering, escaped) : line;
};

// What JSON leaves as it is and terminals and readers obey: C1 controls, line separators, and marks that turn the direction.
const steering = /[\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/u;
const everySteering = new RegExp(steering, "gu");
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Writes everything, also into a pipe whose reader is slow; a closed pipe is no reason to stop serving. */
const writeToStdout = (text: string): void => {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if (Reflect.get(Object(error), "code") !== "EAGAIN") return;
      Bun.sleepSync(1);
    }
  }
};

const colours: Record<LogLevel, string> = {
  debug: "\u001b[90m",
  info: "\u001b[36m",
  warn: "\u001b[33m",
  error: "\u001b[31m",
};
const reset = "\u001b[0m";
const dim = "\u001b[2m";

/** One line for people: time, level, message, then `key=value`. Control characters of the values stay escaped. */
const formatPretty = (time: Date, level: LogLevel, message: string, fields?: LogFields): string => {
  const clock = time.toTimeString().slice(0, 8);
  const facts = Object.entries(fields ?? {})
    // A link stands on a line of its own, to click on.
    .map(([key, value]) => `${key === "link" ? "\n " : ""} ${dim}${key}=${reset}${printable(value)}`)
    .join("");
  return `${dim}${clock}${reset} ${colours[level]}${level.padEnd(5)}${reset} ${message}${facts}`;
};

const printable = (value: unknown): string => {
  if (typeof value === "number" || typeof value === "boolean" || value === null) return String(value);
  if (typeof value === "string" && /^[\w.:/@?=&%+,;()[\]~-]+$/.test(value)) return value;
  return (JSON.stringify(value) ?? "undefined").replace(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
};
