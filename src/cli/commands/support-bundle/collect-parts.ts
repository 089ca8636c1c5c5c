import { existsSync, readdirSync, readFileSync, statfsSync, statSync } from "node:fs";
import { arch, availableParallelism, freemem, loadavg, platform, release, totalmem, uptime } from "node:os";
import { join } from "node:path";
import { fetchOwn } from "#cli/client/transport.ts";
import { openingObstacle, type Users } from "#cli/commands/doctor/as-owner.ts";
import type { Composition } from "#cli/composition.ts";
import { CliFailure, toFailure } from "#cli/failure.ts";
import { runChecks } from "../doctor/doctor.ts";
import { findLogFile, readLogEnd, type Scrubber, scrubLog, scrubValue } from "./scrub.ts";

/** One file of a support bundle; `problem` says why there is nothing else in it. */
export type BundlePart = { file: string; about: string; text: string; problem: string | null };

/** What a bundle is made of. */
export type BundleSources = {
  composition: Composition;
  scrub: Scrubber;
  version: string;
  /** Why no server can be asked; `null` while one runs. */
  absence: string | null;
  /** The server's log: a file, its text, or nothing that the operator named. */
  log: { path: string } | { text: string } | null;
  /** Hears of each part before it is collected. */
  onPart: (file: string, place: { at: number; of: number }) => void;
};

/** Collects everything that helps to find a fault. A part that fails says so in its own file and stops no other. */
export const collectParts = async (sources: BundleSources): Promise<BundlePart[]> => {
  const parts: BundlePart[] = [];
  // One after the other: without a server several would open the embedded database.
  const wanted = partsOf(sources);
  for (const [at, [file, about, make]] of wanted.entries()) {
    sources.onPart(file, { at: at + 1, of: wanted.length });
    const made = await limited(make).catch((error) =>
      sources.scrub(toFailure(error).message, { isFree: true }),
    );
    parts.push(
      typeof made === "string"
        ? { file, about, text: `This could not be collected: ${made}\n`, problem: made }
        : { file, about, text: textOf(made.value, sources.scrub), problem: null },
    );
  }
  return parts;
};

type Make = () => Promise<{ value: unknown }>;

const partsOf = (sources: BundleSources): [file: string, about: string, make: Make][] => {
  const { composition, absence, version } = sources;
  const { dataDir, controlSocket } = composition;
  const pid = absence === null ? serverPid(dataDir) : null;
  const value =
    (work: () => unknown): Make =>
    async () => ({ value: await work() });
  const fromServer = (path: string): Make =>
    value(() => {
      if (absence !== null) throw noServer(absence);
      return askData(controlSocket, path);
    });
  return [
    [
      "version.json",
      "versions of Atrium and its runtime",
      value(() => ({ ...programFacts(version), isRunning: absence === null })),
    ],
    ["configuration.json", "the effective configuration, secrets masked", value(composition.describeConfig)],
    ["checks.json", "results of atrium doctor", value(() => runChecks(composition))],
    [
      "machine.json",
      "processors, memory, disk, and the server's processes",
      value(() => machineFacts(dataDir, pid)),
    ],
    ["data-folder.json", "content of the data folder", value(() => dataFolderFacts(dataDir))],
    [
      "database.json",
      "sizes, migrations, settings without secrets, plugins, and numbers of emails and activities",
      absence === null ? fromServer("/api/system/support") : value(() => databaseFacts(composition)),
    ],
    ["ready.json", "health and readiness", fromServer("/api/ready")],
    ["status.json", "services in use, limits, proxy", fromServer("/api/system/status")],
    ["info.json", "uptime, database, emails", fromServer("/api/system/info")],
    ["plugins.json", "plugins and their states", fromServer("/api/plugins")],
    ["plugin-logs.json", "the newest lines of each plugin's log", value(() => pluginLogs(sources))],
    ["metrics.txt", "current metrics", value(() => metrics(sources))],
    [
      "server.log",
      "the end of the server's log, without names and secrets",
      value(() => logEnd(sources, pid)),
    ],
  ];
};

const programFacts = (version: string): object => ({
  atrium: version,
  bun: Bun.version,
  revision: Bun.revision,
  // Where the program lies says whether it is the executable.
  isExecutable: import.meta.dir.startsWith("/$bunfs"),
  user: process.getuid?.() ?? null,
  madeAt: new Date().toISOString(),
});

/** What the database tells without a server. Throws where it must not be opened by `users`, who are those of this process unless given. */
export const databaseFacts = async (composition: Composition, users?: Users): Promise<unknown> => {
  if (!composition.hasDatabase()) throw new CliFailure("UNREACHABLE", "there is no database yet");
  const obstacle = openingObstacle(composition, users);
  if (obstacle !== null) throw new CliFailure("FORBIDDEN", `${obstacle}; create the bundle as that user`);
  return composition.supportFacts();
};

