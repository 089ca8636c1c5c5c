import { readdirSync } from "node:fs";
import { controlSocketIn } from "#api/config.ts";
import { readStream } from "#api/testing/live-stream.ts";
import { addUser } from "../../driver/add-user.ts";
import { createPerson, type Person } from "../../driver/person.ts";
import { nextPlace } from "../../faults/api-load.ts";
import { findRedis, type RedisServer, startRedis } from "../../services/redis.ts";
import { openMeasuredLog } from "../activity/measured-log.ts";
import { writeLines } from "../activity/write-lines.ts";
import { interleave, median } from "../measure/interleave.ts";
import { costOfRequests, type RequestCost } from "../measure/paced-load.ts";
import { processTree, residentBytes } from "../measure/processes.ts";
import { repeat } from "../measure/repeat.ts";
import { decimal, megabytes, percent, type Report } from "../report.ts";
import { account, createInstallation, type Installation, startAtrium } from "../subjects/atrium.ts";
import type { Subject } from "../subjects/start-subject.ts";
import { inWorkshop } from "../subjects/workshop.ts";
import type { BenchLine, BenchSettings } from "./bench-line.ts";

/** What one replica takes of a processor, of PostgreSQL, of Redis, and of what is there once only. */
export const capacityLine: BenchLine = {
  name: "capacity",
  run: (settings) =>
    inWorkshop(async ({ folder, postgres, keep }) => {
      if (postgres === null || findRedis() === null)
        throw new Error("PostgreSQL and Redis are needed, and not installed");
      const redis = await startRedis();
      try {
        const plain = await createInstallation(folder, postgres);
        const installation = { ...plain, env: { ...plain.env, REDIS_URL: redis.url() } };
        const subject = keep(await startAtrium({ name: "one replica", folder, installation }));
        const idleBytes = residentBytes(processTree(subject.serverPid));
        await limitWidely(installation);
        const requests = await requestReport({ subject, redis, settings });
        const once = await onceReport({ subject, installation, settings, idleBytes });
        return [requests, once];
      } finally {
        redis.stop();
      }
    }),
};

/** As in an installation calls are counted, and as none of them has so many. */
const limitWidely = async ({ dataDir }: Installation): Promise<void> => {
  const response = await fetch("http://localhost/api/auth/settings/core", {
    unix: controlSocketIn(dataDir),
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ rateLimiting: { enabled: true, maxRequests: 10_000, windowMs: 60_000 } }),
  });
  if (!response.ok) throw new Error(`the limit was not saved: ${response.status}`);
};

type Kind = { name: string; requestsPerSecond: number; atOnce: number; send(made: number): Promise<number> };
type Round = RequestCost & { redisCommands: number };

const kindsFor = ({ url, cookie }: Subject): Kind[] => {
  const places = Array.from({ length: 200 }, () => {
    const person = createPerson(url, nextPlace());
    person.cookie = cookie;
    return person;
  });
  const by = (made: number): Person => places[made % places.length] ?? createPerson(url);
  const asked = async (answer: ReturnType<Person["call"]>) => (await answer).status;
  return [
    { name: "page", path: "/" },
    { name: "session read", path: "/api/auth/user" },
    { name: "list of 20", path: "/api/admin/activity?limit=20" },
  ]
    .map(
      ({ name, path }): Kind => ({
        ...{ name, requestsPerSecond: name === "list of 20" ? 150 : 3_000, atOnce: 32 },
        send: (made) => asked(by(made).call("GET", path)),
      }),
    )
    .concat([
      {
        ...{ name: "write", requestsPerSecond: 200, atOnce: 16 },
        send: (made) => asked(by(made).call("PUT", "/api/account/name", { name: `Ada ${made}` })),
      },
      {
        ...{ name: "sign-in", requestsPerSecond: 20, atOnce: 4 },
        send: () => asked(createPerson(url, nextPlace()).call("POST", "/api/auth/login", account)),
      },
    ]);
};

type RequestParts = { subject: Subject; redis: RedisServer; settings: BenchSettings };

const requestReport = async ({ subject, redis, settings }: RequestParts): Promise<Report> => {
  const kinds = kindsFor(subject);
  const measure = async ({ requestsPerSecond, atOnce, send }: Kind, seconds: number): Promise<Round> => {
    const { serverPid, databasePids } = subject;
    const requests = Math.max(atOnce, requestsPerSecond * seconds);
    const before = await commandsOf(redis);
    const cost = await costOfRequests({ serverPid, databasePids, send, requests, atOnce });
    subject.forgetOutput();
    return { ...cost, redisCommands: ((await commandsOf(redis)) - before) / requests };
  };
  await interleave(kinds, 1, (kind) => measure(kind, 1));
  const results = await interleave(kinds, settings.rounds, (kind) => measure(kind, settings.seconds));
  return {
    title: "What a request takes",
    method:
      `Medians of ${settings.rounds} interleaved rounds; processor time from /proc, the database's with its background ` +
      "processes. The limit on calls is on, in Redis. Requests a core are what one core of a replica could answer of " +
      "this kind alone; replica cores for one of PostgreSQL are how many it takes to keep one core of the database busy. Redis counts commands within scripts, too.",
    columns: [
      "",
      "replica µs",
      "requests/s a core",
      "PostgreSQL µs",
      "share of it",
      "replica cores for one of PostgreSQL",
      "Redis commands",
    ],
    rows: kinds.map(({ name }, index) => rowOf(name, results[index] ?? [])),
  };
};

