import { writeSync } from "node:fs";
import type { Log, LogFields, LogLevel } from "#api/core/log.ts";
import { logLevels } from "#api/core/log.ts";
import { formatPretty } from "./format-pretty.ts";

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
