import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { type FaultProxy, startFaultProxy } from "#api/testing/fault-proxy.ts";
import { readStream } from "#api/testing/live-stream.ts";
import { sized } from "#api/testing/size.ts";
import { residentBytes } from "../bench/measure/processes.ts";
import { addUser, userPassword } from "../driver/add-user.ts";
import { signedInPeople } from "../driver/people.ts";
import { removeFolder, type ServerProcess, startServer } from "../driver/start-server.ts";
import { findRedis, type RedisServer, startRedis } from "../services/redis.ts";
import { startVisitors, type Visitors } from "./visitors.ts";

const warmUpMs = sized(4_000, 600_000);
const soakMs = sized(8_000, 7_200_000);
const sampleMs = sized(200, 5_000);
/** What memory may grow by between the first and the last third: a few seconds show only a leak that gallops. */
const grownBytes = sized(40, 16) * 1024 * 1024;
const grownDescriptors = 8;
const pages = 4;

let redis: RedisServer;
let line: FaultProxy;
let server: ServerProcess;
let visitors: Visitors;
let admin: string;
let isOver = false;

beforeAll(async () => {
  if (findRedis() === null) return;
  redis = await startRedis();
  line = await startFaultProxy({ host: "127.0.0.1", port: redis.port });
  server = await startServer({ env: { REDIS_URL: `redis://:${redis.password}@127.0.0.1:${line.port}` } });
  const people = await signedInPeople(server);
  admin = people.admin;
  // Someone else than whose session is used: of one person's sessions the hourly clean-up keeps the hundred used last, by the minute.
  const linus = { name: "Linus", email: "linus@example.test" };
  await addUser(server.url, admin, linus);
  const { email } = linus;
  visitors = startVisitors({ url: server.url, cookie: people.user, email, password: userPassword });
}, 60_000);

afterAll(async () => {
  await visitors.stop();
  await server.stop("SIGKILL");
  removeFolder(server.dataDir);
  await line.close();
  redis.stop();
});

/** An admin's page that keeps itself up to date: a stream, which is opened again whenever the page is. */
const watchActivity = async (): Promise<void> => {
  while (!isOver) {
    const response = await fetch(`${server.url}/api/admin/activity/stream`, { headers: { cookie: admin } });
    const stream = readStream(response);
    await stream.begun();
    await Bun.sleep(500 + Math.random() * 2_000);
    await stream.close();
  }
};

/** Redis hangs, is late, cut off and back, again and again. */
const disturbRedis = async (): Promise<void> => {
  const faults = [line.freeze, () => line.slow(1_000), line.reset, line.cut];
  for (let turn = 0; !isOver; turn += 1) {
    faults[turn % faults.length]?.();
    await Bun.sleep(700);
    await line.mend();
    await Bun.sleep(500);
  }
};

type Sample = { bytes: number; descriptors: number };
const sample = (): Sample => ({
  bytes: residentBytes([server.pid]),
  descriptors: readdirSync(`/proc/${server.pid}/fd`).length,
});
const middle = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

// Memory and descriptors are read where Linux shows them.
describe.skipIf(findRedis() === null || process.platform !== "linux")("X12: under a steady load", () => {
  test(
    "with live pages and a Redis server that comes and goes, memory and descriptors stay as they are and nothing fails",
    async () => {
      const work = [disturbRedis(), ...Array.from({ length: pages }, watchActivity)];
      await Bun.sleep(warmUpMs);
      const samples: Sample[] = [];
      let slowestMs = 0;
      const refused: unknown[] = [];
      const until = performance.now() + soakMs;
      while (performance.now() < until) {
        samples.push(sample());
        const visits = visitors.takeVisits();
        slowestMs = Math.max(slowestMs, ...visits.map(({ ms }) => ms));
        refused.push(...visits.filter(({ status }) => status === null || status >= 400));
        await Bun.sleep(sampleMs);
      }
      isOver = true;
      await Promise.all(work);
      const third = Math.floor(samples.length / 3);
      const [early, late] = [samples.slice(0, third), samples.slice(-third)];
      const grown = (key: keyof Sample) =>
        middle(late.map((one) => one[key])) - middle(early.map((one) => one[key]));
      const tenth = Math.max(1, Math.floor(samples.length / 10));
      const course = Array.from({ length: 10 }, (_, part) =>
        Math.round(middle(samples.slice(part * tenth, (part + 1) * tenth).map(({ bytes }) => bytes)) / 1e6),
      );
      console.log(
        `${course.join(", ")} MB by tenths of the time, grown by ${Math.round(grown("bytes") / 1024)} KB and ${grown("descriptors")} descriptors, ` +
          `slowest answer ${Math.round(slowestMs)} ms`,
      );
      expect(refused).toEqual([]);
      expect(grown("bytes")).toBeLessThan(grownBytes);
      expect(grown("descriptors")).toBeLessThan(grownDescriptors);
      // A rejection that no one handles would have ended it, or left a line.
      expect(server.output()).not.toMatch(/"level":"error"|unhandled/i);
      await visitors.stop();
      expect(await server.stop()).toBe(0);
    },
    warmUpMs + soakMs + 120_000,
  );
});
