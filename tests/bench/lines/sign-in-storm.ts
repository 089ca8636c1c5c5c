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

/** More people than the queue holds; whoever is refused tries again. Their first moment is not counted. */
const crowd = { people: 100, retryMs: 200, settleMs: 500 };

/** One sign-in that was answered. */
type Answered = { status: number; ms: number };
type Round = { load: LoadResult; signInsPerSecond: number };

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
      const refused = await interleave(subjects, rounds, (subject) => overfill(subject, seconds));
      return {
        title: `GET /api/auth/user while ${signIns} sign-ins wait`,
        method:
          `${connections} connections; medians of ${rounds} interleaved rounds of ${seconds} s; all on one core. ` +
          `Refused while ${crowd.people} users sign in, which is more than may wait, as the client sees it: ` +
          `${subjects.map(({ name }, index) => refusalsOf(name, refused[index] ?? [])).join(", ")}.`,
        columns: ["", "p50 ms", "p99 ms", "goal", "requests/s", "sign-ins/s"],
        rows: runs.map(({ subject, waiting }, index) => rowOf(subject.name, waiting, results[index] ?? [])),
      };
    }),
};

const measure = async (subject: Subject, waiting: number, seconds: number): Promise<Round> => {
  let isOver = false;
  let done = 0;
  const begun = performance.now();
  const people = Array.from({ length: waiting }, async () => {
    while (!isOver) if ((await signIn(subject.url)).status === 200) done += 1;
  });
  const { url, cookie } = subject;
  const load = await runWrk({ url: `${url}/api/auth/user`, cookie, connections, seconds });
  isOver = true;
  await Promise.all(people);
  subject.forgetOutput();
  return { load, signInsPerSecond: done / ((performance.now() - begun) / 1_000) };
};

/** Keeps the queue full for a while; resolves to the times of the sign-ins that were refused. */
const overfill = async ({ url }: Subject, seconds: number): Promise<number[]> => {
  const refusedMs: number[] = [];
  const settled = performance.now() + crowd.settleMs;
  const end = settled + seconds * 1_000;
  const person = async () => {
    while (performance.now() < end) {
      const begun = performance.now();
      const { status, ms } = await signIn(url);
      if (status !== 503) continue;
      if (begun > settled) refusedMs.push(ms);
      await Bun.sleep(crowd.retryMs);
    }
  };
  await Promise.all(Array.from({ length: crowd.people }, person));
  return refusedMs;
};

const signIn = async (url: string): Promise<Answered> => {
  const begun = performance.now();
  const { status } = await createPerson(url).call("POST", "/api/auth/login", account);
  if (status !== 200 && status !== 503) throw new Error(`a sign-in was answered ${status}`);
  return { status, ms: performance.now() - begun };
};

const rowOf = (name: string, waiting: number, rounds: Round[]): string[] => {
  const middle = (value: (round: Round) => number) => median(rounds.map(value));
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
    waiting === 0
      ? ""
      : decimal(
          middle(({ signInsPerSecond }) => signInsPerSecond),
          1,
        ),
  ];
};

const refusalsOf = (name: string, rounds: number[][]): string => {
  const timesMs = rounds.flat();
  const [p50, p99] = [decimal(median(timesMs), 1), decimal(quantile(timesMs, 0.99), 1)];
  return `${name} ${decimal(timesMs.length)} with p50 ${p50} ms and p99 ${p99} ms`;
};
