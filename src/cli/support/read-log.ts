import { readlinkSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { Scrubber } from "./create-scrubber.ts";
import { scrubValue } from "./scrub-value.ts";

/** The file that the server's standard output goes to; `null` where that is none, or nobody can tell. */
export const findLogFile = (pid: number | null): string | null => {
  if (pid === null) return null;
  try {
    const path = readlinkSync(`/proc/${pid}/fd/1`);
    return statSync(path).isFile() ? path : null;
  } catch {
    return null;
  }
};

/** The end of a log, at most 8 MB of it. Throws when it cannot be read. */
export const readLogEnd = async (path: string): Promise<string> => {
  const file = await open(path);
  try {
    return await readEnd(file);
  } finally {
    await file.close();
  }
};

/** The last lines of a log without secrets and people. */
export const scrubLog = (text: string, scrub: Scrubber): string =>
  text
    .trimEnd()
    .split("\n")
    .slice(-mostLines)
    .map((line) => scrubLine(line.slice(0, longestLine), scrub))
    .join("\n");

const readEnd = async (file: FileHandle): Promise<string> => {
  const { size } = await file.stat();
  const start = Math.max(0, size - mostBytes);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
  const text = buffer.toString("utf8", 0, bytesRead);
  return start === 0 ? text : text.slice(text.indexOf("\n") + 1);
};

const scrubLine = (line: string, scrub: Scrubber): string => {
  const fields = parsed(line);
  return fields === null ? scrub(line, { isFree: true }) : JSON.stringify(scrubValue(fields, scrub, true));
};

const parsed = (line: string): object | null => {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" ? value : null;
  } catch {
    // A line for people.
    return null;
  }
};

const mostBytes = 8_000_000;
const mostLines = 5_000;
const longestLine = 20_000;
