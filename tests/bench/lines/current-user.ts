import { interleave, median } from "../measure/interleave.ts";
import { cpuUs } from "../measure/processes.ts";
import { type LoadResult, runWrk } from "../measure/wrk.ts";
import { decimal, percent, type Report } from "../report.ts";
import { createInstallation, startAtrium, startUncachedAtrium } from "../subjects/atrium.ts";
import { type Subject, startSubject } from "../subjects/start-subject.ts";
import { inWorkshop, type Workshop } from "../subjects/workshop.ts";
import type { BenchLine, BenchSettings } from "./bench-line.ts";

/** How many requests are under way at once. The first table is about `crowd` of them. */
const connectionCounts = [1, 4, 16, 64, 256];
const crowd = 64;

/** What is aimed at, in microseconds of CPU time a request, server and database together. */
const goalsUs = { warm: 20, fromPostgres: 85 };
const throughputGoal = 0.3;
/** Up to this many connections a caller waits at most so many times as long as where a bare route asks the database once. */
const waitGoal = { connections: 16, times: 2 };

type Measured = Subject & { goalUs: number | null };
type Round = LoadResult & { serverUs: number; databaseUs: number };
/** The rounds of one subject, by how many connections there were. */
type Rounds = Map<number, Round[]>;

/** `GET /api/auth/user`, signed in, beside bare routes that answer the same bytes. */
export const currentUserLine: BenchLine = {
  name: "current-user",
  run: (settings) =>
    inWorkshop(async (workshop) => {
      const subjects = await startSubjects(workshop);
      for (const subject of subjects) await checkAnswer(subject);
      await interleave(subjects, 1, (subject) => measure(subject, crowd, 1));
      const trips: number[] = [];
      const tasks = subjects.flatMap((subject) => connectionCounts.map((count) => ({ subject, count })));
      const measured = await interleave(tasks, settings.rounds, async ({ subject, count }) => {
        if (subject.name === roundTrip && count === 1) trips.push(await bareRoundTripMs(subject));
        return measure(subject, count, settings.seconds);
      });
      const results = subjects.map(
        (subject): Rounds =>
          new Map(
            tasks.flatMap((task, index) =>
              task.subject === subject ? [[task.count, measured[index] ?? []]] : [],
            ),
          ),
      );
      return [
        {
          title: "GET /api/auth/user, signed in",
          method: methodOf(settings),
          columns: [
            "",
            "CPU µs",
            "database",
            "goal",
            "× bare Elysia",
            "requests/s",
            "of bare Elysia",
            "goal",
            "p50 ms",
            "p99 ms",
          ],
          rows: subjects.map((subject, index) =>
            rowOf(subject, results[index]?.get(crowd) ?? [], results[1]?.get(crowd) ?? []),
          ),
        },
        waitsOf(subjects, results, trips),
      ];
    }),
};

const methodOf = ({ rounds, seconds }: BenchSettings): string =>
  `${crowd} connections, medians of ${rounds} interleaved rounds of ${seconds} s. Server and database share one ` +
  "core, the load comes from another. CPU is processor time a request, the server's and the database's together; " +
  "p50 and p99 are those of a server at its limit.";

const waitsOf = (subjects: Measured[], results: Rounds[], trips: number[]): Report => {
  const trip = results[subjects.findIndex(({ name }) => name === roundTrip)];
  const middle = (rounds: Rounds | undefined, count: number, key: "p50Ms" | "requestsPerSecond") =>
    median((rounds?.get(count) ?? []).map((round) => round[key]));
  const few = connectionCounts.filter((count) => count <= waitGoal.connections);
  return {
    title: "GET /api/auth/user, by the number of simultaneous clients",
    method:
      (trips.length === 0
        ? ""
        : `One \`select 1\` from the server's core takes ${decimal(median(trips), 2)} ms. `) +
      `× compares p50 with a bare route that asks one, at ${few.join(", ")} connections; goal: ≤ ${waitGoal.times}.`,
    columns: [
      "",
      ...connectionCounts.map((count) => `p50 ms, ${count}`),
      ...few.map((count) => `×, ${count}`),
      ...connectionCounts.map((count) => `requests/s, ${count}`),
    ],
    rows: subjects.map(({ name }, index) => [
      name,
      ...connectionCounts.map((count) => decimal(middle(results[index], count, "p50Ms"), 2)),
      ...few.map((count) =>
        trip === undefined
          ? ""
          : decimal(middle(results[index], count, "p50Ms") / middle(trip, count, "p50Ms"), 1),
      ),
      ...connectionCounts.map((count) => decimal(middle(results[index], count, "requestsPerSecond"))),
    ]),
  };
};

