import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Check, ok, warn } from "./check.ts";

/** What the system allows and does with the running server, as Linux tells it; nothing where no server runs. */
export const checkProcess = (dataDir: string, isRunning: boolean, processes = "/proc"): Check[] => {
  const pid = isRunning ? Number.parseInt(read(join(dataDir, "lock")) ?? "", 10) : Number.NaN;
  if (!Number.isInteger(pid)) return [];
  const limits = read(join(processes, String(pid), "limits"));
  const environment = read(join(processes, String(pid), "environ"));
  return [
    ...(limits === null ? [] : [openFiles(limits)]),
    ...(environment === null ? [] : [logFormat(environment.split("\0"))]),
  ];
};

const openFiles = (limits: string): Check => {
  const name = "open files";
  const most = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  if (most === undefined || Number(most) >= comfortableFiles)
    return ok(name, `the server may open ${most ?? "any number"}`);
  return warn(
    name,
    `the server may open ${most} files, and each connection is one`,
    "raise the limit: LimitNOFILE=65536 in the systemd unit, or ulimit -n before the start",
  );
};

// systemd names the journal's stream to what it starts.
const logFormat = (environment: readonly string[]): Check => {
  const name = "log";
  const isJournal = environment.some((entry) => entry.startsWith("JOURNAL_STREAM="));
  const isPretty = environment.some((entry) => entry.trim() === "LOG_FORMAT=pretty");
  if (isJournal && isPretty)
    return warn(
      name,
      "lines for people, with colours, go to the journal",
      "leave LOG_FORMAT out: without a terminal each line is JSON, which journalctl and collectors read",
    );
  return ok(name, isJournal ? "JSON lines to the journal" : "to the server's standard output");
};

const read = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Another system, or another user's process: then nothing is known of it.
    return null;
  }
};

const comfortableFiles = 4_096;
