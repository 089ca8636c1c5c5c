import { afterAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { controlSocketIn } from "#api/config.ts";
import { activities, contactMessages, mails, pendingRegistrations, tokens, users } from "#api/db/schema.ts";
import { sized } from "#api/testing/size.ts";
import { dataPlaces } from "../driver/databases.ts";
import { readRows } from "../driver/read-rows.ts";
import { removeFolder, type ServerProcess, startServer, temporaryFolder } from "../driver/start-server.ts";
import { emptyJournal, mixedLoad } from "./mixed-load.ts";

const kills = { embedded: sized(30, 500), postgres: sized(12, 200) };
const registrations = sized(500, 1_000);
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

/** What the server says of its activity log: the last slice of the proof. */
const proveLog = async ({ dataDir }: ServerProcess): Promise<unknown> => {
  const answer = await fetch("http://localhost/api/admin/activity/verify", {
    unix: controlSocketIn(dataDir),
  });
  const { data }: { data: unknown } = await answer.json();
  return data;
};

describe("X1: kill -9 under load", () => {
  for (const place of dataPlaces()) {
    afterAll(() => place.close());
    test(
      `${place.name}: ${kills[place.name]} kills lose nothing acknowledged and leave nothing half done`,
      async () => {
        const env = await place.env();
        const dataDir = temporaryFolder();
        const journal = emptyJournal();
        const starts: number[] = [];
        for (const share of sharesOf(kills[place.name])) {
          const server = await startServer({ dataDir, env });
          starts.push(server.startMs);
          const clients = Promise.all(Array.from({ length: 4 }, () => mixedLoad(server, journal)));
          const target = journal.registered.length + share;
          const deadline = performance.now() + 20_000;
          while (journal.registered.length < target && performance.now() < deadline) await Bun.sleep(1);
          await server.stop("SIGKILL");
          await clients;
        }
        const last = await startServer({ dataDir, env });
        const proof = await proveLog(last);
        await last.stop();
        const rows = await readRows({ dataDir, env }, async (db) => ({
          users: new Set((await db.select().from(users)).map((row) => row.email)),
          pending: new Set((await db.select().from(pendingRegistrations)).map((row) => row.email)),
          mails: await db.select({ to: mails.recipient, subject: mails.subject }).from(mails),
          messages: (await db.select().from(contactMessages)).map((row) => row.message),
          added: await db.select().from(activities).where(eq(activities.action, "Added a user")),
          links: await db
            .select({ userId: tokens.userId, email: users.email })
            .from(tokens)
            .innerJoin(users, eq(users.id, tokens.userId)),
        }));
        // What was changed by the operator stands in the log, and nothing stands there that was not changed.
        const added = [...rows.users].filter((email) => email.startsWith("added-"));
        const recorded = rows.added.map(({ description }) => description.replace(" as user", ""));
        expect(journal.added.filter((email) => !recorded.includes(email))).toEqual([]);
        expect(recorded.sort()).toEqual(added.sort());
        expect(proof).toMatchObject({ fault: null, isComplete: true });
        const mailedAbout = (subject: string) =>
          rows.mails.filter((mail) => mail.subject === subject).map(({ to }) => to);
        // Whom the operator adds gets no mail.
        const known = new Set([...rows.users, ...rows.pending].filter((email) => !added.includes(email)));
        expect(journal.registered.filter((email) => !known.has(email))).toEqual([]);
        expect(journal.verified.filter((email) => !rows.users.has(email))).toEqual([]);
        // Nobody without their mail, no mail without its registration, nobody both waiting and verified.
        const verifications = mailedAbout("Verify your email address");
        const mailed = new Set(verifications);
        expect([...known].filter((email) => !mailed.has(email))).toEqual([]);
        expect(rows.mails.filter(({ to }) => !known.has(to))).toEqual([]);
        expect(verifications.length).toBe(mailed.size);
        expect([...rows.users].filter((email) => rows.pending.has(email))).toEqual([]);
        // No new password without its notice, and no link left that could change it again.
        const notices = mailedAbout("Your password was changed");
        expect(journal.reset.filter((email) => !notices.includes(email))).toEqual([]);
        expect(rows.links.filter(({ email }) => notices.includes(email))).toEqual([]);
        const messages = new Set(rows.messages);
        expect(journal.contacted.filter((message) => !messages.has(message))).toEqual([]);
        expect(rows.messages.length).toBe(messages.size);
        const readyMs = starts.sort((a, b) => a - b)[Math.floor(starts.length * 0.95)] ?? 0;
        console.log(
          `${place.name}: ${journal.registered.length} registrations, ${journal.verified.length} verifications, ` +
            `${journal.reset.length} resets, ${journal.contacted.length} messages, ${journal.added.length} added, ready p95 ${Math.round(readyMs)} ms`,
        );
        expect(journal.registered.length).toBeGreaterThanOrEqual(0.9 * registrations);
        for (const acts of Object.values(journal)) expect(acts.length).toBeGreaterThan(registrations / 50);
        expect(readyMs).toBeLessThanOrEqual(readyP95Ms[place.name]);
        removeFolder(dataDir);
      },
      sized(600_000, 3_600_000),
    );
  }
});