const pluginLogs = async ({ composition, absence }: BundleSources): Promise<unknown> => {
  if (absence !== null) throw noServer(absence);
  const listed = await askData(composition.controlSocket, "/api/plugins");
  const names = Array.isArray(listed)
    ? listed.map((plugin) => String(Reflect.get(Object(plugin), "name")))
    : [];
  const logs = names.map(async (name) => {
    const answer = await askData(composition.controlSocket, `/api/plugins/${encodeURIComponent(name)}/logs`);
    const lines: unknown = Reflect.get(Object(answer), "lines");
    return [name, Array.isArray(lines) ? lines.slice(-mostPluginLines) : answer];
  });
  return Object.fromEntries(await Promise.all(logs));
};

const metrics = async ({ composition, absence }: BundleSources): Promise<string> => {
  if (absence !== null) throw noServer(absence);
  const { metricsToken } = composition.config();
  const headers = metricsToken === null ? {} : { authorization: `Bearer ${metricsToken}` };
  return askServer(composition.controlSocket, "/api/metrics", headers);
};

const logEnd = async ({ log, scrub }: BundleSources, pid: number | null): Promise<string> => {
  if (log !== null && "text" in log) return scrubLog(log.text, scrub);
  const path = log?.path ?? findLogFile(pid);
  if (path === null)
    throw new CliFailure(
      "UNREACHABLE",
      "the server's output is not written to a file; include it with --log, for example: journalctl -u atrium | atrium support-bundle --log -",
    );
  const text = await readLogEnd(path).catch((error: unknown) => {
    throw new CliFailure("NOT_FOUND", unreadText(path, error), { cause: error });
  });
  return scrubLog(text, scrub);
};

const unreadText = (path: string, error: unknown): string => {
  const code: unknown = Reflect.get(Object(error), "code");
  if (code === "ENOENT" || code === "ENOTDIR") return `file not found: ${path}`;
  if (code === "EISDIR") return `${path} is a folder, not a log`;
  return `cannot read ${path} (${String(code)})`;
};

const noServer = (absence: string): CliFailure => new CliFailure("UNREACHABLE", absence);

const serverPid = (dataDir: string): number | null => {
  try {
    const pid = Number.parseInt(readFileSync(join(dataDir, "lock"), "utf8"), 10);
    return Number.isInteger(pid) ? pid : null;
  } catch {
    return null;
  }
};

const textOf = (value: unknown, scrub: Scrubber): string =>
  typeof value === "string" ? `${scrub(value)}\n` : `${JSON.stringify(scrubValue(value, scrub), null, 2)}\n`;

const limited = <T>(work: () => Promise<T>): Promise<T> =>
  Promise.race([
    work(),
    Bun.sleep(limitMs).then(() => {
      throw new CliFailure("UNREACHABLE", "it took too long");
    }),
  ]);

const limitMs = 30_000;
const mostPluginLines = 200;

/**
 * Asks the running server over its control socket and resolves to the answer as it is, whatever its version answers. Throws as
 * `fetchOwn` does.
 */
const askServer = async (
  controlSocket: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<string> => {
  const answer = await fetchOwn(controlSocket, `http://localhost${path}`, {
    headers: { host: "localhost", ...headers },
    signal: AbortSignal.timeout(answerLimitMs),
  });
  return answer.text();
};

/** The data of such an answer, or the whole of an envelope without. Throws for what is no JSON. */
const askData = async (controlSocket: string, path: string): Promise<unknown> => {
  const body: unknown = JSON.parse(await askServer(controlSocket, path));
  return Reflect.get(Object(body), "data") ?? body;
};

const answerLimitMs = 15_000;

/** What the machine has and how much of it is in use; of the server's process too, where one runs. */
const machineFacts = (dataDir: string, pid: number | null): object => ({
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

/** The content of the data folder, only its first level: names further down can be personal data. */
const dataFolderFacts = (dataDir: string): object[] =>
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

/** What a bundle lacks, a line for each reason: parts that are missing for the same one share it. Empty when all is there. */
export const missingParts = (parts: readonly Pick<BundlePart, "file" | "problem">[]): string[] => {
  const lacking = parts.filter(({ problem }) => problem !== null);
  const byReason = Map.groupBy(lacking, ({ problem }) => problem);
  return [...byReason].map(
    ([reason, files]) => `Missing ${files.map(({ file }) => file).join(", ")}: ${reason}`,
  );
};