const startSubjects = async ({ folder, postgres, keep }: Workshop): Promise<Measured[]> => {
  const bare = async (name: string, file: string): Promise<Measured> => ({
    ...keep(await startSubject({ name, folder, file })),
    goalUs: null,
  });
  const subjects = [
    await bare("bare Bun.serve", "tests/bench/subjects/bare-bun.ts"),
    await bare("bare Elysia", "tests/bench/subjects/bare-elysia.ts"),
  ];
  const embedded = await createInstallation(folder, null);
  const name = "Atrium, embedded, session remembered";
  subjects.push({
    ...keep(await startAtrium({ name, folder, installation: embedded })),
    goalUs: goalsUs.warm,
  });
  if (postgres === null) return subjects;
  const installation = await createInstallation(folder, postgres);
  const warm = keep(
    await startAtrium({ name: "Atrium, PostgreSQL, session remembered", folder, installation }),
  );
  const read = keep(
    await startUncachedAtrium(
      { name: "Atrium, PostgreSQL, session read each time", folder, installation },
      warm.cookie,
    ),
  );
  const file = "tests/bench/subjects/bare-round-trip.ts";
  const env = { DATABASE_URL: await postgres.createDatabase() };
  const trip = {
    ...keep(await startSubject({ name: roundTrip, folder, file, env })),
    databasePids: postgres.pids,
  };
  return [
    ...subjects,
    { ...trip, goalUs: null },
    { ...warm, goalUs: goalsUs.warm },
    { ...read, goalUs: goalsUs.fromPostgres },
  ];
};

const roundTrip = "bare Bun.serve, one round trip to PostgreSQL";

const bareRoundTripMs = async ({ url }: Subject): Promise<number> =>
  Number(await (await fetch(`${url}/select-1-ms`)).text());

const path = "/api/auth/user";

const checkAnswer = async ({ name, url, cookie }: Subject): Promise<void> => {
  const response = await fetch(`${url}${path}`, cookie === null ? {} : { headers: { cookie } });
  const body: unknown = await response.json();
  if (response.status !== 200 || typeof Reflect.get(Object(body), "email") !== "string")
    throw new Error(`${name} answered ${response.status}: ${JSON.stringify(body)}`);
};

const measure = async (subject: Measured, connections: number, seconds: number): Promise<Round> => {
  const { serverPid, url, cookie } = subject;
  const databasePids = subject.databasePids();
  const before = [cpuUs([serverPid]), cpuUs(databasePids)] as const;
  const load = await runWrk({ url: `${url}${path}`, cookie, connections, seconds });
  const serverUs = (cpuUs([serverPid]) - before[0]) / load.requests;
  const databaseUs = (cpuUs(databasePids) - before[1]) / load.requests;
  subject.forgetOutput();
  return { ...load, serverUs, databaseUs };
};

const rowOf = (subject: Measured, rounds: Round[], elysia: Round[]): string[] => {
  const middle = (value: (round: Round) => number) => median(rounds.map(value));
  const totalUs = (round: Round | undefined) => (round ? round.serverUs + round.databaseUs : Number.NaN);
  const timesElysia = median(rounds.map((round, index) => totalUs(round) / totalUs(elysia[index])));
  const ofElysia = rounds.map(
    (round, index) => round.requestsPerSecond / (elysia[index]?.requestsPerSecond ?? Number.NaN),
  );
  return [
    subject.name,
    decimal(middle(totalUs), 1),
    decimal(
      middle(({ databaseUs }) => databaseUs),
      1,
    ),
    subject.goalUs === null ? "" : `≤ ${subject.goalUs}`,
    decimal(timesElysia, 2),
    decimal(middle(({ requestsPerSecond }) => requestsPerSecond)),
    percent(median(ofElysia)),
    subject.goalUs === goalsUs.warm ? `≥ ${percent(throughputGoal)}` : "",
    decimal(
      middle(({ p50Ms }) => p50Ms),
      2,
    ),
    decimal(
      middle(({ p99Ms }) => p99Ms),
      1,
    ),
  ];
};
