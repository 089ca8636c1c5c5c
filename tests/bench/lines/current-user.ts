import { interleave, median } from "../measure/interleave.ts";
import { cpuUs } from "../measure/processes.ts";
import { type LoadResult, runWrk } from "../measure/wrk.ts";
import { decimal, percent } from "../report.ts";
import { createInstallation, startAtrium, startUncachedAtrium } from "../subjects/atrium.ts";
import { type Subject, startSubject } from "../subjects/start-subject.ts";
import { inWorkshop, type Workshop } from "../subjects/workshop.ts";
import type { BenchLine, BenchSettings } from "./bench-line.ts";

const connections = 64;

/** What is aimed at, in microseconds of processor time a request, server and database together. */
const goalsUs = { warm: 20, fromPostgres: 85 };
const throughputGoal = 0.3;

type Measured = Subject & { goalUs: number | null };
type Round = LoadResult & { serverUs: number; databaseUs: number };

/** `GET /api/auth/user`, signed in, beside bare routes that answer the same bytes. */
export const currentUserLine: BenchLine = {
  name: "current-user",
  run: (settings) =>
    inWorkshop(async (workshop) => {
      const subjects = await startSubjects(workshop);
      for (const subject of subjects) await checkAnswer(subject);
      await interleave(subjects, 1, (subject) => measure(subject, 1));
      const results = await interleave(subjects, settings.rounds, (subject) =>
        measure(subject, settings.seconds),
      );
      return {
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
        rows: subjects.map((subject, index) => rowOf(subject, results[index] ?? [], results[1] ?? [])),
      };
    }),
};

const methodOf = ({ rounds, seconds }: BenchSettings): string =>
  `${connections} connections, medians of ${rounds} interleaved rounds of ${seconds} s. Server and database share one ` +
  "core, the load comes from another. CPU is processor time a request, the server's and the database's together; " +
  "p50 and p99 are those of a server at its limit.";

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
  return [...subjects, { ...warm, goalUs: goalsUs.warm }, { ...read, goalUs: goalsUs.fromPostgres }];
};

const path = "/api/auth/user";

const checkAnswer = async ({ name, url, cookie }: Subject): Promise<void> => {
  const response = await fetch(`${url}${path}`, cookie === null ? {} : { headers: { cookie } });
  const body: unknown = await response.json();
  if (response.status !== 200 || typeof Reflect.get(Object(body), "email") !== "string")
    throw new Error(`${name} answered ${response.status}: ${JSON.stringify(body)}`);
};

const measure = async (subject: Measured, seconds: number): Promise<Round> => {
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
