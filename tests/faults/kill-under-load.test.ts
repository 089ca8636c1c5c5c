import { afterAll, describe, expect, test } from "bun:test";
import { mails, pendingRegistrations, users } from "#api/db/schema.ts";
import { sized } from "#api/testing/size.ts";
import { dataPlaces } from "../driver/databases.ts";
import { createPerson } from "../driver/person.ts";
import { readRows } from "../driver/read-rows.ts";
import { removeFolder, type ServerProcess, startServer, temporaryFolder } from "../driver/start-server.ts";

const kills = { embedded: sized(30, 500), postgres: sized(20, 200) };
const registrations = 1_000;
const readyP95Ms = { embedded: 5_000, postgres: 3_000 };

/**
 * After how many acknowledged registrations each life ends: from hardly any to twice the mean, in an order that nobody
 * foresees, and `registrations` in all.
 */
const sharesOf = (lives: number): number[] => {
  const upTo = (life: number) => Math.round(registrations * (life / lives) ** 2);
  const shares = Array.from({ length: lives }, (_, life) => ({
    share: upTo(life + 1) - upTo(life),
    place: Math.random(),
  }));
  return shares.sort((a, b) => a.place - b.place).map(({ share }) => share);
};

/** What was acknowledged, kept outside the server. */
type Journal = { registered: string[]; verified: string[] };

/** Registers people one after another, and follows every other link, until the server is gone. */
const load = async (server: ServerProcess, journal: Journal): Promise<void> => {
  const visitor = createPerson(server.url);
  for (let made = 0; ; made += 1) {
    const email = `kill-${crypto.randomUUID()}@example.test`;
    const body = { name: "Ada", email, password: "a fine long password" };
    try {
      const answer = await visitor.call("POST", "/api/auth/register", body);
      if (answer.status === 201) journal.registered.push(email);
      if (made % 2 === 0) await follow(server, email, journal);
    } catch {
      // The server was killed in the middle: what it did not acknowledge may be there or not.
      return;
    }
  }
};

/** Follows the link that the log shows for an address. */
const follow = async (server: ServerProcess, email: string, journal: Journal): Promise<void> => {
  for (let tries = 0; tries < 40; tries += 1) {
    const token = linkTo(server.output(), email);
    if (token) {
      const answer = await createPerson(server.url).call("GET", `/api/auth/verify-email/${token}`);
      if (answer.status === 200) journal.verified.push(email);
      return;
    }
    await Bun.sleep(25);
  }
};

const linkTo = (output: string, email: string): string | null => {
  const line = output.split("\n").find((text) => text.includes(email) && text.includes("token="));
  return /token=([\w-]{43})/.exec(line ?? "")?.[1] ?? null;
};

describe("X1: kill -9 under load", () => {
  for (const place of dataPlaces()) {
    afterAll(() => place.close());
    test(
      `${place.name}: ${kills[place.name]} kills lose nothing acknowledged and leave nothing half done`,
      async () => {
        const env = await place.env();
        const dataDir = temporaryFolder();
        const journal: Journal = { registered: [], verified: [] };
        const starts: number[] = [];
        for (const share of sharesOf(kills[place.name])) {
          const server = await startServer({ dataDir, env });
          starts.push(server.startMs);
          const clients = Promise.all(Array.from({ length: 4 }, () => load(server, journal)));
          const target = journal.registered.length + share;
          const deadline = performance.now() + 20_000;
          while (journal.registered.length < target && performance.now() < deadline) await Bun.sleep(1);
          await server.stop("SIGKILL");
          await clients;
        }
        const last = await startServer({ dataDir, env });
        await last.stop();
        const rows = await readRows({ dataDir, env }, async (db) => ({
          users: new Set((await db.select().from(users)).map((row) => row.email)),
          pending: new Set((await db.select().from(pendingRegistrations)).map((row) => row.email)),
          mailed: (await db.select().from(mails)).map((row) => row.recipient),
        }));
        const known = new Set([...rows.users, ...rows.pending]);
        expect(journal.registered.filter((email) => !known.has(email))).toEqual([]);
        expect(journal.verified.filter((email) => !rows.users.has(email))).toEqual([]);
        // Nobody without their mail, no mail without its registration, nobody both waiting and verified.
        const mailed = new Set(rows.mailed);
        expect([...known].filter((email) => !mailed.has(email))).toEqual([]);
        expect(rows.mailed.filter((email) => !known.has(email))).toEqual([]);
        expect(rows.mailed.length).toBe(mailed.size);
        expect([...rows.users].filter((email) => rows.pending.has(email))).toEqual([]);
        const readyMs = starts.sort((a, b) => a - b)[Math.floor(starts.length * 0.95)] ?? 0;
        console.log(
          `${place.name}: ${journal.registered.length} registrations, ${journal.verified.length} verifications, ready p95 ${Math.round(readyMs)} ms`,
        );
        expect(journal.registered.length).toBeGreaterThanOrEqual(0.9 * registrations);
        expect(readyMs).toBeLessThanOrEqual(readyP95Ms[place.name]);
        removeFolder(dataDir);
      },
      sized(600_000, 3_600_000),
    );
  }
});
