import { randomBytes } from "node:crypto";
import { controlSocketIn } from "#api/config.ts";
import { type SmtpSink, startSmtpSink } from "#api/testing/smtp-sink.ts";
import { until } from "#api/testing/until.ts";
import { userPassword } from "../driver/add-user.ts";
import { createPerson, type Person } from "../driver/person.ts";
import { runCommand } from "../driver/run-command.ts";
import { removeFolder, type ServerProcess, startServer } from "../driver/start-server.ts";
import { type PostgresServer, startPostgres } from "../services/postgres.ts";
import { type RedisServer, startRedis } from "../services/redis.ts";
import { plainStorage, type S3Stub, startS3Stub } from "../services/s3-stub.ts";
import { type DeafLine, startDeafLine } from "./deaf-line.ts";
import { type RoundRobin, startRoundRobin } from "./round-robin.ts";

/** One server process of several, and its own line to the database that all share. */
export type Replica = { server: ServerProcess; line: DeafLine };

/** Several replicas behind a proxy, with everything that they share. */
export type ReplicaStage = {
  proxy: RoundRobin;
  postgres: PostgresServer;
  /** The database that all use, past the lines. */
  databaseUrl: string;
  redis: RedisServer;
  storage: S3Stub;
  mail: SmtpSink;
  replicas: Replica[];
  /** An admin who is signed in. */
  admin: Person;
  adminEmail: string;
  /** Starts one more and puts it behind the proxy; resolves when that sends requests there. */
  add(env?: Record<string, string>): Promise<Replica>;
  /** Starts a replica that has stopped again, in its place: with another program where one is given. */
  restart(replica: Replica, programRoot?: string): Promise<void>;
  /** The same person at one replica alone. */
  at(replica: Replica, person: Person): Person;
  /** A call of the operator of one replica. Throws unless it was granted. */
  operate(replica: Replica, method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
  close(): Promise<void>;
};

/** `prepare` fills the empty database before the first of them starts. */
export type ReplicaOptions = {
  env?: Record<string, string>;
  prepare?: (databaseUrl: string, appSecret: string) => Promise<void>;
};

/** Starts so many replicas at once on a database, a Redis, a bucket and a mail server of their own. */
export const startReplicas = async (
  count: number,
  { env = {}, prepare }: ReplicaOptions = {},
): Promise<ReplicaStage> => {
  const [postgres, redis, mail] = await Promise.all([
    startPostgres({ durable: true }),
    startRedis(),
    startSmtpSink(),
  ]);
  const storage = startS3Stub(plainStorage());
  const proxy = startRoundRobin();
  const databaseUrl = await postgres.createDatabase();
  const shared = {
    APP_SECRET: randomBytes(36).toString("base64"),
    APP_URL: proxy.origin,
    REDIS_URL: redis.url(),
    S3_ENDPOINTS: storage.origin,
    SMTP_URL: mail.url,
    MAIL_FROM: "Atrium <atrium@example.test>",
    ...env,
  };
  const replicas: Replica[] = [];

  const add = async (own: Record<string, string> = {}): Promise<Replica> => {
    const url = new URL(databaseUrl);
    const line = await startDeafLine(Number(url.port));
    url.port = String(line.port);
    const server = await startServer({ env: { ...shared, DATABASE_URL: url.href, ...own } });
    const replica = { server, line };
    replicas.push(replica);
    proxy.add(server.url);
    await until(() => proxy.ready().includes(server.url));
    return replica;
  };

  const restart: ReplicaStage["restart"] = async (replica, programRoot) => {
    const { dataDir, url } = replica.server;
    const database = new URL(databaseUrl);
    database.port = String(replica.line.port);
    replica.server = await startServer({
      env: { ...shared, DATABASE_URL: database.href },
      dataDir,
      port: Number(new URL(url).port),
      ...(programRoot === undefined ? {} : { programRoot }),
    });
    await until(() => proxy.ready().includes(url));
  };

  const close = async (): Promise<void> => {
    proxy.stop();
    for (const { server, line } of replicas) {
      await server.stop("SIGKILL");
      line.close();
      removeFolder(server.dataDir);
    }
    await mail.down();
    storage.stop();
    redis.stop();
    postgres.stop();
  };

  try {
    await prepare?.(databaseUrl, shared.APP_SECRET);
    const [first] = await Promise.all(Array.from({ length: count }, () => add()));
    if (first === undefined) throw new Error("there are to be replicas");
    const adminEmail = "ada@example.test";
    const admin = await firstAdmin(first.server, proxy.origin, adminEmail);
    return {
      ...{
        proxy,
        postgres,
        databaseUrl,
        redis,
        storage,
        mail,
        replicas,
        admin,
        adminEmail,
        add,
        restart,
        close,
      },
      at: ({ server }, person) => {
        const there = createPerson(proxy.origin, undefined, server.url);
        there.cookie = person.cookie;
        return there;
      },
      operate: operateOn,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

const firstAdmin = async (server: ServerProcess, origin: string, email: string): Promise<Person> => {
  const words = ["admin", "create", "--email", email, "--name", "Ada Lovelace", "--password-stdin"];
  const made = await runCommand(words, { env: { DATA_DIR: server.dataDir }, input: `${userPassword}\n` });
  if (made.exitCode !== 0) throw new Error(made.stderr);
  const admin = createPerson(origin);
  const { status } = await admin.call("POST", "/api/auth/login", { email, password: userPassword });
  if (status !== 200) throw new Error(`signing in was answered with ${status}`);
  return admin;
};

const operateOn: ReplicaStage["operate"] = async ({ server }, method, path, body) => {
  const response = await fetch(`http://localhost${path}`, {
    unix: controlSocketIn(server.dataDir),
    method,
    ...(body === undefined
      ? {}
      : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
  return { ...Object(await response.json()) };
};
