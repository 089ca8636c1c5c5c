import { createPerson, type Person } from "../../driver/person.ts";
import { interleave, median, quantile } from "../measure/interleave.ts";
import { cpuUs } from "../measure/processes.ts";
import { decimal } from "../report.ts";
import { account, createInstallation, startAtrium } from "../subjects/atrium.ts";
import { type Subject, startSubject } from "../subjects/start-subject.ts";
import { inWorkshop } from "../subjects/workshop.ts";
import type { BenchLine } from "./bench-line.ts";

const goalMs = 32;
const bareName = "argon2id alone";
/** Enough for the ticks of 10 ms in which Linux counts to be no matter. */
const signInsPerSecond = 20;

type Round = { serverMs: number; databaseMs: number; waitsMs: number[] };
type Candidate = { subject: Subject; person: Person };

/** What one sign-in costs, beside the hash alone. */
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
          "server and database together, in milliseconds for each; the ratio is the median of the rounds' own.",
        columns: ["", "CPU ms", "database", "goal", "× the hash", "p50 ms", "p99 ms"],
        rows: candidates.map(({ subject }, index) => rowOf(subject.name, results[index] ?? [], bareMs)),
      };
    }),
};

const measure = async ({ subject, person }: Candidate, count: number): Promise<Round> => {
  const databasePids = subject.databasePids();
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
  subject.forgetOutput();
  return { serverMs, databaseMs, waitsMs };
};

const rowOf = (name: string, rounds: Round[], bareMs: number[]): string[] => {
  const wholeMs = rounds.map(({ serverMs, databaseMs }) => serverMs + databaseMs);
  const waitsMs = rounds.flatMap((round) => round.waitsMs);
  return [
    name,
    decimal(median(wholeMs), 1),
    decimal(median(rounds.map(({ databaseMs }) => databaseMs)), 1),
    name === bareName ? "" : `≤ ${goalMs}`,
    decimal(median(wholeMs.map((ms, round) => ms / (bareMs[round] ?? Number.NaN))), 2),
    decimal(median(waitsMs), 1),
    decimal(quantile(waitsMs, 0.99), 1),
  ];
};
