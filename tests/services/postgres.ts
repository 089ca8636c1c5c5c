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
  /** Lets nobody connect to a database any more, so that it can be copied at any time. */
  freeze(database: string): Promise<void>;
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
  const settings = [
    `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c max_connections=100 -c jit=off`,
    options.durable ? "" : "-c fsync=off -c synchronous_commit=off -c full_page_writes=off",
  ].join(" ");
  const controlServer = (...words: string[]) =>
    // The cwd matters: the postgres user may not enter the one it inherits.
    runChecked([...asOwner, join(bin, "pg_ctl"), "-D", data, "-w", "-t", "60", "-s", ...words], folder);

  let isRunning = true;
  const stop = () => {
    if (!isRunning) return;
    isRunning = false;
    process.off("exit", stop);
    try {
      controlServer("-m", "immediate", "stop");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

  const newCluster = ["-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync", "--no-instructions"];
  runChecked([...asOwner, join(bin, "initdb"), "-D", data, "-U", "app", ...newCluster], folder);
  controlServer("-l", join(folder, "log"), "-o", settings, "start");
  // A test process that is ended early must not leave a server behind.
  process.on("exit", stop);

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
    stop,
  };
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
