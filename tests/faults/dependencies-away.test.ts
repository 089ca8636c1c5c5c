import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout } from "bun:test";
import { type FaultProxy, startFaultProxy } from "#api/testing/fault-proxy.ts";
import { type GithubStub, startGithubStub } from "#api/testing/identity/github-stub.ts";
import { inOrder } from "#api/testing/in-order.ts";
import { type SmtpSink, startSmtpSink } from "#api/testing/smtp-sink.ts";
import { until } from "#api/testing/until.ts";
import { userPassword } from "../driver/add-user.ts";
import { signedInPeople } from "../driver/people.ts";
import { createPerson } from "../driver/person.ts";
import { asOperator, type PluginCaller } from "../driver/plugin-caller.ts";
import { removeFolder, type ServerProcess, startServer } from "../driver/start-server.ts";
import { packNotes } from "../fixtures/plugins/notes-plugin.ts";
import { findRedis, type RedisServer, startRedis } from "../services/redis.ts";
import { plainStorage, type S3Stub, type Script, s3Error, startS3Stub } from "../services/s3-stub.ts";
import { startVisitors, type Visit, type VisitKind, type Visitors, visitKinds } from "./visitors.ts";

setDefaultTimeout(60_000);

const holdMs = 600;
/** What no one who asks for something else may notice beside what things take anyway: less than any dependency is waited for. */
const noticedMs = 1_000;
const backWithinMs = 5_000;
/** A bucket that is away is looked for every five seconds. */
const storageBackWithinMs = 10_000;
const aclUser = "ada";

let redis: RedisServer;
let redisLine: FaultProxy;
let sink: SmtpSink;
let bucket: S3Stub;
let bucketLine: FaultProxy;
let github: GithubStub;
let server: ServerProcess;
let operator: PluginCaller;
let visitors: Visitors;
let usual: Waits;

let bucketFault: Script | null = null;
const stored = plainStorage();

const letIn = (password: string) =>
  redis.tell(
    "acl",
    "setuser",
    aclUser,
    "on",
    "resetpass",
    `>${password}`,
    "allcommands",
    "allkeys",
    "allchannels",
  );

const oneServer = async (names: Record<string, string>): Promise<ServerProcess> => {
  const started = await startServer({ env: { CONTACT_EMAIL: "desk@example.test", ...names } });
  await signedInPeople(started);
  return started;
};

const visit = async ({ url }: ServerProcess): Promise<Visitors> => {
  const grace = { email: "grace@example.test", password: userPassword };
  const person = createPerson(url);
  await person.call("POST", "/api/auth/login", grace);
  return startVisitors({ url, cookie: person.cookie ?? "", ...grace });
};

beforeAll(async () => {
  if (findRedis() === null) return;
  [redis, sink, github] = await Promise.all([startRedis(), startSmtpSink(), startGithubStub()]);
  await letIn("hunter2");
  redisLine = await startFaultProxy({ host: "127.0.0.1", port: redis.port });
  bucket = startS3Stub((request, body) => (bucketFault ?? stored)(request, body));
  bucketLine = await startFaultProxy({ host: "127.0.0.1", port: Number(new URL(bucket.origin).port) });
  const endpointS3 = `http://127.0.0.1:${bucketLine.port}`;
  server = await oneServer({
    ...github.env,
    REDIS_URL: `redis://${aclUser}:hunter2@127.0.0.1:${redisLine.port}`,
    SMTP_URL: sink.url,
    S3_ENDPOINTS: endpointS3,
  });
  operator = asOperator(server.dataDir);
  const keys = { accessKeyId: "key-id-of-a-test", secretAccessKey: "secret-key-of-a-test", token: null };
  const cloudflareR2 = { bucket: "atrium-files", endpointS3, ...keys };
  expect(await operator.ask("PUT", "/api/auth/settings/credentials", { cloudflareR2 })).toMatchObject({
    status: 200,
  });
  visitors = await visit(server);
  await until(async () => (await states()).join() === "up,up");
  visitors.takeVisits();
  usual = await medianWaits();
});

