import { createRateLimiter } from "#api/adapters/rate-limit/create-rate-limiter.ts";
import { type RateLimiter, rateLimitHeaders } from "#api/adapters/rate-limit/rate-limiter.ts";
import { systemClock } from "#api/core/clock.ts";
import { noRedis } from "#api/testing/rate-limiter-contract.ts";
import { until } from "#api/testing/until.ts";
import { openLimiter } from "../../services/limiters.ts";
import { findRedis, type RedisServer, startRedis } from "../../services/redis.ts";
import { interleave, median } from "../measure/interleave.ts";
import { decimal } from "../report.ts";
import type { BenchLine } from "./bench-line.ts";

const rule = { max: 100, windowMs: 900_000 };
const goalUs = 15;
/** Requests of one key in a round: half of what may pass. */
const requestsPerKey = 50;
const memoryRequests = 200_000;
const redisRequests = 10_000;

type Cost = { ownUs: number; redisUs: number; waitUs: number };
type Subject = { name: string; goal: boolean; measure(): Promise<Cost> };

/** What the limit on requests costs each of them, headers included, beside a plain counter. */
export const limiterLine: BenchLine = {
  name: "limiter",
  run: async ({ rounds }) => {
    const memory = createRateLimiter({ clock: systemClock, link: noRedis, secret: new Uint8Array(32) });
    const server = findRedis() === null ? null : await startRedis();
    const ends: (() => unknown)[] = server === null ? [] : [server.stop];
    try {
      const subjects = [plainCounter, ...memorySubjects(memory)];
      if (server !== null) {
        const { limiter, link } = openLimiter({ url: server.url() });
        ends.push(link.close);
        await until(() => link.isUp);
        subjects.push(...redisSubjects(limiter, server));
      }
      const results = await interleave(subjects, rounds, ({ measure }) => measure());
      const plainUs = (results[0] ?? []).map(({ ownUs }) => ownUs);
      return {
        title: "The limit on requests",
        method:
          `One take and its headers, ${requestsPerKey} for each of thousands of keys; medians of ${rounds} interleaved ` +
          `rounds. CPU of the server process and of Redis for each request, in µs; "wait" is how long a request of ` +
          "one client after the other takes, or of 64 at the same time.",
        columns: ["", "CPU µs", "Redis µs", "goal", "× plain counter", "wait µs"],
        rows: subjects.map(({ name, goal }, index) => {
          const costs = results[index] ?? [];
          return [
            name,
            decimal(median(costs.map(({ ownUs }) => ownUs)), 2),
            decimal(median(costs.map(({ redisUs }) => redisUs)), 1),
            goal ? `≤ ${goalUs}` : "",
            decimal(median(costs.map(({ ownUs }, round) => ownUs / (plainUs[round] ?? Number.NaN))), 1),
            decimal(median(costs.map(({ waitUs }) => waitUs)), 1),
          ];
        }),
      };
    } finally {
      for (const end of ends.reverse()) await end();
    }
  },
};

let keys = 0;
/** Keys that no one has asked for yet, each for as many requests as it says, one key after the other in turn. */
const freshKeys = (requests: number): ((request: number) => string) => {
  const width = Math.ceil(requests / requestsPerKey);
  const first = keys;
  keys += width;
  return (request) => `core 2001:db8:0:${first + (request % width)}::/64`;
};

const plainCounter: Subject = {
  name: "plain counter in a Map",
  goal: false,
  measure: () => {
    const counts = new Map<string, number>();
    return costOf(memoryRequests, (key) => counts.set(key, (counts.get(key) ?? 0) + 1));
  },
};

const memorySubjects = (limiter: RateLimiter): Subject[] => {
  const take = (key: string) => {
    const decision = limiter.take(key, rule);
    if (decision instanceof Promise) throw new Error("memory alone was to be asked");
    return rateLimitHeaders(rule, decision);
  };
  const full = Array.from({ length: 100 }, (_, n) => `full ${n}`);
  for (const key of full) for (let n = 0; n < rule.max; n += 1) take(key);
  let turn = 0;
  const refuse = () => {
    turn += 1;
    return take(full[turn % full.length] ?? "");
  };
  return [
    { name: "memory, passes", goal: true, measure: () => costOf(memoryRequests, take) },
    { name: "memory, refused", goal: true, measure: () => costOf(memoryRequests, refuse) },
  ];
};

const costOf = async (requests: number, work: (key: string) => unknown): Promise<Cost> => {
  const keyOf = freshKeys(requests);
  const startedAt = performance.now();
  const before = process.cpuUsage();
  for (let n = 0; n < requests; n += 1) work(keyOf(n));
  const { user, system } = process.cpuUsage(before);
  const waitUs = ((performance.now() - startedAt) * 1_000) / requests;
  return { ownUs: (user + system) / requests, redisUs: 0, waitUs };
};

const redisSubjects = (limiter: RateLimiter, server: RedisServer): Subject[] => {
  const take = async (key: string) => rateLimitHeaders(rule, await limiter.take(key, rule));
  const subjectOf = (name: string, clients: number): Subject => ({
    name,
    goal: false,
    measure: async () => {
      const keyOf = freshKeys(redisRequests);
      const redisBeforeUs = await redisCpuUs(server);
      const startedAt = performance.now();
      const before = process.cpuUsage();
      for (let n = 0; n < redisRequests; n += clients)
        await Promise.all(Array.from({ length: clients }, (_, client) => take(keyOf(n + client))));
      const { user, system } = process.cpuUsage(before);
      const waitUs = ((performance.now() - startedAt) * 1_000 * clients) / redisRequests;
      if (limiter.store !== "redis") throw new Error("Redis went away");
      const redisUs = ((await redisCpuUs(server)) - redisBeforeUs) / redisRequests;
      return { ownUs: (user + system) / redisRequests, redisUs, waitUs };
    },
  });
  return [subjectOf("Redis, one after the other", 1), subjectOf("Redis, 64 at the same time", 64)];
};

/** Processor time of the server so far, as it says itself. */
const redisCpuUs = async (server: RedisServer): Promise<number> => {
  const text = String(await server.tell("info", "cpu"));
  const seconds = [...text.matchAll(/^used_cpu_(?:sys|user):([\d.]+)/gm)].map(([, value]) => Number(value));
  return seconds.reduce((sum, value) => sum + value, 0) * 1_000_000;
};
