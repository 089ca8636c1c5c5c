import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { type SmtpSink, startSmtpSink } from "#api/testing/smtp-sink.ts";
import { until } from "#api/testing/until.ts";
import { addUser, signInAs, userPassword } from "../driver/add-user.ts";
import { signedInPeople } from "../driver/people.ts";
import { createPerson, type Person } from "../driver/person.ts";
import { runCommand } from "../driver/run-command.ts";
import { removeFolder, type ServerProcess, startServer } from "../driver/start-server.ts";
import { type PostgresServer, startPostgres } from "./postgres.ts";
import { type RedisServer, startRedis } from "./redis.ts";

/** The other server hears of it while the answer is on its way; this is what a busy machine may add. */
const heardWithinMs = 500;
const newPassword = "another rather fine long password";

let postgres: PostgresServer;
let redis: RedisServer;
let sink: SmtpSink;
let one: ServerProcess;
let other: ServerProcess;
let admin: Person;

beforeAll(async () => {
  [postgres, redis, sink] = await Promise.all([startPostgres(), startRedis(), startSmtpSink()]);
  const env = {
    DATABASE_URL: await postgres.createDatabase(),
    REDIS_URL: redis.url(),
    SMTP_URL: sink.url,
    APP_SECRET: randomBytes(36).toString("base64"),
  };
  one = await startServer({ env });
  other = await startServer({ env });
  admin = createPerson(one.url);
  admin.cookie = (await signedInPeople(one)).admin;
}, 60_000);

afterAll(async () => {
  for (const server of [one, other]) {
    await server.stop("SIGKILL");
    removeFolder(server.dataDir);
  }
  await sink.down();
  redis.stop();
  postgres.stop();
});

/** Follows the newest link to set a new password that somebody was mailed. */
const resetPassword = async (email: string): Promise<number> => {
  await createPerson(one.url).call("POST", "/api/auth/forgot-password", { email });
  const tokenOf = () =>
    sink.mails
      .filter(({ recipients }) => recipients.includes(email))
      .map(({ text = "" }) => /reset-password\?token=([\w-]{43})/.exec(text)?.[1])
      .find((token) => token !== undefined);
  await until(() => tokenOf() !== undefined);
  const path = `/api/auth/reset-password/${tokenOf()}`;
  return (await createPerson(one.url).call("POST", path, { password: newPassword })).status;
};

/** Somebody with two sessions, the second of which is replayed; acts with the first, or has it done to them. */
type Victim = { email: string; first: Person; second: Person };
type Event = { name: string; happen(victim: Victim): Promise<number> };

const byAdmin = async (method: string, path: string, body?: unknown): Promise<number> =>
  (await admin.call(method, `/api/admin/users/${path}`, body)).status;

const events: Event[] = [
  {
    name: "signing out",
    happen: async ({ second }) => {
      const leaving = createPerson(one.url);
      leaving.cookie = second.cookie;
      return (await leaving.call("POST", "/api/auth/logout")).status;
    },
  },
  { name: "a reset password", happen: ({ email }) => resetPassword(email) },
  {
    name: "a changed password",
    happen: async ({ first }) =>
      (await first.call("PUT", "/api/account/password", { currentPassword: userPassword, newPassword }))
        .status,
  },
  { name: "a disabled account", happen: ({ email }) => byAdmin("POST", `${email}/disable`) },
  { name: "another role", happen: ({ email }) => byAdmin("PUT", `${email}/role`, { role: "admin" }) },
  {
    name: "the operator's command",
    happen: async ({ email }) => {
      const env = { DATA_DIR: one.dataDir };
      return (await runCommand(["user", "end-sessions", email], { env })).exitCode === 0 ? 200 : 500;
    },
  },
  { name: "a deleted account", happen: ({ email }) => byAdmin("DELETE", email) },
];

let people = 0;
let tokens = 0;

/** Both sessions are known to both servers, which remember them. */
const newVictim = async (): Promise<Victim> => {
  people += 1;
  const email = `victim-${people}@example.test`;
  const first = await addUser(one.url, admin.cookie ?? "", { name: "Grace Hopper", email });
  const second = await signInAs(other.url, email);
  for (let turn = 0; turn < 2; turn += 1) {
    expect((await asAt(one, first)).status).toBe(200);
    expect((await asAt(other, second)).status).toBe(200);
  }
  return { email, first, second };
};

/** A call at a server with the cookie of somebody as it was. */
const asAt = ({ url }: ServerProcess, { cookie }: Person) => {
  const replay = createPerson(url);
  replay.cookie = cookie;
  return replay.call("GET", "/api/auth/user");
};

describe.each([
  ["with Redis", async () => {}],
  ["while Redis is away", () => redis.kill()],
] as const)("A2: what ends a session at one server ends it at another, %s:", (_, prepare) => {
  beforeAll(prepare);

  test.each(events)("$name", async ({ happen }) => {
    const victim = await newVictim();
    const replay = createPerson(other.url);
    replay.cookie = victim.second.cookie;
    expect(await happen(victim)).toBe(200);
    const isRefused = async () => (await asAt(other, replay)).status === 401;
    await until(isRefused, heardWithinMs);
    for (let turn = 0; turn < 3; turn += 1) expect(await isRefused()).toBe(true);
    expect((await asAt(one, replay)).status).toBe(401);
  });

  test("revoking an API token, without any delay", async () => {
    tokens += 1;
    const made = await admin.call("POST", "/api/admin/tokens", {
      name: `ci ${tokens}`,
      scopes: ["plugins:read"],
    });
    expect(made.status).toBe(201);
    const { id, token } = Object(made.body.data);
    const statusAt = async ({ url }: ServerProcess) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${url}/api/admin/tokens/current`, { headers })).status;
    };
    for (let turn = 0; turn < 3; turn += 1)
      expect([await statusAt(one), await statusAt(other)]).toEqual([200, 200]);
    expect((await admin.call("POST", `/api/admin/tokens/${id}/revoke`, {})).status).toBe(200);
    for (let turn = 0; turn < 3; turn += 1)
      expect([await statusAt(other), await statusAt(one)]).toEqual([401, 401]);
  });
});
