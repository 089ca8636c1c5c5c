import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sized } from "#api/testing/size.ts";
import { signedInPeople } from "../driver/people.ts";
import { createPerson } from "../driver/person.ts";
import { removeFolder, type ServerProcess, startServer } from "../driver/start-server.ts";

const samples = sized(60, 300);
const password = "a rather fine long password";
let server: ServerProcess;

// An account takes ten wrong passwords from one place before it is closed for a while.
const triesAnAccount = 9;
const warmUps = 5;
const knownEmail = (n: number): string => `known-${Math.floor((n + warmUps) / triesAnAccount)}@example.test`;

beforeAll(async () => {
  server = await startServer();
  const { admin } = await signedInPeople(server);
  const creator = createPerson(server.url);
  creator.cookie = admin;
  for (let n = -warmUps; n < samples; n += triesAnAccount) {
    const account = { name: "Grace", email: knownEmail(n), password, role: "user" };
    expect((await creator.call("POST", "/api/admin/users", account)).status).toBe(201);
  }
}, 60_000);
afterAll(async () => {
  await server.stop();
  removeFolder(server.dataDir);
});

type Sample = { ms: number; answer: string };

// Everybody calls from a place of their own: guessing from one place ends soon.
let places = 0;
const newPlace = (): string => {
  places += 1;
  return `198.51.${100 + Math.floor(places / 250)}.${places % 250}`;
};

const ask = async (path: string, body: unknown): Promise<Sample> => {
  const begun = performance.now();
  const {
    status,
    body: answer,
    headers,
  } = await createPerson(server.url, newPlace()).call("POST", path, body);
  const ms = performance.now() - begun;
  const names = [...headers.keys()].filter((name) => name !== "date").sort();
  const bytes = JSON.stringify({ ...answer, requestId: "" });
  return { ms, answer: `${status} ${bytes} ${names.join(",")} ${headers.get("content-length")}` };
};

const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The chance that a random sample of `a` is slower than one of `b`: 0.5 when nothing can be told. */
const areaUnderCurve = (a: number[], b: number[]): number => {
  const wins = a.flatMap((x) => b.map((y) => (Math.sign(x - y) + 1) / 2));
  return wins.reduce((sum, win) => sum + win, 0) / wins.length;
};

describe("E1: answers do not tell which addresses have accounts", () => {
  const cases: [string, string, (n: number) => unknown, (n: number) => unknown][] = [
    [
      "sign-in with a wrong password",
      "/api/auth/login",
      (n) => ({ email: knownEmail(n), password: "a wrong password" }),
      (n) => ({ email: `unknown-${n}@example.test`, password: "a wrong password" }),
    ],
    [
      "registration",
      "/api/auth/register",
      (n) => ({ name: "Ada", email: knownEmail(n), password }),
      (n) => ({ name: "Ada", email: `new-${n}@example.test`, password }),
    ],
    [
      "resending the link",
      "/api/auth/resend-verification",
      (n) => ({ email: knownEmail(n) }),
      (n) => ({ email: `nobody-${n}@example.test` }),
    ],
  ];
  for (const [title, path, known, unknown] of cases) {
    test(`${title}: ${samples} of each kind, the same bytes and the same time`, async () => {
      const [knownTimes, unknownTimes]: [number[], number[]] = [[], []];
      const answers = new Set<string>();
      for (let n = -warmUps; n < samples; n += 1) {
        // In turns, so that neither kind always follows the other, whose mail may still be on its way.
        const isKnownFirst = n % 2 === 0;
        const first = await ask(path, isKnownFirst ? known(n) : unknown(n));
        const second = await ask(path, isKnownFirst ? unknown(n) : known(n));
        answers.add(first.answer).add(second.answer);
        // The first few warm the statements up.
        if (n < 0) continue;
        knownTimes.push(isKnownFirst ? first.ms : second.ms);
        unknownTimes.push(isKnownFirst ? second.ms : first.ms);
      }
      const gapMs = Math.abs(median(knownTimes) - median(unknownTimes));
      const area = areaUnderCurve(knownTimes, unknownTimes);
      console.log(
        `${title}: gap of the medians ${gapMs.toFixed(2)} ms, area under the curve ${area.toFixed(3)}`,
      );
      expect([...answers]).toHaveLength(1);
      expect(gapMs).toBeLessThan(10);
      // With few samples chance alone moves the area: three standard errors around the bounds of the full size.
      const margin = 0.05 + 3 * Math.sqrt((2 * samples + 1) / (12 * samples * samples));
      expect(Math.abs(area - 0.5)).toBeLessThan(margin);
    });
  }
});
