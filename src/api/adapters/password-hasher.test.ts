import { describe, expect, test } from "bun:test";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { AppError } from "#api/core/app-error.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { createPasswordHasher } from "./password-hasher.ts";

const hasher = createPasswordHasher();

describe("W1: passwords are kept exactly", () => {
  test("a hash is argon2id with at least 19 MiB and two passes", async () => {
    expect(await hasher.hash("correct horse")).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
  });

  test("two hashes of one password differ", async () => {
    expect(await hasher.hash("correct horse")).not.toBe(await hasher.hash("correct horse"));
  });

  const lookalikes: [string, string, string][] = [
    ["a trailing space", "passphrase ", "passphrase"],
    ["a leading space", " passphrase", "passphrase"],
    ["letter case", "Passphrase", "passphrase"],
    ["composed and decomposed accents", "caf\u00e9-caf\u00e9", "cafe\u0301-cafe\u0301"],
    ["what follows a NUL", "pass\u0000one", "pass\u0000two"],
    ["what follows the 72nd byte", `${"a".repeat(72)}b`, `${"a".repeat(72)}c`],
    ["what follows the 1,023rd byte", `${"é".repeat(511)}ab`, `${"é".repeat(511)}ac`],
  ];
  test.each(lookalikes)("%s counts", async (_what, password, lookalike) => {
    const hash = await hasher.hash(password);
    expect(await hasher.verify(password, hash)).toBe(true);
    expect(await hasher.verify(lookalike, hash)).toBe(false);
  });

  test("a hash with other parameters is outdated, today's is not", async () => {
    const weak = await Bun.password.hash("x", { algorithm: "argon2id", memoryCost: 8192, timeCost: 1 });
    const bcrypt = await Bun.password.hash("x", { algorithm: "bcrypt", cost: 4 });
    expect([weak, bcrypt, await hasher.hash("x")].map(hasher.isOutdated)).toEqual([true, true, false]);
  });
});

describe("a password for no one", () => {
  test("is refused, and counts as one computation like any other", async () => {
    const before = hasher.computed;
    expect(await hasher.verify("whatever", null)).toBe(false);
    expect(hasher.computed - before).toBe(1);
  });

  test("takes as long as one for a real account", async () => {
    const hash = await hasher.hash("right");
    const timed = async (password: string, against: string | null) => {
      const start = performance.now();
      await hasher.verify(password, against);
      return performance.now() - start;
    };
    const fastest = { known: Infinity, unknown: Infinity, empty: Infinity };
    const isAsLong = () => Math.min(fastest.unknown, fastest.empty) > fastest.known * 0.6;
    // On a busy machine the fastest of a few are still slowed down, each by another amount.
    for (let round = 0; round < 9 || (round < 60 && !isAsLong()); round += 1) {
      fastest.known = Math.min(fastest.known, await timed("wrong", hash));
      fastest.unknown = Math.min(fastest.unknown, await timed("wrong", null));
      fastest.empty = Math.min(fastest.empty, await timed("", hash));
    }
    expect([fastest, isAsLong()]).toEqual([fastest, true]);
  });

  test("an empty password never opens an account, not even one whose password is a space", async () => {
    expect(await hasher.verify("", await hasher.hash(" "))).toBe(false);
  });
});

describe("W4: a storm of 500 sign-ins", () => {
  test("is served up to the bound, refused immediately beyond it, and leaves the event loop free", async () => {
    const bounded = createPasswordHasher({ concurrency: 1, maxWaiting: 20 });
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const start = performance.now();
    const refusedAfterMs: number[] = [];
    const outcomes = await Promise.all(
      Array.from({ length: 500 }, () =>
        bounded.verify("guess", null).catch((error: unknown) => {
          refusedAfterMs.push(performance.now() - start);
          return error;
        }),
      ),
    );
    delay.disable();

    const refusals = outcomes.filter((outcome) => outcome instanceof AppError);
    expect(outcomes.filter((outcome) => outcome === false)).toHaveLength(21);
    expect(refusals).toHaveLength(479);
    expect(refusals.every((error) => error.kind === "BUSY" && error.retryAfterS === 1)).toBe(true);
    expect(bounded.computed).toBe(21);
    expect(Math.max(...refusedAfterMs)).toBeLessThan(1_000);
    expect(delay.percentile(99) / 1e6).toBeLessThan(150);
  });

  test("leaves the queue usable afterwards, also when a job failed", async () => {
    const bounded = createPasswordHasher({ concurrency: 1, maxWaiting: 1 });
    expect(await failureOf(bounded.verify("x", "not a hash"))).toBeInstanceOf(Error);
    await Promise.allSettled(Array.from({ length: 10 }, () => bounded.verify("x", null)));
    expect(await bounded.verify("y", await bounded.hash("y"))).toBe(true);
  });

  test("registrations fill at most half of the queue, and the other half is left for sign-ins", async () => {
    const bounded = createPasswordHasher({ concurrency: 1, maxWaiting: 8 });
    const storm = Array.from({ length: 50 }, () => bounded.hash("a new password").then(isDone, kindOf));
    const signIns = Array.from({ length: 5 }, () => bounded.verify("guess", null).then(isDone, kindOf));
    const outcomes = await Promise.all(storm);
    expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(1 + 4);
    expect(outcomes.filter((outcome) => outcome === "BUSY")).toHaveLength(45);
    expect(await Promise.all(signIns)).toEqual(["done", "done", "done", "done", "BUSY"]);
    const again = await Promise.all(Array.from({ length: 5 }, () => bounded.hash("x").then(isDone, kindOf)));
    expect(again).toEqual(["done", "done", "done", "done", "done"]);
  });

  test("fifty simultaneous new passwords are all taken", async () => {
    const ordinary = createPasswordHasher({ concurrency: 1 });
    const hashes = await Promise.all(Array.from({ length: 50 }, (_, n) => ordinary.hash(`password ${n}`)));
    expect(new Set(hashes).size).toBe(50);
  });
});

const isDone = () => "done";
const kindOf = (error: unknown) => (error instanceof AppError ? error.kind : "failed");
