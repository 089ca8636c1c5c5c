import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { controlSocketIn } from "#api/config.ts";
import { endAfterEachTest } from "#api/testing/for-each-test.ts";
import { until } from "#api/testing/until.ts";
import { userPassword } from "../driver/add-user.ts";
import { signedInPeople } from "../driver/people.ts";
import { createPerson } from "../driver/person.ts";
import { removeFolder, type ServerProcess, startServer } from "../driver/start-server.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../services/postgres.ts";
import { findRedis, type RedisServer, startRedis } from "../services/redis.ts";
import { type Account, nextPlace, type Seen, startApiLoad, startCrowd } from "./api-load.ts";

const max = 20;
/** What an outage may cost a call, on a machine that makes nothing late. */
const extraMs = 300;
/** Of each kind, which tell how long an answer takes in calm. */
const calmAnswers = 30;
const downMs = 3_000;

let postgres: PostgresServer;
let redis: RedisServer;
let servers: ServerProcess[] = [];
let account: Account;

const endings = endAfterEachTest();

/** A call of the operator. */
const operate = async ({ dataDir }: ServerProcess, method: string, path: string, body?: unknown) => {
  const response = await fetch(`http://localhost${path}`, {
    unix: controlSocketIn(dataDir),
    method,
    ...(body === undefined
      ? {}
      : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
  return response.json();
};

/** Where each server counts, by its own word. */
const stores = (): Promise<string[]> =>
  Promise.all(
    servers.map(async (server) => {
      const { data } = await operate(server, "GET", "/api/system/status");
      return `${data.redis.state}, counts in ${data.limiter.store}`;
    }),
  );
const allAre = async (store: string): Promise<boolean> => (await stores()).every((each) => each === store);
const inUse = "up, counts in redis";
const away = "away, counts in memory";

const saveMax = (server: ServerProcess, maxRequests: number) =>
  operate(server, "PUT", "/api/auth/settings/core", { rateLimiting: { maxRequests, windowMs: 60_000 } });

/** Whether a visitor of this server is told that the limit is this one. */
const applies = async ({ url }: ServerProcess, maxRequests: number): Promise<boolean> => {
  const { headers } = await createPerson(url, nextPlace()).call("GET", "/api/auth/providers");
  return headers.get("ratelimit-policy") === `"core";q=${maxRequests};w=60`;
};

const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0);
const quantile = (values: number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0;

/** How many milliseconds longer the slowest answer of a kind took than nearly all of them did in calm. */
const costOf = (kind: "call" | "signIn", { calm, disturbed }: { calm: Seen; disturbed: Seen }): number => {
  expect(Math.min(calm[kind].length, disturbed[kind].length)).toBeGreaterThan(10);
  return Math.max(...disturbed[kind]) - quantile(calm[kind], 0.99);
};

type Fault = { name: string; begin(): unknown; meanwhile(): Promise<unknown>; end(): unknown };

const staysAway = async (): Promise<void> => {
  await until(() => allAre(away), downMs);
  await Bun.sleep(downMs - 500);
  expect(await allAre(away)).toBe(true);
};
const comesAndGoes = async (): Promise<void> => {
  for (const isKill of [true, false, true]) {
    await Bun.sleep(400);
    await (isKill ? redis.restart() : redis.thaw());
    await Bun.sleep(700);
    await (isKill ? redis.freeze() : redis.kill());
  }
};

const faults: Fault[] = [
  { name: "is killed", begin: () => redis.kill(), meanwhile: staysAway, end: () => redis.restart() },
  { name: "hangs", begin: () => redis.freeze(), meanwhile: staysAway, end: () => redis.thaw() },
  { name: "comes and goes", begin: () => redis.kill(), meanwhile: comesAndGoes, end: () => redis.thaw() },
];

describe.skipIf(findPostgres() === null || findRedis() === null)("two servers on one Redis", () => {
  beforeAll(async () => {
    [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
    const env = {
      DATABASE_URL: await postgres.createDatabase(),
      REDIS_URL: redis.url(),
      APP_SECRET: randomBytes(36).toString("base64"),
    };
    const start = () => startServer({ env, isLimited: true });
    const one = await start();
    servers = [one, await start()];
    const { user } = await signedInPeople(one);
    account = { email: "grace@example.test", password: userPassword, cookie: user };
    await until(() => allAre(inUse));
  }, 60_000);

  afterAll(async () => {
    for (const server of servers) {
      await server.stop("SIGKILL");
      removeFolder(server.dataDir);
    }
    redis.stop();
    postgres.stop();
  });

  test.each(faults)(
    "R6: Redis that $name costs no call and no sign-in more than a moment, opens no limit, and is used again within five seconds",
    async ({ begin, meanwhile, end }) => {
      for (const server of servers) await saveMax(server, max);
      const load = startApiLoad(servers, account);
      const early = startCrowd(servers);
      endings.push(load.stop, early.stop);
      await load.more(calmAnswers);
      await until(() => sum(early.passed) >= max);
      expect(await allAre(inUse)).toBe(true);
      // Together as often as the rule says, while they count together.
      expect(sum(early.passed)).toBe(max);
      const calm = load.takeSeen();

      await begin();
      const late = startCrowd(servers);
      endings.push(late.stop);
      await meanwhile();
      await end();
      expect(await until(() => allAre(inUse))).toBeLessThan(5_000);
      await load.more(11);
      const disturbed = load.takeSeen();
      for (const { stop, passed } of [early, late]) {
        await stop();
        expect(sum(passed)).toBeGreaterThanOrEqual(max);
        expect(Math.max(...passed)).toBeLessThanOrEqual(max);
      }
      expect([...calm.failures, ...disturbed.failures]).toEqual([]);
      expect(costOf("call", { calm, disturbed })).toBeLessThan(extraMs);
      expect(costOf("signIn", { calm, disturbed })).toBeLessThan(extraMs);
    },
    30_000,
  );

  test("a limit saved at one is told to visitors of the other within a second, with Redis and without", async () => {
    const [one, other] = servers;
    if (one === undefined || other === undefined) throw new Error("there are no two servers");
    const saveAndSee = async (from: ServerProcess, to: ServerProcess, maxRequests: number) => {
      await saveMax(from, maxRequests);
      expect(await until(() => applies(to, maxRequests), 1_000)).toBeLessThan(1_000);
    };
    await saveAndSee(one, other, 31);
    await saveAndSee(other, one, 32);
    await redis.kill();
    await saveAndSee(one, other, 33);
    await until(() => allAre(away));
    await saveAndSee(other, one, 34);
    await redis.restart();
    await until(() => allAre(inUse));
    await saveAndSee(one, other, 35);
  });
});
