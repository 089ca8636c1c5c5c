import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { MailTransport } from "#api/adapters/eml-transport.ts";
import { mails } from "#api/db/schema.ts";
import { addressesOf, mailTo, openTestOutbox, tokenFor } from "#api/testing/outbox.ts";
import { until } from "#api/testing/until.ts";

let outbox: Awaited<ReturnType<typeof openTestOutbox>>;
beforeAll(async () => {
  outbox = await openTestOutbox();
});
afterEach(() => outbox.reset());
afterAll(() => outbox.close());

describe("X8: when the mail server", () => {
  test("is down, emails wait and no one who writes one does; when it is back, each arrives once", async () => {
    await outbox.sink.down();
    const worker = outbox.startWorker();
    const start = performance.now();
    await outbox.enqueueAll(20);
    expect((performance.now() - start) / 20).toBeLessThan(300);
    await until(async () => (await outbox.rows()).some((row) => row.attempts > 0));
    expect(await worker.counts()).toEqual({ waiting: 20, dead: 0 });

    await outbox.sink.up();
    await until(async () => {
      await outbox.passTime(10_000);
      return (await worker.counts()).waiting === 0;
    });
    expect(outbox.recipients()).toEqual(addressesOf(20));
    expect((await outbox.rows()).every((row) => row.content === null)).toBe(true);
    expect(outbox.lines.filter((line) => line.startsWith("emails are waiting"))).toHaveLength(1);
    expect(outbox.lines.filter((line) => line.startsWith("emails can be sent again"))).toHaveLength(1);
  });

  test("is down for long, it is asked now and then, with one email, not with all", async () => {
    let tries = 0;
    const refusing: MailTransport = {
      kind: "smtp",
      send: async () => {
        tries += 1;
        return { kind: "unreachable", reason: "away" };
      },
      close: async () => {},
    };
    await outbox.enqueueAll(12);
    outbox.startWorker({ transport: refusing });
    await until(() => tries === 1);
    for (const pauseMs of [10_000, 30_000, 60_000, 60_000]) {
      const before = tries;
      outbox.clock.advance(pauseMs);
      await until(() => tries > before);
      await outbox.looked();
      expect(tries - before).toBe(1);
    }
  });

  test("is down, the worker says why, and asks immediately when someone is in a hurry", async () => {
    await outbox.sink.down();
    const worker = outbox.startWorker();
    expect(worker.health()).toEqual({ isHealthy: true, lastError: null });
    await outbox.enqueue(mailTo(1));
    await until(() => !worker.health().isHealthy);
    expect(worker.health().lastError).toContain("ECONNREFUSED");
    await until(async () => (await outbox.only()).leasedUntil === null);
    await outbox.sink.up();
    await outbox.db.update(mails).set({ nextAttemptAt: outbox.clock.now() });
    worker.hurry();
    await outbox.sink.received(1);
    await until(() => worker.health().isHealthy);
  });

  test("puts an email off, it is tried again after 10 seconds and arrives once", async () => {
    let isBusy = true;
    outbox.sink.behave({ onRecipient: () => (isBusy ? "451 4.3.0 Try later" : "take") });
    outbox.startWorker();
    await outbox.enqueue(mailTo(1));
    await until(async () => (await outbox.only()).attempts === 1);
    const row = await outbox.only();
    expect(row).toMatchObject({
      status: "waiting",
      lastError: expect.stringContaining("451 4.3.0 Try later"),
    });
    expect(row.nextAttemptAt.getTime()).toBe(outbox.clock.now().getTime() + 10_000);
    isBusy = false;
    outbox.clock.advance(10_000);
    await outbox.sink.received(1);
    await until(async () => (await outbox.only()).status === "sent");
    expect(outbox.recipients()).toEqual(addressesOf(1));
  });

  test("refuses a recipient, that email is given up immediately and visibly, and the others arrive", async () => {
    outbox.sink.behave({
      onRecipient: (address) => (address.startsWith("person-2@") ? "550 5.1.1 Unknown" : "take"),
    });
    const worker = outbox.startWorker();
    await outbox.enqueueAll(3);
    await until(async () => (await worker.counts()).waiting === 0);
    expect(await worker.counts()).toEqual({ waiting: 0, dead: 1 });
    expect(outbox.recipients()).toEqual(["person-1@example.test", "person-3@example.test"]);
    const dead = (await outbox.rows()).find((row) => row.status === "dead");
    expect(dead).toMatchObject({ recipient: "person-2@example.test", attempts: 1 });
    expect(dead?.lastError).toContain("550 5.1.1 Unknown");
  });

  test("quotes the link it dislikes, the record and the log keep it out", async () => {
    outbox.sink.behave({ onText: () => `554 5.6.0 spam: ${mailTo(1).link}` });
    const worker = outbox.startWorker();
    await outbox.enqueue(mailTo(1));
    await until(async () => (await worker.counts()).dead === 1);
    expect(JSON.stringify([outbox.lines, (await outbox.only()).lastError])).not.toContain(tokenFor(1));
  });

  test("takes the connection and says nothing more, others who write emails do not wait and all arrive later", async () => {
    outbox.sink.behave({ onText: () => "hang" });
    const worker = outbox.startWorker({ transport: outbox.smtp(500) });
    await outbox.enqueueAll(6);
    await until(async () => (await outbox.rows()).some((row) => row.attempts > 0));
    outbox.sink.behave({});
    await until(async () => {
      await outbox.passTime(10_000);
      return (await worker.counts()).waiting === 0;
    });
    expect([...new Set(outbox.recipients())]).toEqual(addressesOf(6));
  });

  test("never takes an email, it is given up after 24 hours", async () => {
    outbox.sink.behave({ onText: () => "451 4.3.0 Later" });
    const worker = outbox.startWorker();
    const writtenAt = outbox.clock.now().getTime();
    await outbox.enqueue(mailTo(1));
    await until(async () => {
      const row = await outbox.only();
      outbox.clock.advance(Math.max(0, row.nextAttemptAt.getTime() - outbox.clock.now().getTime()));
      return row.status === "dead";
    }, 20_000);
    expect(outbox.clock.now().getTime() - writtenAt).toBeGreaterThan(22 * 3_600_000);
    expect((await outbox.only()).attempts).toBeGreaterThan(20);
    expect(await worker.counts()).toEqual({ waiting: 0, dead: 1 });
  });
});
