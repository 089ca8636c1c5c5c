import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { runChecked } from "./run-checked.ts";

/** A throw-away PostgreSQL server on loopback and a unix socket, with trust authentication. */
export type PostgresServer = {
  /** Connection string over TCP. */
  url(database?: string): string;
  /** Makes an empty database, or a copy of `template`, under a random name; resolves to its connection string. */
  createDatabase(template?: string): Promise<string>;
  /** Lets no one connect to a database any more, so that it can be copied at any time. */
  freeze(database: string): Promise<void>;
  /** Ends the server at once, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again on the same port, with its data. */
  restart(): Promise<void>;
  /** Stops its processes where they stand: the system still takes connections for them. */
  suspend(): void;
  resume(): void;
  /** Ends the server at once and removes its files. Safe to call twice. */
  stop(): void;
};

/** The folder with `initdb` and `pg_ctl`, or `null` when no PostgreSQL server is installed. The newest one wins. */
export const findPostgres = (): string | null => {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const packaged = versions.map((version) => join(root, version, "bin"));
  const onPath = Bun.which("initdb")?.replace(/\/initdb$/, "");
  const folders = onPath === undefined ? packaged : [...packaged, onPath];
  return folders.find((folder) => existsSync(join(folder, "initdb"))) ?? null;
};

/**
 * Starts a new cluster of its own in a temporary folder. Without `durable` nothing is synced to disk, which is right
 * for everything but suites about crashes. Throws when no PostgreSQL is installed.
 */
export const startPostgres = async (options: { durable?: boolean } = {}): Promise<PostgresServer> => {
  const bin = findPostgres();
  if (bin === null) throw new Error("PostgreSQL is not installed (looked for initdb)");
  const folder = mkdtempSync(join(tmpdir(), "atrium-pg-"));
  const asOwner = dropRoot(folder);
  const data = join(folder, "data");
  const port = await freePort();

  const newCluster = ["-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync", "--no-instructions"];
  // The cwd matters, here and below: the postgres user may not enter the one it inherits.
  runChecked([...asOwner, join(bin, "initdb"), "-D", data, "-U", "app", ...newCluster], folder);
  const words = ["-p", String(port), "-k", folder, ...settings(options.durable ? [] : unsafeButFast)];
  const log = Bun.file(join(folder, "log"));
  let server: Bun.Subprocess | null = null;
  const start = async (): Promise<void> => {
    server = Bun.spawn([...asOwner, ...withParent(), join(bin, "postgres"), "-D", data, ...words], {
      cwd: folder,
      stdio: ["ignore", log, log],
    });
    await untilReady(server, data, log);
  };
  const stopNow = () => {
    // A suspended one would hear of it when it continues.
    signalAll(server, "SIGCONT");
    runChecked([...asOwner, join(bin, "pg_ctl"), "-D", data, "-w", "-s", "-m", "immediate", "stop"], folder);
  };

  let isRunning = true;
  const stop = () => {
    if (!isRunning) return;
    isRunning = false;
    process.off("exit", stop);
    try {
      if (server !== null) stopNow();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  process.on("exit", stop);
  await start();

  const url = (database = "postgres") => `postgres://app@127.0.0.1:${port}/${database}`;
  return {
    url,
    createDatabase: async (template = "template1") => {
      const name = `t_${crypto.randomUUID().replaceAll("-", "")}`;
      await runSql(url(), `create database ${name} template ${template}`);
      return url(name);
    },
    freeze: (database) =>
      runSql(url(), `alter database ${database} with is_template true allow_connections false`),
    kill: async () => {
      stopNow();
      await server?.exited;
      server = null;
    },
    restart: start,
    suspend: () => signalAll(server, "SIGSTOP"),
    resume: () => signalAll(server, "SIGCONT"),
    stop,
  };
};

/** To the server and to its processes, of which each connection has one. */
const signalAll = (server: Bun.Subprocess | null, signal: "SIGSTOP" | "SIGCONT"): void => {
  if (server === null) return;
  // Its own first: it starts no others then.
  server.kill(signal);
  Bun.spawnSync(["pkill", "-P", String(server.pid), "--signal", signal]);
};

const settings = (assignments: string[]): string[] =>
  ["listen_addresses=127.0.0.1", "max_connections=100", "jit=off", ...assignments].flatMap((word) => [
    "-c",
    word,
  ]);

const unsafeButFast = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];

/** A test process that is killed must not leave a server behind: the system then ends it, where it knows how to. */
const withParent = (): string[] =>
  Bun.which("setpriv") === null ? [] : ["setpriv", "--pdeathsig", "QUIT", "--"];

/** Resolves when the server takes connections; throws with its log when it ends before. */
const untilReady = async (server: Bun.Subprocess, data: string, log: Bun.BunFile): Promise<void> => {
  const status = Bun.file(join(data, "postmaster.pid"));
  // The eighth line is the state, as pg_ctl reads it.
  while (!(await status.text().catch(() => "")).split("\n")[7]?.startsWith("ready")) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL did not start: ${await log.text()}`);
    await Bun.sleep(20);
  }
};

/** PostgreSQL refuses to run as root: gives the folder to the user `postgres` and returns the words that become it. */
const dropRoot = (folder: string): string[] => {
  if (process.getuid?.() !== 0) return [];
  runChecked(["chown", "postgres", folder], "/");
  chmodSync(folder, 0o755);
  return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"];
};

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });

const runSql = async (url: string, statement: string): Promise<void> => {
  const sql = new SQL(url, { max: 1 });
  try {
    await sql.unsafe(statement);
  } finally {
    await sql.close();
  }
};
