import { readFileSync } from "node:fs";

/** Whether a process does anything still: one that no one has asked for its end yet does not. Source: proc(5), field 3. */
export const isAlive = (pid: number): boolean => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
};
