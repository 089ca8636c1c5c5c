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
