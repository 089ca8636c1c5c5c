import { createPerson } from "../../driver/person.ts";
import { interleave, median, quantile } from "../measure/interleave.ts";
import { type LoadResult, runWrk } from "../measure/wrk.ts";
import { decimal } from "../report.ts";
import { account, createInstallation, startAtrium } from "../subjects/atrium.ts";
import { type Subject, startSubject } from "../subjects/start-subject.ts";
import { inWorkshop } from "../subjects/workshop.ts";
import type { BenchLine } from "./bench-line.ts";

const connections = 8;
const signIns = 50;
const goalP99Ms = 40;

// Somebody who was refused tries again soon, so that the queue stays as full as it may be.
const retryMs = 100;

/** One sign-in that was answered. */
type Answered = { status: number; ms: number };
type Round = { load: LoadResult; answered: Answered[]; seconds: number };

/** How others are served while fifty people sign in, and what happens to sign-ins that find the queue full. */
export const signInStormLine: BenchLine = {
  name: "sign-in-storm",
  run: ({ rounds, seconds }) =>
    inWorkshop(async ({ folder, postgres, keep }) => {
      const places = postgres === null ? [null] : [null, postgres];
      const bare = keep(
        await startSubject({ name: "bare Elysia", folder, file: "tests/bench/subjects/bare-elysia.ts" }),
      );
      const subjects: Subject[] = [];
      for (const place of places) {
        const installation = await createInstallation(folder, place);
        const name = place === null ? "embedded" : "PostgreSQL";
        subjects.push(keep(await startAtrium({ name, folder, installation })));
      }
      const runs = [
        { subject: bare, waiting: 0 },
        ...subjects.flatMap((subject) => [
          { subject, waiting: 0 },
          { subject, waiting: signIns },
        ]),
      ];
      const results = await interleave(runs, rounds, ({ subject, waiting }) =>
        measure(subject, waiting, seconds),
      );
      return {
        title: `GET /api/auth/user while ${signIns} sign-ins wait`,
        method:
          `${connections} connections; medians of ${rounds} interleaved rounds of ${seconds} s; all on one core. ` +
          "Refused are the sign-ins that find the queue full (503); their times are those that the caller sees.",
        columns: [
          "",
          "p50 ms",
          "p99 ms",
          "goal",
          "requests/s",
          "sign-ins/s",
          "refused",
          "refused p50 ms",
          "p99 ms",
        ],
        rows: runs.map(({ subject, waiting }, index) => rowOf(subject.name, waiting, results[index] ?? [])),
      };
    }),
};

const measure = async (subject: Subject, waiting: number, seconds: number): Promise<Round> => {
  const answered: Answered[] = [];
  let isOver = false;
  const begun = performance.now();
  const people = Array.from({ length: waiting }, async () => {
    while (!isOver) {
      const answer = await signIn(subject.url);
      answered.push(answer);
      if (answer.status === 503) await Bun.sleep(retryMs);
    }
  });
  const { url, cookie } = subject;
  const load = await runWrk({ url: `${url}/api/auth/user`, cookie, connections, seconds });
  isOver = true;
  await Promise.all(people);
  subject.forgetOutput();
  return { load, answered, seconds: (performance.now() - begun) / 1_000 };
};

const signIn = async (url: string): Promise<Answered> => {
  const begun = performance.now();
  const { status } = await createPerson(url).call("POST", "/api/auth/login", account);
  if (status !== 200 && status !== 503) throw new Error(`a sign-in was answered ${status}`);
  return { status, ms: performance.now() - begun };
};

const rowOf = (name: string, waiting: number, rounds: Round[]): string[] => {
  const middle = (value: (round: Round) => number) => median(rounds.map(value));
  const refused = rounds.flatMap(({ answered }) => answered.filter(({ status }) => status === 503));
  const refusedMs = refused.map(({ ms }) => ms);
  const perSecond = ({ answered, seconds }: Round) =>
    answered.filter(({ status }) => status === 200).length / seconds;
  return [
    `${name}, ${waiting === 0 ? "no sign-ins" : `${waiting} sign-ins`}`,
    decimal(
      middle(({ load }) => load.p50Ms),
      2,
    ),
    decimal(
      middle(({ load }) => load.p99Ms),
      1,
    ),
    waiting === 0 ? "" : `≤ ${goalP99Ms}`,
    decimal(middle(({ load }) => load.requestsPerSecond)),
    ...(waiting === 0
      ? ["", "", "", ""]
      : [
          decimal(middle(perSecond), 1),
          decimal(refused.length),
          decimal(median(refusedMs), 1),
          decimal(quantile(refusedMs, 0.99), 1),
        ]),
  ];
};
