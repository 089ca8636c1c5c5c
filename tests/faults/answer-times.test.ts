import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Database } from "#api/core/database.ts";
import { newId } from "#api/core/ids.ts";
import { identities, pendingRegistrations, users } from "#api/db/schema.ts";
import { sized } from "#api/testing/size.ts";
import { createPerson } from "../driver/person.ts";
import { readRows } from "../driver/read-rows.ts";
import { removeFolder, type ServerProcess, startServer, temporaryFolder } from "../driver/start-server.ts";

const samples = sized(60, 300);
const warmUps = 5;
const password = "a rather fine long password";

/** Who an address belongs to. Each sample asks for an address of its own: one that was asked for before is limited. */
const kinds = ["unknown", "known", "waiting", "social"] as const;
type Kind = (typeof kinds)[number];

type Call = {
  title: string;
  path: string;
  body: (email: string) => unknown;
  others: Exclude<Kind, "unknown">[];
};
const calls: Call[] = [
  {
    title: "sign-in with a wrong password",
    path: "/api/auth/login",
    body: (email) => ({ email, password: "a wrong password" }),
    others: ["known", "waiting", "social"],
  },
  {
    title: "registration",
    path: "/api/auth/register",
    body: (email) => ({ name: "Ada", email, password }),
    others: ["known", "waiting"],
  },
  {
    title: "asking for a verification link",
    path: "/api/auth/resend-verification",
    body: (email) => ({ email }),
    others: ["known", "waiting"],
  },
  {
    title: "asking for a new password",
    path: "/api/auth/forgot-password",
    body: (email) => ({ email }),
    others: ["known", "waiting"],
  },
];

const emailOf = ({ path }: Call, kind: Kind, n: number): string =>
  `${kind}-${n + warmUps}.${path.split("/").at(-1)}@example.test`;

let server: ServerProcess;

beforeAll(async () => {
  const dataDir = temporaryFolder();
  await readRows({ dataDir, env: {} }, fill);
  server = await startServer({ dataDir });
}, 120_000);
afterAll(async () => {
  await server.stop();
  removeFolder(server.dataDir);
});

/** Gives every address that is not unknown what makes it so. */
const fill = async (db: Database): Promise<void> => {
  const passwordHash = await Bun.password.hash(password, {
    algorithm: "argon2id",
    memoryCost: 19_456,
    timeCost: 2,
  });
  const now = new Date();
  const expiresAt = new Date(now.getTime() + 24 * 60 * 60 * 1_000);
  for (const call of calls) {
    const rows = (kind: Kind) =>
      Array.from({ length: mostSamples + warmUps }, (_, at) => {
        const email = emailOf(call, kind, at - warmUps);
        return { id: newId(), name: "Grace", email, emailKey: email };
      });
    const verified = { emailVerifiedAt: now, createdAt: now, updatedAt: now };
    await db.insert(users).values(rows("known").map((row) => ({ ...row, ...verified, passwordHash })));
    const social = rows("social");
    await db.insert(users).values(social.map((row) => ({ ...row, ...verified })));
    const linked = { provider: "google" as const, issuer: "https://accounts.google.com", linkedAt: now };
    await db
      .insert(identities)
      .values(social.map(({ id, email }) => ({ ...linked, id, userId: id, subject: id, email })));
    const waiting = { passwordHash, expiresAt, createdAt: now };
    await db.insert(pendingRegistrations).values(rows("waiting").map((row) => ({ ...row, ...waiting })));
  }
};

type Sample = { ms: number; answer: string };

// Everyone calls from a place of their own: guessing from one place ends soon.
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

// Shuffled again for each round: no kind may always follow another, whose mail may still be on its way.
const orderOf = (round: number, all: Kind[]): Kind[] =>
  [...all].sort((a, b) => Bun.hash.crc32(`${round} ${a}`) - Bun.hash.crc32(`${round} ${b}`));

const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The chance that a random sample of `a` is slower than one of `b`: 0.5 when nothing can be told. */
const areaUnderCurve = (a: number[], b: number[]): number => {
  const wins = a.flatMap((x) => b.map((y) => (Math.sign(x - y) + 1) / 2));
  return wins.reduce((sum, win) => sum + win, 0) / wins.length;
};

/**
 * Chance alone moves an area by more than 0.05 once in thirty comparisons of 300 samples. One that lies outside is
 * therefore measured on, up to 1,200, where it does so once in thirty thousand. At the small size twice the area's deviation
 * among samples of one kind comes on top, so that chance has hardly any measured on; what a skipped hash saves is far more.
 */
const isTelling = ({ gapMs, area, samples: taken }: { gapMs: number; area: number; samples: number }) =>
  gapMs >= 10 || Math.abs(area - 0.5) > 0.05 + sized(2, 0) * areaDeviation(taken);
/** Of so many samples of each kind, after Mann and Whitney. */
const areaDeviation = (count: number): number => Math.sqrt((2 * count + 1) / (12 * count ** 2));
const mostSamples = 1_200;

describe("E1: answers do not tell which addresses have accounts", () => {
  for (const call of calls) {
    const { title, path, body, others } = call;
    test(`${title}: ${samples} of each kind, the same bytes and the same time`, async () => {
      const times = new Map<Kind, number[]>(kinds.map((kind) => [kind, []]));
      const answers = new Set<string>();
      const measure = async (from: number, to: number) => {
        for (let n = from; n < to; n += 1) {
          for (const kind of orderOf(n, ["unknown", ...others])) {
            const { ms, answer } = await ask(path, body(emailOf(call, kind, n)));
            answers.add(answer);
            // The first few warm the statements up.
            if (n >= 0) times.get(kind)?.push(ms);
          }
        }
      };
      const compare = () => {
        const unknown = times.get("unknown") ?? [];
        return others.map((kind) => {
          const known = times.get(kind) ?? [];
          const gapMs = Math.abs(median(known) - median(unknown));
          return { kind, samples: known.length, gapMs, area: areaUnderCurve(known, unknown) };
        });
      };
      await measure(-warmUps, samples);
      let found = compare();
      for (let done = samples; done < mostSamples && found.some(isTelling); done += samples) {
        await measure(done, done + samples);
        found = compare();
      }
      for (const { kind, gapMs, area, samples: taken } of found) {
        const words = `${gapMs.toFixed(2)} ms apart, area ${area.toFixed(3)} of ${taken} each`;
        console.log(`${title}, ${kind}: medians ${words}`);
      }
      expect([...answers]).toHaveLength(1);
      expect(found.filter(isTelling)).toEqual([]);
    }, 900_000);
  }
});
