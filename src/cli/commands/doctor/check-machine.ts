import { existsSync, readFileSync, statfsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Check, fail, ok, warn } from "./checks.ts";

/** Free entries for files where the data folder lies: a disk can be full of small files. */
export const checkInodes = (dataDir: string): Check => {
  const name = "free inodes";
  const { files, ffree } = statfsSync(existingParent(dataDir));
  // Btrfs, and what is not a disk, count none.
  if (files === 0) return ok(name, "not limited on this file system");
  const detail = `${ffree} of ${files} free`;
  if (ffree < leastInodes)
    return fail(
      name,
      detail,
      "the database needs inodes for its files: find a folder with many files (df -i) and remove some",
    );
  if (ffree < files * sparseShare) return warn(name, detail, "find out what creates so many files (df -i)");
  return ok(name, detail);
};

/** Whether the data folder lies on something that keeps what was written. `isEmbedded`: the database lies there too. */
export const checkFileSystem = (
  dataDir: string,
  isEmbedded: boolean,
  statfs: (path: string) => { type: number } = statfsSync,
): Check => {
  const name = "file system";
  const kind = fileSystems.get(statfs(existingParent(dataDir)).type >>> 0);
  if (kind === undefined) return ok(name, "local");
  if (kind.keeps === "nothing")
    return warn(
      name,
      `${dataDir} is on ${kind.name}, whose content is lost with ${kind.goneWith}`,
      "move it to a disk; in a container, use a volume",
    );
  if (!isEmbedded) return ok(name, kind.name);
  return warn(
    name,
    `${dataDir} is on ${kind.name}: another machine could also open the embedded database, and locks may not work`,
    "move it to a local disk, or use PostgreSQL (DATABASE_URL)",
  );
};

type FileSystem = { name: string } & ({ keeps: "all" } | { keeps: "nothing"; goneWith: string });

const network = (name: string): FileSystem => ({ name, keeps: "all" });
const passing = (name: string, goneWith: string): FileSystem => ({ name, keeps: "nothing", goneWith });

// Numbers of statfs(2), "Filesystem types".
const fileSystems: ReadonlyMap<number, FileSystem> = new Map([
  [0x6969, network("NFS")],
  [0xff534d42, network("CIFS")],
  [0xfe534d42, network("SMB")],
  [0x517b, network("SMB")],
  [0x00c36400, network("Ceph")],
  [0x0bd00bd0, network("Lustre")],
  [0x47504653, network("GPFS")],
  [0x01021997, network("a folder of the host (9p)")],
  [0x65735546, network("FUSE, which is often a network file system")],
  [0x01021994, passing("tmpfs", "the next restart of the machine")],
  [0x858458f6, passing("ramfs", "the next restart of the machine")],
  [0x794c7630, passing("the container's own layer (overlay)", "the container")],
]);

const leastInodes = 1_000;
const sparseShare = 0.05;

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
    return ok(name, `the server can open ${most ?? "any number"}`);
  return warn(
    name,
    `the server can open ${most} files, and each connection counts as one`,
    "raise the limit: LimitNOFILE=65536 in the systemd unit, or ulimit -n before starting",
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
      "human-readable lines with colors go to the journal",
      "remove LOG_FORMAT: without a terminal each line is JSON, which journalctl and log collectors can read",
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

/** The path itself, or the nearest folder above it that exists: where it lies, or will lie. */
export const existingParent = (path: string): string =>
  existsSync(path) ? path : existingParent(dirname(path));
