import { describe, expect, test } from "bun:test";
import type { Context } from "#api/core/context.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { type TestContext, testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { addUser, newPerson, tokenIn } from "#api/testing/people.ts";
import { limits } from "#contract/limits.ts";
import { forgotPassword, resetPassword } from "./password-reset.ts";
import { login } from "./sign-in.ts";

const database = await databaseForFile();

/** What a try ends with: the kind of its failure, or `signed in`. */
const outcome = async (ctx: Context, email: string, password: string): Promise<string> => {
  try {
    await login(ctx, { email, password });
    return "signed in";
  } catch (error) {
    return String(Reflect.get(Object(error), "kind"));
  }
};

const countOf = (outcomes: string[], wanted: string): number =>
  outcomes.filter((one) => one === wanted).length;

describe("W2: guessing passwords", () => {
  test("the eleventh try on an account from one place is refused without a hash, right or wrong", async () => {
    const ctx = testContext(database);
    const person = newPerson();
    await addUser(ctx, person);
    for (let n = 0; n < 10; n += 1)
      expect(await outcome(ctx, person.email, "wrong")).toBe("INVALID_CREDENTIALS");
    const hashes = ctx.hasher.computed;
    expect(await outcome(ctx, person.email, person.password)).toBe("RATE_LIMITED");
    expect(await outcome(ctx, ` ${person.email.toUpperCase()}`, "wrong")).toBe("RATE_LIMITED");
    expect(ctx.hasher.computed).toBe(hashes);
  });

  test("the refusal says when to come back, and then the right password works", async () => {
    const ctx = testContext(database);
    const person = newPerson();
    await addUser(ctx, person);
    for (let n = 0; n < 10; n += 1) await outcome(ctx, person.email, "wrong");
    ctx.clock.advance(60_000);
    const refused = await login(ctx, person).catch((error: unknown) => error);
    expect(refused).toMatchObject({ kind: "RATE_LIMITED", retryAfterS: limits.signInWindowMs / 1000 - 60 });
    ctx.clock.advance(limits.signInWindowMs - 60_000);
    expect(await outcome(ctx, person.email, person.password)).toBe("signed in");
  });

  test("a hundred parallel guesses from a hundred places are looked at twenty times at most", async () => {
    const ctx = testContext(database);
    const person = newPerson();
    await addUser(ctx, person);
    const before = ctx.hasher.computed;
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        outcome(
          { ...ctx, ip: `198.51.100.${n}` },
          n % 2 ? person.email : person.email.toUpperCase(),
          "wrong",
        ),
      ),
    );
    expect(ctx.hasher.computed - before).toBe(2 * limits.signInFailuresByAddress);
    expect(countOf(outcomes, "INVALID_CREDENTIALS")).toBe(limits.signInFailuresByAddress);
    expect(countOf(outcomes, "signed in")).toBe(0);
  });

  test("addresses of one IPv6 network are one place", async () => {
    const ctx = testContext(database);
    const email = newPerson().email;
    for (let n = 0; n < 10; n += 1) await outcome({ ...ctx, ip: `2001:db8:1:2::${n + 1}` }, email, "wrong");
    expect(await outcome({ ...ctx, ip: "2001:db8:1:2:ffff::1" }, email, "wrong")).toBe("RATE_LIMITED");
    expect(await outcome({ ...ctx, ip: "2001:db8:1:3::1" }, email, "wrong")).toBe("INVALID_CREDENTIALS");
  });

  test("one password tried on many accounts from one place ends after a hundred", async () => {
    const ctx = testContext(database);
    const tries = Array.from({ length: 120 }, (_, n) => outcome(ctx, `spray-${n}@example.test`, "Password1"));
    const outcomes = await Promise.all(tries);
    expect(countOf(outcomes, "INVALID_CREDENTIALS")).toBe(limits.signInFailuresByIp);
  });

  test("unknown addresses are limited like known ones", async () => {
    const ctx = testContext(database);
    const email = newPerson().email;
    for (let n = 0; n < 10; n += 1) expect(await outcome(ctx, email, "wrong")).toBe("INVALID_CREDENTIALS");
    expect(await outcome(ctx, email, "wrong")).toBe("RATE_LIMITED");
  });

  test("fifty right sign-ins at the same time are all let in: they wait for each other instead of being refused", async () => {
    const ctx = testContext(database);
    const person = newPerson();
    await addUser(ctx, person);
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => outcome(ctx, person.email, person.password)),
    );
    expect(countOf(outcomes, "signed in")).toBe(50);
  });
});

