import { readFileSync } from "node:fs";

/** What a process holds in memory, in bytes: all of it, and what it shares with no other. */
export type ProcessMemory = { residentBytes: number; privateBytes: number };

/** Asks the kernel; `null` where there is no `/proc`, and for a process that is gone. */
export const processMemory = (pid: number): ProcessMemory | null => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    const kilobytes = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]);
    const resident = kilobytes("VmRSS") * 1024;
    const own = kilobytes("RssAnon") * 1024;
    return Number.isNaN(resident + own) ? null : { residentBytes: resident, privateBytes: own };
  } catch {
    return null;
  }
};

/** Processor time that the first thread of a process has used, in ms, and whether somebody has stopped the process. */
export type ProcessWork = { cpuMs: number; isStopped: boolean };

/** See {@link processMemory}. */
export const processWork = (pid: number): ProcessWork | null => {
  try {
    // Others collect garbage and compile. The name stands in brackets, and may hold anything.
    const [state, ...fields] = readFileSync(`/proc/${pid}/task/${pid}/stat`, "latin1")
      .replace(/^.*\) /s, "")
      .split(" ");
    const ticks = Number(fields[10]) + Number(fields[11]);
    return Number.isNaN(ticks) ? null : { cpuMs: ticks * tickMs, isStopped: state === "T" || state === "t" };
  } catch {
    return null;
  }
};

// Linux counts a hundred a second wherever it tells programs of it.
const tickMs = 10;
