import type { LogFields, LogLevel } from "#api/core/log.ts";

const colours: Record<LogLevel, string> = {
  debug: "\u001b[90m",
  info: "\u001b[36m",
  warn: "\u001b[33m",
  error: "\u001b[31m",
};
const reset = "\u001b[0m";
const dim = "\u001b[2m";

/** One line for people: time, level, message, then `key=value`. Control characters of the values stay escaped. */
export const formatPretty = (time: Date, level: LogLevel, message: string, fields?: LogFields): string => {
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
