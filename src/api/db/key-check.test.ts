import { afterEach, beforeEach, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { createSecretBox } from "#api/adapters/secret-box.ts";
import { UnusableKeyError } from "#api/core/key-complaint.ts";
import { openTestDatabase, type TestDatabase } from "#api/testing/database.ts";
import { checkKey, keyOfKeyCheck, resealKeyCheck } from "./key-check.ts";
import { installation } from "./schema.ts";

const root = randomBytes(32);
const box = createSecretBox(root);
const other = randomBytes(32);
let database: TestDatabase;

beforeEach(async () => {
  database = await openTestDatabase();
});
afterEach(() => database.close());

const refusal = (used = createSecretBox(other)) =>
  checkKey(database.db, used).then(
    () => null,
    (error: unknown) => error,
  );
const rows = () => database.db.select().from(installation);

test("S6: the first start records the key; later starts with it pass and change nothing", async () => {
  await checkKey(database.db, box);
  const recorded = await rows();
  expect(recorded).toHaveLength(1);
  await checkKey(database.db, createSecretBox(root));
  expect(await rows()).toEqual(recorded);
});

test("S6: another key is refused, by fingerprint and with the way out, and changes nothing", async () => {
  await checkKey(database.db, box);
  const recorded = await rows();
  const error = await refusal();
  expect(error).toBeInstanceOf(UnusableKeyError);
  expect(String(error)).toContain(box.fingerprint);
  expect(String(error)).toContain(createSecretBox(other).fingerprint);
  expect(String(error)).toContain("APP_SECRET_PREVIOUS");
  expect(await rows()).toEqual(recorded);
});

test("S6: another key passes while the former one is given beside it", async () => {
  await checkKey(database.db, box);
  expect(await refusal(createSecretBox(other, root))).toBeNull();
});

test("replicas that start at the same time on an empty database agree, whichever key is first", async () => {
  const outcomes = await Promise.all([refusal(box), refusal(box), refusal(createSecretBox(other))]);
  expect(outcomes.slice(0, 2).map((error) => error === null)).toEqual(Array(2).fill(outcomes[2] !== null));
  expect(await rows()).toHaveLength(1);
});

test.each(["", "nonsense", `${box.fingerprint}.AAAA`, "x.y.z"])(
  "a damaged note (%j) is refused",
  async (value) => {
    await database.db.insert(installation).values({ key: "key_check", value });
    expect(await refusal(box)).toBeInstanceOf(UnusableKeyError);
  },
);

test("the note shows nothing of the key", async () => {
  await checkKey(database.db, box);
  expect(JSON.stringify(await rows())).not.toContain(root.toString("base64url"));
});

const both = createSecretBox(other, root);

test("S6: the note moves to the current key once, and then a start needs that alone", async () => {
  await checkKey(database.db, box);
  expect(await keyOfKeyCheck(database.db, both)).toBe("previous");
  expect(await resealKeyCheck(database.db, both)).toBe("resealed");
  expect(await keyOfKeyCheck(database.db, both)).toBe("current");
  expect(await refusal()).toBeNull();
  expect(await refusal(box)).toBeInstanceOf(UnusableKeyError);
  const recorded = await rows();
  expect(await resealKeyCheck(database.db, both)).toBe("kept");
  expect(await rows()).toEqual(recorded);
});

test("S6: a note that neither key opens, or a missing one, is not written again", async () => {
  expect(await keyOfKeyCheck(database.db, both)).toBeNull();
  expect(await resealKeyCheck(database.db, both)).toBe("unreadable");
  await checkKey(database.db, createSecretBox(randomBytes(32)));
  const recorded = await rows();
  expect(await keyOfKeyCheck(database.db, both)).toBe("unknown");
  expect(await resealKeyCheck(database.db, both)).toBe("unreadable");
  expect(await rows()).toEqual(recorded);
});
