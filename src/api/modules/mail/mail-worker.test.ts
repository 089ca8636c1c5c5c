import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { MailTransport } from "#api/adapters/eml-transport.ts";
import { mails } from "#api/db/schema.ts";
import { createTestClock } from "#api/testing/clock.ts";
import { addressesOf, mailTo, openTestOutbox } from "#api/testing/outbox.ts";
import { until } from "#api/testing/until.ts";
import { createServerHealth } from "./mail-worker.ts";

let outbox: Awaited<ReturnType<typeof openTestOutbox>>;
beforeAll(async () => {
  outbox = await openTestOutbox();
});
afterEach(() => outbox.reset());
afterAll(() => outbox.close());

describe("workers", () => {
  test("look immediately when they are woken", async () => {
    const worker = outbox.startWorker({ pollMs: 3_600_000 });
    await until(async () => (await worker.counts()).waiting === 0);
    for (let number = 1; number <= 3; number += 1) {
      await outbox.enqueue(mailTo(number));
      worker.wake();
    }
    await outbox.sink.received(3);
    expect(outbox.recipients()).toEqual(addressesOf(3));
  });

  test("that share an outbox send each email once", async () => {
    await outbox.enqueueAll(40);
    const [first] = [outbox.startWorker(), outbox.startWorker(), outbox.startWorker()];
    await until(async () => (await first.counts()).waiting === 0);
    expect(outbox.recipients()).toEqual(addressesOf(40));
  });

  test("send one email after the other while that is quick", async () => {
    outbox.startWorker();
    await outbox.enqueueAll(12);
    await outbox.sink.received(12);
    expect(outbox.sink.connections).toBe(1);
  });

  test("start another email beside one that takes more than a second, up to four at the same time", async () => {
    outbox.sink.behave({ onText: () => "hang" });
    outbox.startWorker({ graceMs: 10 });
    await outbox.enqueueAll(6);
    for (const connections of [1, 2, 3, 4]) {
      await until(() => outbox.sink.connections === connections);
      outbox.clock.advance(1_000);
    }
    await outbox.looked();
    expect((await outbox.rows()).filter(({ leasedUntil }) => leasedUntil !== null)).toHaveLength(4);
    expect(outbox.sink.connections).toBe(4);
  });

  test("that die between sending and noting it cost one more email with the same Message-ID, after the lease", async () => {
    await outbox.enqueue(mailTo(1));
    const real = outbox.smtp();
    const killed: MailTransport = {
      ...real,
      send: async (mail, signal) => {
        await real.send(mail, signal);
        return new Promise<never>(() => {});
      },
    };
    outbox.startWorker({ transport: killed, graceMs: 10, pollMs: 3_600_000 });
    await outbox.sink.received(1);
    const second = outbox.startWorker();
    second.wake();
    outbox.clock.advance(59_000);
    // What waits longest comes first: by now the first email would have been sent again.
    await outbox.enqueue(mailTo(2));
    await outbox.sink.received(2);
    expect(outbox.recipients()).toEqual(addressesOf(2));
    outbox.clock.advance(2_000);
    await outbox.sink.received(3);
    await until(async () => (await second.counts()).waiting === 0);
    expect(outbox.recipients()).toEqual([...addressesOf(1), ...addressesOf(2)]);
    expect(new Set(outbox.sink.mails.map((mail) => mail.messageId)).size).toBe(2);
  });

  test("outlive the database being away, with one line in the log", async () => {
    let isAway = true;
    const flaky = new Proxy(outbox.db, {
      get: (target, property) => {
        if (isAway) throw new Error("connection refused");
        return Reflect.get(target, property);
      },
    });
    await outbox.enqueue(mailTo(1));
    outbox.startWorker({ db: flaky });
    await outbox.looked();
    expect(outbox.lines.filter((line) => line.includes("cannot be read"))).toHaveLength(1);
    isAway = false;
    await outbox.sink.received(1);
  });

  test("note an email as sent once the database is back, and do not send it again", async () => {
    let isAway = false;
    let refused = 0;
    const flaky = new Proxy(outbox.db, {
      get: (target, property) => {
        if (!isAway) return Reflect.get(target, property);
        refused += 1;
        throw new Error("connection refused");
      },
    });
    outbox.sink.behave({
      onText: () => {
        isAway = true;
        return "take";
      },
    });
    outbox.startWorker({ db: flaky });
    await outbox.enqueue(mailTo(1));
    await until(() => refused > 0);
    isAway = false;
    await until(async () => (await outbox.only()).status === "sent");
    expect(outbox.sink.mails).toHaveLength(1);
  });

  test("asked to stop finish what is under way", async () => {
    outbox.sink.behave({ delayMs: 200 });
    const worker = outbox.startWorker();
    await outbox.enqueue(mailTo(1));
    await until(async () => (await outbox.only()).leasedUntil !== null);
    await worker.stop();
    expect([outbox.sink.mails.length, (await outbox.only()).status]).toEqual([1, "sent"]);
  });

  test("asked to stop hand back what hangs, and it costs no try", async () => {
    outbox.sink.behave({ onText: () => "hang" });
    const worker = outbox.startWorker({ transport: outbox.smtp(60_000), graceMs: 100 });
    await outbox.enqueue(mailTo(1));
    await until(() => outbox.sink.connections === 1);
    const start = performance.now();
    await worker.stop();
    expect(performance.now() - start).toBeLessThan(3_000);
    expect(await outbox.only()).toMatchObject({
      status: "waiting",
      leasedUntil: null,
      attempts: 0,
      lastError: null,
    });
  });

  test("delete what was sent or given up 30 days ago, and nothing that waits", async () => {
    const old = new Date(outbox.clock.now().getTime() - 31 * 24 * 3_600_000);
    const row = {
      subject: "x",
      createdAt: old,
      nextAttemptAt: new Date(outbox.clock.now().getTime() + 3_600_000),
    };
    await outbox.db.insert(mails).values([
      { ...row, id: Bun.randomUUIDv7(), recipient: "1-waiting@example.test" },
      { ...row, id: Bun.randomUUIDv7(), recipient: "2-sent@example.test", status: "sent" },
      { ...row, id: Bun.randomUUIDv7(), recipient: "3-dead@example.test", status: "dead" },
      {
        ...row,
        id: Bun.randomUUIDv7(),
        recipient: "4-fresh@example.test",
        status: "sent",
        createdAt: outbox.clock.now(),
      },
    ]);
    outbox.startWorker();
    await until(async () => (await outbox.rows()).length === 2);
    expect((await outbox.rows()).map((kept) => kept.recipient)).toEqual([
      "1-waiting@example.test",
      "4-fresh@example.test",
    ]);
  });
});