describe("W2: wrong passwords in a row", () => {
  const noneLeft = { kind: "RATE_LIMITED", message: "Too many failed sign-ins. Please reset your password." };

  /** Guesses until `count` passwords were looked at: from many places, and with pauses that the other limits ask for. */
  const guessInARow = async (ctx: TestContext, email: string, count: number) => {
    for (let done = 0; done < count; ) {
      const batch = Math.min(limits.signInFailuresByAddress, count - done);
      const guesses = Array.from({ length: batch }, (_, n) =>
        outcome({ ...ctx, ip: `198.51.100.${n}` }, email, "wrong"),
      );
      expect(countOf(await Promise.all(guesses), "INVALID_CREDENTIALS")).toBe(batch);
      done += batch;
      ctx.clock.advance(limits.signInWindowMs);
    }
  };
  const contextWithCheapHasher = () => ({ ...testContext(database), hasher: createCheapHasher() });

  test("of a thousand guesses from a thousand places, over days, a hundred are looked at", async () => {
    const ctx = contextWithCheapHasher();
    const person = newPerson();
    await addUser(ctx, person);
    const before = ctx.hasher.computed;
    for (let n = 0; n < 1_000; n += 1) {
      const from = { ...ctx, ip: `198.51.${100 + Math.floor(n / 250)}.${n % 250}` };
      await outcome(from, n % 2 ? person.email : ` ${person.email.toUpperCase()} `, `guess ${n}`);
      ctx.clock.advance(limits.signInWindowMs / limits.signInFailuresByAddress);
    }
    expect(ctx.hasher.computed - before).toBe(2 * limits.signInFailuresInARow);
  });

  test("the hundred-and-first is refused however right it is, the same for an unknown address", async () => {
    const ctx = contextWithCheapHasher();
    const person = newPerson();
    await addUser(ctx, person);
    for (const email of [person.email, newPerson().email]) {
      await guessInARow(ctx, email, limits.signInFailuresInARow);
      const refused = await login(ctx, { ...person, email }).catch((error: unknown) => error);
      expect(refused).toMatchObject({ ...noneLeft, retryAfterS: 3_600 });
      expect(ctx.mails).toEqual([]);
    }
  });

  test("a burst when one is left gets one", async () => {
    const ctx = contextWithCheapHasher();
    const { email } = newPerson();
    await guessInARow(ctx, email, limits.signInFailuresInARow - 1);
    const before = ctx.hasher.computed;
    const burst = Array.from({ length: 15 }, (_, n) =>
      outcome({ ...ctx, ip: `198.51.100.${n}` }, email, "wrong"),
    );
    expect(countOf(await Promise.all(burst), "RATE_LIMITED")).toBe(14);
    expect(ctx.hasher.computed - before).toBe(2);
  });

  test("a right password begins a new row, from whatever browser", async () => {
    const ctx = contextWithCheapHasher();
    const person = newPerson();
    await addUser(ctx, person);
    const { deviceToken } = await login(ctx, person);
    for (const presentedDevice of [null, deviceToken]) {
      await guessInARow(ctx, person.email, limits.signInFailuresInARow - 1);
      await login(ctx, { ...person, presentedDevice });
    }
    expect(await outcome(ctx, person.email, "wrong")).toBe("INVALID_CREDENTIALS");
  });

  test("the owner gets in with a known browser all the same", async () => {
    const ctx = contextWithCheapHasher();
    const person = newPerson();
    await addUser(ctx, person);
    const { deviceToken } = await login(ctx, person);
    await guessInARow(ctx, person.email, limits.signInFailuresInARow);
    expect(await outcome(ctx, person.email, person.password)).toBe("RATE_LIMITED");
    expect((await login(ctx, { ...person, presentedDevice: deviceToken })).user.email).toBe(person.email);
  });

  test("a reset ends the row and every other limit of the address", async () => {
    const ctx = contextWithCheapHasher();
    const person = newPerson();
    await addUser(ctx, person);
    await guessInARow(ctx, person.email, limits.signInFailuresInARow - 10);
    for (let n = 0; n < 10; n += 1) await outcome(ctx, person.email, "wrong");
    await forgotPassword(ctx, person);
    const password = "another-fine-password";
    await resetPassword(ctx, { token: tokenIn(ctx.mails[0]), password });
    expect(await outcome(ctx, person.email, password)).toBe("signed in");
    for (let n = 0; n < 9; n += 1)
      expect(await outcome(ctx, person.email, "wrong")).toBe("INVALID_CREDENTIALS");
  });
});
