import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";

/** A throw-away Redis server on loopback that keeps nothing on disk and asks for a password. */
export type RedisServer = {
  port: number;
  password: string;
  /** Connection string; with another password when one is given. */
  url(password?: string): string;
  /** Sends one command. */
  tell(command: string, ...words: string[]): Promise<unknown>;
  /** Ends the server at once, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again on the same port, empty. */
  restart(): Promise<void>;
  /** Stops its process where it stands: the system still takes connections for it. */
  freeze(): void;
  thaw(): void;
  /** Ends the server and removes its files. Safe to call twice. */
  stop(): void;
};

/** `certificate` makes it speak TLS and nothing else. */
export type RedisServerOptions = { certificate?: { cert: string; key: string } };

/** The program, or `null` when no Redis server is installed. */
export const findRedis = (): string | null => Bun.which("redis-server");

/** Starts a server of its own. Throws when no Redis is installed. */
export const startRedis = async ({ certificate }: RedisServerOptions = {}): Promise<RedisServer> => {
  const program = findRedis();
  if (program === null) throw new Error("Redis is not installed (looked for redis-server)");
  const folder = mkdtempSync(join(tmpdir(), "atrium-redis-"));
  const port = await freePort();
  const password = "s3cret-of-redis";
  const settings = [
    ...(certificate === undefined
      ? ["--port", String(port)]
      : ["--port", "0", "--tls-port", String(port), ...tlsSettings(folder, certificate)]),
    "--bind",
    "127.0.0.1",
    "--requirepass",
    password,
    "--dir",
    folder,
  ];
  const inMemory = ["--save", "", "--appendonly", "no"];
  const start = async (): Promise<Bun.Subprocess> => {
    const log = Bun.file(join(folder, "log"));
    const child = Bun.spawn([...withParent(), program, ...settings, ...inMemory], {
      stdio: ["ignore", log, log],
    });
    while (!(await log.text().catch(() => "")).includes("Ready to accept connections")) {
      if (child.exitCode !== null) throw new Error(`Redis did not start: ${await log.text()}`);
      await Bun.sleep(10);
    }
    return child;
  };

  let server = await start();
  const stop = (): void => {
    process.off("exit", stop);
    server.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  process.on("exit", stop);
  const protocol = certificate === undefined ? "redis" : "rediss";
  const url = (other = password): string => `${protocol}://:${other}@127.0.0.1:${port}`;
  return {
    port,
    password,
    url,
    tell: async (command, ...words) => {
      const client = new Redis(
        url(),
        certificate === undefined ? {} : { tls: { rejectUnauthorized: false } },
      );
      try {
        return await client.call(command, ...words);
      } finally {
        client.disconnect();
      }
    },
    kill: async () => {
      server.kill("SIGKILL");
      await server.exited;
      rmSync(join(folder, "log"), { force: true });
    },
    restart: async () => {
      server = await start();
    },
    freeze: () => server.kill("SIGSTOP"),
    thaw: () => server.kill("SIGCONT"),
    stop,
  };
};

const tlsSettings = (folder: string, { cert, key }: { cert: string; key: string }): string[] => {
  const [certFile, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
  const files = ["--tls-cert-file", certFile, "--tls-key-file", keyFile, "--tls-ca-cert-file", certFile];
  return [...files, "--tls-auth-clients", "no"];
};

/** A test process that is killed must not leave a server behind: the system then ends it, where it knows how to. */
const withParent = (): string[] =>
  Bun.which("setpriv") === null ? [] : ["setpriv", "--pdeathsig", "KILL", "--"];

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