test("after failures the server is asked with one email after 10, 30 and then every 60 seconds", () => {
  const clock = createTestClock();
  const health = createServerHealth();
  for (const pauseMs of [10_000, 30_000, 60_000, 60_000]) {
    health.failed(clock.now(), "away");
    clock.advance(pauseMs - 1);
    expect(health.allowance(clock.now(), 4)).toBe(0);
    clock.advance(1);
    expect(health.allowance(clock.now(), 4)).toBe(1);
  }
});

test("tries that fail together count as one failure", () => {
  const clock = createTestClock();
  const health = createServerHealth();
  expect([1, 2, 3].map(() => health.failed(clock.now(), "away"))).toEqual([true, false, false]);
  clock.advance(10_000);
  expect(health.allowance(clock.now(), 4)).toBe(1);
});

test("one email that gets through lifts the pause and the limit", () => {
  const clock = createTestClock();
  const health = createServerHealth();
  health.failed(clock.now(), "away");
  expect(health.answered()).toBe(true);
  expect(health.allowance(clock.now(), 4)).toBe(4);
  expect(health.answered()).toBe(false);
});

test("it says why nothing gets through, until something does", () => {
  const clock = createTestClock();
  const health = createServerHealth();
  expect(health.lastError).toBeNull();
  health.failed(clock.now(), "refused");
  clock.advance(10_000);
  health.failed(clock.now(), "silent");
  expect(health.lastError).toBe("silent");
  health.answered();
  expect(health.lastError).toBeNull();
});

test("a request to hurry has the server asked immediately, with one email", () => {
  const clock = createTestClock();
  const health = createServerHealth();
  health.failed(clock.now(), "away");
  health.hurry();
  expect(health.allowance(clock.now(), 4)).toBe(1);
});