const rowOf = (name: string, rounds: Round[]): string[] => {
  const middle = (value: (round: Round) => number) => median(rounds.map(value));
  const serverUs = middle((round) => round.serverUs);
  return [
    name,
    decimal(serverUs),
    decimal(1_000_000 / serverUs),
    decimal(
      middle((round) => round.databaseUs),
      1,
    ),
    percent(middle(({ serverUs: own, databaseUs }) => databaseUs / (own + databaseUs))),
    decimal(
      middle(({ serverUs: own, databaseUs }) => own / databaseUs),
      1,
    ),
    decimal(
      middle(({ redisCommands }) => redisCommands),
      1,
    ),
  ];
};

const commandsOf = async (redis: RedisServer): Promise<number> =>
  Number(/total_commands_processed:(\d+)/.exec(String(await redis.tell("info", "stats")))?.[1]);

type OnceParts = { subject: Subject; installation: Installation; settings: BenchSettings; idleBytes: number };

const streamsOfOne = 10;
const listeners = 10;
const linesOfATask = 1_000;

/** What there is once for all replicas, and what each takes by being there. */
const onceReport = async ({ subject, installation, settings, idleBytes }: OnceParts): Promise<Report> => {
  const busyBytes = residentBytes(processTree(subject.serverPid));
  const connections = (await databaseConnections(installation)) ?? Number.NaN;
  const streams = await measureStreams(subject);
  const log = await openMeasuredLog(installation);
  let seed = 0;
  const written = await repeat({
    run: () => {
      seed += 1;
      return writeLines(log.ctx, { seed, count: linesOfATask });
    },
    ...{ databasePids: log.databasePids, least: 5, most: 200, forMs: settings.seconds * 1_000 },
  }).finally(log.close);
  const rowsPerSecond = (linesOfATask * 1_000) / median(written.waitsMs);
  const databaseUs = (written.databaseMs * 1_000) / linesOfATask;
  return {
    title: "What a replica takes, and what there is once",
    method:
      `${listeners * streamsOfOne} live streams; activities written ${linesOfATask} at a time by one process, as one ` +
      "at a time of all replicas does.",
    columns: ["", "measured"],
    rows: [
      ["memory of a replica after its start", megabytes(idleBytes)],
      ["memory of a replica after this load", megabytes(busyBytes)],
      ["connections to PostgreSQL", decimal(connections)],
      ["replicas for its 97 connections of the default", decimal(Math.floor(97 / (connections + 1)))],
      ["file descriptors of a live stream", decimal(streams.descriptors, 1)],
      ["memory of a live stream", `${decimal(streams.bytes / 1_000)} kB`],
      ["activities a second", decimal(rowsPerSecond)],
      ["PostgreSQL µs an activity", decimal(databaseUs, 1)],
      ["activities a second for a whole core of PostgreSQL", decimal(1_000_000 / databaseUs)],
    ],
  };
};

const databaseConnections = async ({ env }: Installation): Promise<number | undefined> => {
  const sql = new Bun.SQL(env.DATABASE_URL ?? "", { max: 1 });
  try {
    const [row] = await sql`
      select count(*)::int as open from pg_stat_activity
      where datname = current_database() and application_name like 'atrium%'`;
    return row?.open;
  } finally {
    await sql.close();
  }
};

const measureStreams = async ({ url, cookie, serverPid }: Subject) => {
  const descriptors = () => readdirSync(`/proc/${serverPid}/fd`).length;
  const people = await Promise.all(
    Array.from({ length: listeners }, (_, at) =>
      addUser(url, cookie ?? "", { name: "Ada", email: `listener-${at}@example.test`, role: "admin" }),
    ),
  );
  const before = { descriptors: descriptors(), bytes: residentBytes([serverPid]) };
  const streams = await Promise.all(
    people.flatMap((person) =>
      Array.from({ length: streamsOfOne }, async () => {
        const headers = { cookie: person.cookie ?? "" };
        const stream = readStream(
          await fetch(`${url}/api/admin/activity/stream`, { headers, keepalive: false }),
        );
        await stream.begun();
        return stream;
      }),
    ),
  );
  const found = {
    descriptors: (descriptors() - before.descriptors) / streams.length,
    bytes: Math.max(0, residentBytes([serverPid]) - before.bytes) / streams.length,
  };
  await Promise.all(streams.map((stream) => stream.close()));
  return found;
};
