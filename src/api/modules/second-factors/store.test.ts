import { expect, test } from "bun:test";
import { addMember } from "#api/testing/add-member.ts";
import { testContext } from "#api/testing/context.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { replaceRecoveryCodes, saveTotp, takeRecoveryCode, takeStep } from "./store.ts";

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
