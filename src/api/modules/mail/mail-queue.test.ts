import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { mails } from "#api/db/schema.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { addressesOf, mailTo, openTestOutbox, tokenFor } from "#api/testing/outbox.ts";
import { until } from "#api/testing/until.ts";
import { nextAttempt } from "./mail-worker.ts";

let outbox: Awaited<ReturnType<typeof openTestOutbox>>;
beforeAll(async () => {
  outbox = await openTestOutbox();
});
afterEach(() => outbox.reset());
afterAll(() => outbox.close());

describe("an email in the outbox", () => {
  test("goes out, is marked as sent, and its text is wiped", async () => {
    outbox.startWorker();
    await outbox.enqueue(mailTo(1));
    await until(async () => (await outbox.only()).status === "sent");
    expect(await outbox.only()).toMatchObject({
      content: null,
      attempts: 1,
      leasedUntil: null,
      lastError: null,
    });
    expect(outbox.recipients()).toEqual(addressesOf(1));
    expect(outbox.sink.mails[0]?.text).toContain(tokenFor(1));
  });

  test("A4: shows neither token nor link in the database while it waits", async () => {
    await outbox.enqueue(mailTo(1));
    const row = await outbox.only();
    const stored = JSON.stringify(row) + Buffer.from(row.content ?? []).toString("latin1");
    expect(stored).toContain("person-1@example.test");
    expect(stored).not.toContain(tokenFor(1));
    expect(stored).not.toContain("verify-email");
  });

  test("is not there when its transaction is rolled back", async () => {
    const failed = outbox.db.transaction(async (tx) => {
      await outbox.queue().enqueue(tx, mailTo(1));
      throw new Error("no account after all");
    });
    expect(String(await failureOf(failed))).toContain("no account after all");
    expect(await outbox.rows()).toEqual([]);
  });

  test("with its link in the subject is refused, because subjects are stored as they are", async () => {
    const revealing = { ...mailTo(1), subject: `Open ${mailTo(1).link}` };
    expect(
      String(await failureOf(outbox.db.transaction((tx) => outbox.queue().enqueue(tx, revealing)))),
    ).toContain("subject");
    expect(await outbox.rows()).toEqual([]);
  });

  test("goes to the address it was written for, whatever the table says later", async () => {
    await outbox.enqueue(mailTo(1));
    await outbox.db.update(mails).set({ recipient: "eve@example.test" });
    outbox.startWorker();
    await outbox.sink.received(1);
    expect(outbox.recipients()).toEqual(addressesOf(1));
  });

  test("S5: swapped with another's text is given up and sent to no one", async () => {
    await outbox.enqueueAll(2);
    const [first, second] = await outbox.rows();
    await outbox.db
      .update(mails)
      .set({ content: second?.content ?? null })
      .where(eq(mails.id, first?.id ?? ""));
    await outbox.db
      .update(mails)
      .set({ content: first?.content ?? null })
      .where(eq(mails.id, second?.id ?? ""));
    const worker = outbox.startWorker();
    await until(async () => (await worker.counts()).dead === 2);
    expect(outbox.sink.connections).toBe(0);
    expect(outbox.lines.filter((line) => line.includes("cannot be decrypted"))).toHaveLength(2);
  });
});

const createdAt = new Date("2026-01-01T00:00:00.000Z");
const after = (ms: number) => new Date(createdAt.getTime() + ms);
const hourMs = 3_600_000;

test("an email is tried again after 10 s, 1 min, 5 min, 15 min, and then every hour", () => {
  const waits = [0, 1, 2, 3, 4, 5, 12].map((attempts) => {
    const next = nextAttempt(createdAt, { attempts, createdAt });
    return next && (next.getTime() - createdAt.getTime()) / 1000;
  });
  expect(waits).toEqual([10, 60, 300, 900, 3600, 3600, 3600]);
});

test("an email is given up once its next try would come after 24 hours", () => {
  expect(nextAttempt(after(23 * hourMs), { attempts: 30, createdAt })).toEqual(after(24 * hourMs));
  expect(nextAttempt(after(23 * hourMs + 1), { attempts: 30, createdAt })).toBeNull();
});
