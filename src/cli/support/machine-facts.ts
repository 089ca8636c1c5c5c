import { existsSync, readdirSync, readFileSync, statfsSync, statSync } from "node:fs";
import { arch, availableParallelism, freemem, loadavg, platform, release, totalmem, uptime } from "node:os";
import { join } from "node:path";

/** What the machine has and how much of it is in use; of the server's process too, where one runs. */
export const machineFacts = (dataDir: string, pid: number | null): object => ({
  platform: platform(),
  release: release(),
  arch: arch(),
  cpus: availableParallelism(),
  load: loadavg(),
  uptimeS: Math.round(uptime()),
  memory: { totalBytes: totalmem(), freeBytes: freemem() },
  container: {
    memoryMax: lineOf("/sys/fs/cgroup/memory.max"),
    memoryCurrent: lineOf("/sys/fs/cgroup/memory.current"),
    cpuMax: lineOf("/sys/fs/cgroup/cpu.max"),
    pidsMax: lineOf("/sys/fs/cgroup/pids.max"),
  },
  disk: attempt(() => {
    const { type, blocks, bavail, bsize, files, ffree } = statfsSync(dataDir);
    return { type, totalBytes: blocks * bsize, freeBytes: bavail * bsize, inodes: files, freeInodes: ffree };
  }),
  processes: pid === null ? [] : [pid, ...childrenOf(pid)].map(processFacts),
});

/** What lies in the data folder, its first level alone: names further in may be about people. */
export const dataFolderFacts = (dataDir: string): object[] =>
  (existsSync(dataDir) ? readdirSync(dataDir, { withFileTypes: true }) : []).map((entry) => {
    const path = join(dataDir, entry.name);
    const stats = statSync(path, { throwIfNoEntry: false });
    return {
      name: entry.name,
      kind: kindOf(entry),
      mode: stats === undefined ? null : (stats.mode & 0o7777).toString(8),
      owner: stats?.uid ?? null,
      modifiedAt: stats?.mtime.toISOString() ?? null,
      sizeBytes: entry.isDirectory() ? null : (stats?.size ?? null),
      entries: entry.isDirectory() ? attempt(() => readdirSync(path).length) : null,
    };
  });

const kindOf = (entry: { isDirectory(): boolean; isFile(): boolean; isSocket(): boolean }): string => {
  if (entry.isDirectory()) return "folder";
  if (entry.isSocket()) return "socket";
  return entry.isFile() ? "file" : "other";
};

const processFacts = (pid: number): object => {
  const status = lineOf(`/proc/${pid}/status`, Number.POSITIVE_INFINITY) ?? "";
  const fact = (name: string) => new RegExp(`^${name}:\\s*(.+)$`, "m").exec(status)?.[1] ?? null;
  return {
    pid,
    name: fact("Name"),
    state: fact("State"),
    resident: fact("VmRSS"),
    peakResident: fact("VmHWM"),
    swapped: fact("VmSwap"),
    threads: fact("Threads"),
    openFiles: attempt(() => readdirSync(`/proc/${pid}/fd`).length),
  };
};

const childrenOf = (pid: number): number[] =>
  (lineOf(`/proc/${pid}/task/${pid}/children`) ?? "").split(" ").map(Number).filter(Boolean);

const lineOf = (path: string, lines = 1): string | null =>
  attempt(() => readFileSync(path, "utf8").split("\n").slice(0, lines).join("\n").trim());

// What this system does not tell is left open.
const attempt = <T>(work: () => T): T | null => {
  try {
    return work();
  } catch {
    return null;
  }
};
