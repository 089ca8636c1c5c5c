import { describe, expect, test } from "bun:test";
import { Secret, TOTP } from "otpauth";
import { addMember } from "#api/testing/add-member.ts";
import { testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { hashRecoveryCode, newRecoveryCodes } from "./check-code.ts";
import { replaceRecoveryCodes, saveTotp, takeRecoveryCode, takeStep } from "./store.ts";
import { acceptedStep, newTotpSecret, setupOf } from "./totp.ts";

const rfcSecret = new TextEncoder().encode("12345678901234567890");
const at = (seconds: number, code: string, lastStep: number | null = null) =>
  acceptedStep(rfcSecret, { code, nowMs: seconds * 1000, lastStep });
const codeAt = (seconds: number) =>
  TOTP.generate({ secret: new Secret({ buffer: rfcSecret.buffer }), timestamp: seconds * 1000 });

describe("codes of authenticator apps", () => {
  // RFC 4226, appendix D: the step takes the place of the counter.
  test("are those of RFC 4226", () => {
    const codes = "755224 287082 359152 969429 338314 254676 287922 162583 399871 520489".split(" ");
    expect(codes.map((code, counter) => at(counter * 30, code))).toEqual(codes.map((_, counter) => counter));
  });

  // RFC 6238, appendix B, the last six of its eight digits.
  test.each([
    [59, "287082"],
    [1111111109, "081804"],
    [1111111111, "050471"],
    [1234567890, "005924"],
    [2000000000, "279037"],
    [20000000000, "353130"],
  ])("RFC 6238: at second %d", (seconds, code) => {
    expect(at(seconds, code)).toBe(Math.floor(seconds / 30));
  });

  test("are accepted one step early and one step late, and not two", () => {
    expect([-60, -30, 0, 30, 60].map((seconds) => at(seconds + 3_000, codeAt(3_000)))).toEqual([
      ...[null, 100, 100, 100, null],
    ]);
  });

  test("may have spaces and hyphens, and nothing else", () => {
    const typed = ["755 224", " 755-224 ", "7 5 5 2 2 4"];
    expect(typed.map((code) => at(0, code))).toEqual([0, 0, 0]);
    const wrong = ["", "75522", "7552240", "755.224", "７５５２２４", "755224x", "0x755224", "1e5", "-"];
    expect(wrong.map((code) => at(0, code))).toEqual(wrong.map(() => null));
  });

  test("are not accepted again, nor is an older one", () => {
    const [older, newer] = [codeAt(3_000), codeAt(3_030)];
    expect(at(3_030, newer, 100)).toBe(101);
    expect([at(3_030, newer, 101), at(3_030, older, 101)]).toEqual([null, null]);
  });
});

describe("the setup of an authenticator app", () => {
  test("has 160 random bits, typed in groups of four, and the same in the URI", () => {
    const secret = newTotpSecret();
    expect(secret).toHaveLength(20);
    const { secret: typed, uri } = setupOf(secret, { site: "North: wind", account: "ada@example.test" });
    expect(typed).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
    const { searchParams, protocol, pathname } = new URL(uri);
    expect([protocol, decodeURIComponent(pathname)]).toEqual(["otpauth:", "/North  wind:ada@example.test"]);
    expect(Object.fromEntries(searchParams)).toEqual({
      issuer: "North  wind",
      secret: typed.replaceAll(" ", ""),
      ...{ algorithm: "SHA1", digits: "6", period: "30" },
    });
  });

  test("has a QR code that is one path inside its size", () => {
    const { qr } = setupOf(rfcSecret, { site: "🦊".repeat(40), account: `${"a".repeat(240)}@example.test` });
    expect(qr.path).toMatch(/^(M\d+ \d+h1v1h-1z)+$/);
    const numbers = [...qr.path.matchAll(/M(\d+) (\d+)/g)].flatMap(([, x, y]) => [Number(x), Number(y)]);
    expect(Math.max(...numbers)).toBeLessThan(qr.size - 4);
    expect(Math.min(...numbers)).toBe(4);
  });
});

test("there are ten recovery codes of 80 bits, and none twice", () => {
  const codes = newRecoveryCodes();
  expect(codes).toHaveLength(10);
  for (const code of codes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
  expect(new Set([...codes, ...newRecoveryCodes()]).size).toBe(20);
});

test("a recovery code may be typed in capitals, with spaces or without hyphens, and with i, l and o for digits", () => {
  const hash = hashRecoveryCode("q101-335n-mzd7-mng8");
  const typed = ["Q101-335N-MZD7-MNG8", "q101335nmzd7mng8", " qIoL 335n mzd7 mng8 ", "q101–335n–mzd7–mng8"];
  expect(typed.map(hashRecoveryCode)).toEqual(typed.map(() => hash));
  expect(hashRecoveryCode("q101-335n-mzd7-mng9")).not.toBe(hash);
});

const database = await databaseForFile();

const many = <T>(work: (number: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 20 }, (_, number) => work(number)));
const wins = (outcomes: boolean[]) => outcomes.filter(Boolean).length;

test("A10: of 20 simultaneous uses of one code exactly one counts, and then only a newer code does", async () => {
  const { db } = database;
  const { ctx, user } = await addMember(testContext(database));
  const totp = { userId: user.id, secret: new Uint8Array([1]), enabledAt: ctx.clock.now() };
  for (const lastStep of [null, 70]) {
    await saveTotp(db, { ...totp, lastStep });
    expect(wins(await many(() => takeStep(db, user.id, 100)))).toBe(1);
    expect([await takeStep(db, user.id, 99), await takeStep(db, user.id, 101)]).toEqual([false, true]);
  }
});

test("A10: of 20 simultaneous uses of one recovery code exactly one counts, and the others stay", async () => {
  const { db } = database;
  const { ctx, user } = await addMember(testContext(database));
  await replaceRecoveryCodes(db, { userId: user.id, hashes: ["a", "b"], now: ctx.clock.now() });
  expect(wins(await many(() => takeRecoveryCode(db, user.id, "a")))).toBe(1);
  expect(await takeRecoveryCode(db, user.id, "b")).toBe(true);
});
