import { createPerson, type Person } from "../../driver/person.ts";
import { interleave, median, quantile } from "../measure/interleave.ts";
import { cpuUs } from "../measure/processes.ts";
import { runWrk } from "../measure/wrk.ts";
import { decimal } from "../report.ts";
import { account, createInstallation, startAtrium } from "../subjects/atrium.ts";
import { type Subject, startSubject } from "../subjects/start-subject.ts";
import { inWorkshop } from "../subjects/workshop.ts";
import type { BenchLine } from "./bench-line.ts";

const goalMs = 32;
const bareName = "argon2id alone";
/** Enough for the ticks of 10 ms in which Linux counts to be no matter. */
const signInsPerSecond = 20;

/** `currentUserMs` and `statements` are `NaN` without a product around the hash. */
type Round = {
  serverMs: number;
  databaseMs: number;
  currentUserMs: number;
  statements: number;
  waitsMs: number[];
};
type Candidate = { subject: Subject; person: Person };

const metricsToken = crypto.randomUUID();

/** What one sign-in without a second factor costs, beside the hash alone and `GET /api/auth/user`. */
export const signInLine: BenchLine = {
  name: "sign-in",
  run: ({ rounds, seconds }) =>
    inWorkshop(async ({ folder, postgres, keep }) => {
      const file = "tests/bench/subjects/bare-hash.ts";
      const bare = keep(await startSubject({ name: bareName, folder, file }));
      const candidates: Candidate[] = [{ subject: bare, person: createPerson(bare.url) }];
      for (const place of postgres === null ? [null] : [null, postgres]) {
        const installation = await createInstallation(folder, place);
        const name = place === null ? "embedded" : "PostgreSQL";
        Object.assign(installation.env, { METRICS_TOKEN: metricsToken });
        const subject = keep(await startAtrium({ name, folder, installation }));
        candidates.push({ subject, person: createPerson(subject.url) });
      }
      const count = seconds * signInsPerSecond;
      const results = await interleave(candidates, rounds, (candidate) => measure(candidate, count));
      const bareMs = (results[0] ?? []).map(({ serverMs }) => serverMs);
      return {
        title: "One sign-in",
        method:
          `${count} sign-ins of one browser, one after the other; medians of ${rounds} interleaved rounds. CPU of ` +
          "server and database together, in milliseconds for each; ratios are medians of the rounds' own. Statements as " +
          "the server's metrics count them.",
        columns: [
          ...["", "CPU ms", "database", "goal", "× the hash", "× the current user", "statements"],
          ...["p50 ms", "p99 ms"],
        ],
        rows: candidates.map(({ subject }, index) => rowOf(subject.name, results[index] ?? [], bareMs)),
      };
    }),
};

const measure = async ({ subject, person }: Candidate, count: number): Promise<Round> => {
  const isBare = subject.name === bareName;
  const databasePids = subject.databasePids();
  const statementsBefore = isBare ? Number.NaN : await statementsOf(subject);
  const before = { server: cpuUs([subject.serverPid]), database: cpuUs(databasePids) };
  const waitsMs: number[] = [];
  for (let done = 0; done < count; done += 1) {
    const begun = performance.now();
    const { status } = await person.call("POST", "/api/auth/login", account);
    if (status !== 200) throw new Error(`a sign-in was answered ${status}`);
    waitsMs.push(performance.now() - begun);
  }
  const serverMs = (cpuUs([subject.serverPid]) - before.server) / 1_000 / count;
  const databaseMs = (cpuUs(databasePids) - before.database) / 1_000 / count;
  const statements = isBare ? Number.NaN : ((await statementsOf(subject)) - statementsBefore) / count;
  const currentUserMs = isBare ? Number.NaN : await currentUserCost(subject, person);
  subject.forgetOutput();
  return { serverMs, databaseMs, currentUserMs, statements, waitsMs };
};

const statementsOf = async ({ url }: Subject): Promise<number> => {
  const headers = { authorization: `Bearer ${metricsToken}` };
  const text = await (await fetch(`${url}/api/metrics`, { headers })).text();
  return Number(/^atrium_database_queries_total (\d+)$/m.exec(text)?.[1]);
};

/** CPU of server and database for `GET /api/auth/user`, in milliseconds a request. */
const currentUserCost = async (
  { url, serverPid, databasePids }: Subject,
  { cookie }: Person,
): Promise<number> => {
  const pids = [serverPid, ...databasePids()];
  const before = cpuUs(pids);
  const { requests } = await runWrk({ url: `${url}/api/auth/user`, cookie, connections: 8, seconds: 1 });
  return (cpuUs(pids) - before) / 1_000 / requests;
};

const rowOf = (name: string, rounds: Round[], bareMs: number[]): string[] => {
  const wholeMs = rounds.map(({ serverMs, databaseMs }) => serverMs + databaseMs);
  const waitsMs = rounds.flatMap((round) => round.waitsMs);
  const unlessBare = (text: string): string => (name === bareName ? "" : text);
  return [
    name,
    decimal(median(wholeMs), 1),
    decimal(median(rounds.map(({ databaseMs }) => databaseMs)), 1),
    unlessBare(`≤ ${goalMs}`),
    decimal(median(wholeMs.map((ms, round) => ms / (bareMs[round] ?? Number.NaN))), 2),
    unlessBare(
      decimal(median(rounds.map(({ currentUserMs }, round) => (wholeMs[round] ?? 0) / currentUserMs))),
    ),
    unlessBare(decimal(median(rounds.map(({ statements }) => statements)), 1)),
    decimal(median(waitsMs), 1),
    decimal(quantile(waitsMs, 0.99), 1),
  ];
};