afterAll(async () => {
  await visitors.stop();
  await server.stop("SIGKILL");
  removeFolder(server.dataDir);
  for (const line of [redisLine, bucketLine]) await line.close();
  redis.stop();
  bucket.stop();
  await Promise.all([sink.down(), github.stop()]);
});

/** How many mails admins see that were given up: none or one. */
const deadMails = async (): Promise<number> => {
  const { body } = await operator.ask("GET", "/api/admin/mails?status=dead&limit=1");
  return Array.from(Object(body.data).mails).length;
};

/** How the server finds Redis and the bucket. */
const states = async (): Promise<unknown[]> => {
  const { body } = await operator.ask("GET", "/api/system/status");
  return ["redis", "storage"].map((part) =>
    Reflect.get(Object(Reflect.get(Object(body.data), part)), "state"),
  );
};
const isUp = (part: 0 | 1) => async () => (await states())[part] === "up";

/** Milliseconds by kind of visit. */
type Waits = { [kind: string]: number };

const middle = (times: number[]): number =>
  times.sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;

/** The middle of what each kind of visit took since the last time; no one was refused. */
const medianWaits = async (): Promise<Waits> => {
  const visits: Visit[] = [];
  const timesOf = (kind: VisitKind) => visits.filter((one) => one.kind === kind).map(({ ms }) => ms);
  await until(() => {
    visits.push(...visitors.takeVisits());
    return visitKinds.every((kind) => timesOf(kind).length >= 5);
  }, 30_000);
  expect(visits.filter(({ status }) => status === null || status >= 400)).toEqual([]);
  return Object.fromEntries(visitKinds.map((kind) => [kind, middle(timesOf(kind))]));
};

/** Most were kept waiting no longer than while nothing was away: a single one may wait for what else the machine does. */
const expectUnnoticed = async (): Promise<void> => {
  const waits = await medianWaits();
  expect(visitKinds.filter((kind) => (waits[kind] ?? 0) >= 2 * (usual[kind] ?? 0) + noticedMs)).toEqual([]);
};

type Fault = { name: string; begin(): unknown; end(): unknown };

