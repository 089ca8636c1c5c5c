import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { AppError } from "#api/core/app-error.ts";
import { hashToken, newToken } from "#api/core/ids.ts";
import { knownDevices } from "#api/db/schema.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { type TestContext, testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { addUser, newPerson, type Person } from "#api/testing/people.ts";
import { limits } from "#contract/limits.ts";
import { login } from "./sign-in.ts";

const database = await databaseForFile();

const wrong = "not-the-password";

/** What a sign-in with this browser ends with. */
const outcome = async (ctx: TestContext, person: Person, presentedDevice: string | null) =>
  login(ctx, { ...person, presentedDevice }).then(
    () => "signed in",
    (error: unknown) => String(Reflect.get(Object(error), "kind")),
  );

const guess = (ctx: TestContext, person: Person, device: string | null = null) =>
  outcome(ctx, { ...person, password: wrong }, device);

/** Someone who signed in once, with the token that marks their browser. */
const regular = async () => {
  const ctx = { ...testContext(database), hasher: createCheapHasher() };
  const person = newPerson();
  await addUser(ctx, person);
  const { deviceToken, user } = await login(ctx, person);
  return { ctx, person, device: deviceToken ?? "", user };
};

const failuresOf = async (device: string): Promise<number | undefined> => {
  const rows = await database.db
    .select()
    .from(knownDevices)
    .where(eq(knownDevices.tokenHash, hashToken(device)));
  return rows[0]?.failures;
};

describe("W2: a browser that its owner signed in with", () => {
  test("gets in while strangers have used up every other try", async () => {
    const { ctx, person, device } = await regular();
    for (let n = 0; n < limits.signInFailuresByAddress; n += 1)
      await guess({ ...ctx, ip: `198.51.100.${n}` }, person);
    expect(await outcome(ctx, person, null)).toBe("RATE_LIMITED");
    expect(await outcome(ctx, person, device)).toBe("signed in");
  });

  test("is unknown after ten wrong passwords in a row, however many at the same time, and then shares the others' tries", async () => {
    const { ctx, person, device } = await regular();
    const before = ctx.hasher.computed;
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, n) => guess({ ...ctx, ip: `198.51.100.${n}` }, person, device)),
    );
    expect(ctx.hasher.computed - before).toBe(
      2 * (limits.signInFailuresByDevice + limits.signInFailuresByAddress),
    );
    expect(outcomes.filter((one) => one === "RATE_LIMITED")).toHaveLength(10);
    expect(await outcome(ctx, person, device)).toBe("RATE_LIMITED");
  });

  test("begins again with every right password", async () => {
    const { ctx, person, device } = await regular();
    for (let round = 0; round < 3; round += 1) {
      for (let n = 0; n < limits.signInFailuresByDevice - 1; n += 1)
        expect(await guess(ctx, person, device)).toBe("INVALID_CREDENTIALS");
      expect(await outcome(ctx, person, device)).toBe("signed in");
      expect(await failuresOf(device)).toBe(0);
    }
  });

  test("helps with no other account, and is not used up by guesses at one", async () => {
    const { ctx, device } = await regular();
    const other = newPerson();
    await addUser(ctx, other);
    for (const person of [other, newPerson()]) {
      for (let n = 0; n < limits.signInFailuresByAddressAndIp; n += 1) await guess(ctx, person, device);
      expect(await guess(ctx, person, device)).toBe("RATE_LIMITED");
    }
    expect(await failuresOf(device)).toBe(0);
  });

  test("keeps its mark, and is not told again", async () => {
    const { ctx, person, device } = await regular();
    expect((await login(ctx, { ...person, presentedDevice: device })).deviceToken).toBeNull();
  });

  test("never adopts a mark that was planted, be it another user's or no one's", async () => {
    const { ctx, person } = await regular();
    for (const planted of [(await regular()).device, newToken(32)]) {
      const { deviceToken } = await login(ctx, { ...person, presentedDevice: planted });
      expect(deviceToken).toMatch(/^[\w-]{43}$/);
      expect(deviceToken).not.toBe(planted);
    }
  });

  test("W4: loses no try to a password that no one looked at", async () => {
    const { ctx, person, device } = await regular();
    const full = { ...createCheapHasher(), verify: () => Promise.reject(new AppError("BUSY")) };
    for (let n = 0; n < 2 * limits.signInFailuresByDevice; n += 1)
      expect(await outcome({ ...ctx, hasher: full }, person, device)).toBe("BUSY");
    expect(await failuresOf(device)).toBe(0);
  });
});

describe("a sign-in with a browser that is new to the account", () => {
  const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

  test("is told to the stored address, with time, place and device", async () => {
    const { ctx, person } = await regular();
    expect(ctx.mails).toEqual([]);
    const elsewhere = { ...ctx, ip: "198.51.100.7", userAgent: firefox };
    await login(elsewhere, { ...person, email: person.email.toUpperCase() });
    expect(ctx.mails).toMatchObject([{ to: person.email, subject: "New sign-in to your account" }]);
    const { text = "", html = "" } = ctx.mails[0] ?? {};
    for (const body of [text, html]) {
      expect(body).toContain("IP address: 198.51.100.7");
      expect(body).toContain("Device: Firefox on Linux");
      expect(body).toMatch(/Time: \d+ \w+ \d{4} at \d\d:\d\d UTC/);
      expect(body).toContain("http://localhost:3000/forgot-password");
    }
  });

  test("is not told of the first one ever, of a known browser, nor of one that is still signed in", async () => {
    const { ctx, person, device } = await regular();
    await login(ctx, { ...person, presentedDevice: device });
    const { token } = await login(ctx, { ...person, presentedDevice: device });
    await login(ctx, { ...person, presentedToken: token });
    expect(ctx.mails).toEqual([]);
  });

  test("is told once a minute when it would read the same, and always when it would not", async () => {
    const { ctx, person } = await regular();
    for (let n = 0; n < 3; n += 1) await login(ctx, person);
    expect(ctx.mails).toHaveLength(1);
    await login({ ...ctx, ip: "198.51.100.7" }, person);
    await login({ ...ctx, userAgent: firefox }, person);
    expect(ctx.mails).toHaveLength(3);
    ctx.clock.advance(limits.mailCooldownMs);
    await login(ctx, person);
    expect(ctx.mails).toHaveLength(4);
  });
});
