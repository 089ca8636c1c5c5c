import { readdirSync, readFileSync } from "node:fs";

/** Linux counts processor time in ticks of 10 ms. */
const tickUs = 10_000;

type Stat = { parent: number; ticks: number };

/** The process and all that descend from it, as far as they live. */
export const processTree = (root: number): number[] => {
  const children = Map.groupBy(livingProcesses(), ({ parent }) => parent);
  const found = [root];
  // Grows while it is walked: children are appended behind the one that has them.
  for (const pid of found) found.push(...(children.get(pid) ?? []).map((child) => child.pid));
  return found;
};

/**
 * Processor time that a process has used, in microseconds: its threads, in and outside the kernel, and the children
 * that ended. The living ones count for themselves.
 */
export const cpuUs = (pids: number[]): number =>
  pids.reduce((sum, pid) => sum + (readStat(pid)?.ticks ?? 0), 0) * tickUs;

/** Memory that is really in use by the processes, shared pages counted in each, in bytes. */
export const residentBytes = (pids: number[]): number =>
  pids.reduce((sum, pid) => sum + Number(/VmRSS:\s+(\d+)/.exec(statusOf(pid))?.[1] ?? 0) * 1024, 0);

/** The most that one of the processes has had resident so far, in bytes. */
export const peakBytes = (pids: number[]): number =>
  Math.max(0, ...pids.map((pid) => Number(/VmHWM:\s+(\d+)/.exec(statusOf(pid))?.[1] ?? 0) * 1024));

/** The process that started `pid`. Throws when `pid` is gone. */
export const parentOf = (pid: number): number => {
  const stat = readStat(pid);
  if (stat === null) throw new Error(`process ${pid} has ended`);
  return stat.parent;
};

const livingProcesses = (): { pid: number; parent: number }[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = readStat(Number(name));
      return stat === null ? [] : [{ pid: Number(name), parent: stat.parent }];
    });

/** `null` for a process that ended meanwhile. Source: proc(5), fields 4 and 14 to 17. */
const readStat = (pid: number): Stat | null => {
  const text = readText(`/proc/${pid}/stat`);
  if (text === null) return null;
  // The command's name is in parentheses and may hold anything.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { parent: Number(fields[1]), ticks };
};

const statusOf = (pid: number): string => readText(`/proc/${pid}/status`) ?? "";

const readText = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Processes come and go while they are read.
    return null;
  }
};