describe.skipIf(findRedis() === null)(
  "while external services fail in turn, requests that don't need them are not affected:",
  () => {
    afterEach(() => {
      expect(server.output()).not.toContain('"level":"error"');
    });

    // The first two are refusals of a server that is there; after the others it is left alone for ten seconds.
    // What waited for one that was away comes through later.
    const step = inOrder(240_000);

    const ofMail: Fault[] = [
      {
        name: "refuses emails",
        begin: () => sink.behave({ onRecipient: () => "550 5.1.1 no such user" }),
        end: () => until(async () => (await deadMails()) > 0),
      },
      {
        name: "defers emails",
        begin: () => sink.behave({ onText: () => "451 4.3.0 later" }),
        end: () => {},
      },
      { name: "is a tarpit", begin: () => sink.behave({ delayMs: 5_000 }), end: () => sink.behave({}) },
      { name: "is down", begin: () => sink.down(), end: () => sink.up() },
    ];
    for (const { name, begin, end } of ofMail)
      step(`X8: a mail server that ${name}`, async () => {
        await begin();
        visitors.takeVisits();
        await Bun.sleep(holdMs);
        await expectUnnoticed();
        await end();
      });

    const ofRedis: Fault[] = [
      { name: "answers five seconds late", begin: () => redisLine.slow(5_000), end: () => redisLine.mend() },
      { name: "forgets its connections", begin: () => redisLine.reset(), end: () => {} },
      {
        name: "has no memory left",
        begin: () => redis.tell("config", "set", "maxmemory", "1"),
        end: () => redis.tell("config", "set", "maxmemory", "0"),
      },
      {
        name: "becomes a read-only replica",
        begin: () => redis.tell("replicaof", "127.0.0.1", "1"),
        end: () => redis.tell("replicaof", "no", "one"),
      },
      {
        name: "wants another password",
        begin: async () => {
          await letIn("another");
          await redis.tell("client", "kill", "user", aclUser);
        },
        end: () => letIn("hunter2"),
      },
    ];
    for (const { name, begin, end } of ofRedis)
      step(`R6: a Redis server that ${name}`, async () => {
        await begin();
        visitors.takeVisits();
        await Bun.sleep(holdMs);
        await expectUnnoticed();
        await end();
        expect(await until(isUp(0))).toBeLessThan(backWithinMs);
      });

    /** Signs in with the provider in a browser of its own; where that leads in the end. */
    const signIn = async (): Promise<string | null> => {
      const person = createPerson(server.url);
      const there = (await person.call("GET", "/api/auth/github")).headers.get("location") ?? "";
      if (there.startsWith("/")) return there;
      const back = await fetch(there, { redirect: "manual" }).then(({ headers }) => headers.get("location"));
      const { pathname, search } = new URL(back ?? "");
      return (await person.call("GET", pathname + search)).headers.get("location");
    };
    let silent: Promise<string | null>;
    step("O4: an identity provider that is silent or fails", async () => {
      github.fail("silent");
      visitors.takeVisits();
      silent = signIn();
      await Bun.sleep(holdMs);
      github.fail("status-500");
      expect(await signIn()).toBe("/login?error=auth_failed");
      await expectUnnoticed();
      github.fail(null);
      expect(await signIn()).toBe("/dashboard");
    });

    const says = (script: Script | null) => () => {
      bucketFault = script;
    };
    const ofStorage: Fault[] = [
      { name: "is down", begin: () => bucketLine.cut(), end: () => bucketLine.mend() },
      { name: "denies access", begin: says(() => s3Error(403, "AccessDenied")), end: says(null) },
      { name: "fails", begin: says(() => s3Error(503, "SlowDown")), end: says(null) },
      { name: "is slow", begin: () => bucketLine.slow(4_000), end: () => bucketLine.mend() },
      {
        name: "breaks off in its answers",
        begin: () => {
          breaking = setInterval(bucketLine.reset, 5);
        },
        end: () => clearInterval(breaking),
      },
    ];
    let breaking: ReturnType<typeof setInterval> | undefined;
    for (const [at, { name, begin, end }] of ofStorage.entries())
      step(`S4: object storage that ${name}, packages included`, async () => {
        const plugin = `notes-${at}`;
        const zip = await packNotes(plugin, "1.0.0");
        await begin();
        visitors.takeVisits();
        expect(await operator.upload(zip)).toMatchObject({ status: 201 });
        expect((await operator.ask("GET", `/api/plugins/${plugin}/download`)).status).toBe(200);
        expect((await operator.ask("GET", "/api/admin/activity/export?format=csv")).status).toBe(200);
        await Bun.sleep(holdMs);
        await expectUnnoticed();
        await end();
        await until(isUp(1), storageBackWithinMs);
        expect((await operator.ask("GET", `/api/plugins/${plugin}/download`)).status).toBe(200);
      });

    step("O4: who came to the silent one is led back to the sign-in page", async () => {
      expect(await silent).toBe("/login?error=auth_failed");
    });

    step("X8: emails are sent again automatically", async () => {
      const before = sink.mails.length;
      await until(() => sink.mails.length > before + 5);
    });

    step(
      "unknown host names keep no server from starting, and affect no request that doesn't need them",
      async () => {
        const lost = await oneServer({
          REDIS_URL: "redis://cache.nowhere.invalid",
          SMTP_URL: "smtp://mail.nowhere.invalid",
          S3_ENDPOINTS: "https://files.nowhere.invalid",
          GITHUB_CLIENT_ID: "id",
          GITHUB_CLIENT_SECRET: "secret",
          GITHUB_BASE_URL: "https://github.nowhere.invalid",
        });
        const guests = await visit(lost);
        await Bun.sleep(holdMs);
        await guests.stop();
        expect(guests.takeVisits().filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
        expect(await lost.stop()).toBe(0);
        removeFolder(lost.dataDir);
      },
    );
  },
);
