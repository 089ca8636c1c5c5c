import { readFileSync } from "node:fs";

/** Memory of a process in bytes: all of it, and its private part. */
export type ProcessMemory = { residentBytes: number; privateBytes: number };

/** Asks the kernel; `null` if there is no `/proc`, and for a process that is gone. */
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

/** CPU time of the first thread of a process, in ms, and whether the process was stopped. */
export type ProcessWork = { cpuMs: number; isStopped: boolean };

/** See {@link processMemory}. */
export const processWork = (pid: number): ProcessWork | null => {
  try {
    // Other threads collect garbage and compile. The name is in brackets, and can contain anything.
    const [state, ...fields] = readFileSync(`/proc/${pid}/task/${pid}/stat`, "latin1")
      .replace(/^.*\) /s, "")
      .split(" ");
    const ticks = Number(fields[10]) + Number(fields[11]);
    return Number.isNaN(ticks) ? null : { cpuMs: ticks * tickMs, isStopped: state === "T" || state === "t" };
  } catch {
    return null;
  }
};

// Linux always reports a hundred ticks per second to programs.
const tickMs = 10;
