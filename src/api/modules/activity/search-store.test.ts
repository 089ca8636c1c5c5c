import { expect, test } from "bun:test";
import { activities } from "#api/db/schema.ts";
import { databaseForFile } from "#api/testing/database-for-file.ts";
import { createRandom, testSeed } from "#api/testing/random.ts";
import { type ActivityKind, findMatches, rarePiece, type Selection } from "./selection-store.ts";

const seed = testSeed();
const random = createRandom(seed);
const words = [
  "timeout",
  "throttled",
  "Quarantine",
  "100%_sure",
  "back\\slash",
  "Grüße",
  "10.20.30.40",
] as const;
const last = 300_000;

const kinds: ActivityKind[] = [1, 2, 3].map((id) => ({
  id,
  pluginName: `plugin-${id}`,
  type: "api_call",
  status: "success",
  severity: "low",
  actorKind: "system",
}));

/** Far apart in their numbers, so that few rows lie in several stretches of the index. */
const rows = Array.from({ length: 600 }, (_, at) => ({
  id: 1 + Math.floor((at * last) / 600),
  kindId: 1 + random.below(3),
  occurredAt: new Date(at),
  action: `Saw ${random.pick(words)}`,
  description: `${random.pick(words)} then ${random.pick(words)}`,
  hash: new Uint8Array(32),
}));
const database = await databaseForFile();
await database.db.insert(activities).values(rows);

const selectionOf = (
  kindIds: number[],
  { above, through, total }: Omit<Selection, "kinds" | "isWhole">,
): Selection => ({
  above,
  through,
  total,
  isWhole: kindIds.length === kinds.length,
  kinds: kinds
    .filter(({ id }) => kindIds.includes(id))
    .map((kind) => ({ kind, rows: total / 3, lastId: Number.POSITIVE_INFINITY })),
});

test("every way of searching finds the same: few rows, the newest, and stretch after stretch of the index", async () => {
  for (let turn = 0; turn < 80; turn += 1) {
    const above = random.once(2) ? 0 : random.below(last);
    const through = random.once(2) ? last : above + random.below(last - above);
    const isEveryKind = random.once(2);
    const kindIds = isEveryKind ? [1, 2, 3] : [1 + random.below(3)];
    const search = random.pick([...words, "time", "TIMEOUT THEN", "%_", "10.20", ".30.", "grüße", "nowhere"]);
    const limit = random.pick([3, 40, 1_001]);
    // Whether few rows are left is known by their total.
    const total = isEveryKind ? through - above : random.pick([100, 100_000]);
    const found = await findMatches(database.db, selectionOf(kindIds, { above, through, total }), {
      search,
      limit,
    });
    const wanted = rows
      .filter(({ id, kindId, action, description }) => {
        const isWithin = id > above && id <= through && kindIds.includes(kindId);
        return isWithin && `${action}\n${description}`.toLowerCase().includes(search.toLowerCase());
      })
      .map(({ id, kindId }) => ({ id, kindId }))
      .reverse()
      .slice(0, limit);
    const expected = { seed, above, through, kindIds, search, limit, total, found: wanted };
    expect({ ...expected, found }).toEqual(expected);
  }
});

test("no match is lost or doubled where the newest rows end and the index takes over", async () => {
  const edge = 20_000;
  for (const { id } of rows.slice(5, 9)) {
    for (const through of [id + edge - 1, id + edge, id + edge + 1]) {
      const whole = selectionOf([1, 2, 3], { above: 0, through, total: through });
      const found = await findMatches(database.db, whole, { search: "then", limit: 1_001 });
      const wanted = rows.map((row) => row.id).filter((each) => each <= through);
      expect([through, found.map((match) => match.id)]).toEqual([through, wanted.reverse()]);
    }
  }
});

test("nothing is looked for in an empty selection", async () => {
  const empty = selectionOf([], { above: 0, through: last, total: 0 });
  expect(await findMatches(database.db, empty, { search: "timeout", limit: 5 })).toEqual([]);
});

const sampleText = "request to a plugin by anna.miller@example.com answered 200\n".repeat(20);

test("of a long text the piece is chosen that is rarest among the rows, from within one word", () => {
  expect(rarePiece("wilhelmina.fitzgerald@example.com", sampleText)).toHaveLength(8);
  expect("wilhelmina fitzgerald").toContain(rarePiece("wilhelmina.fitzgerald@example.com", sampleText));
  expect(rarePiece("answered quarantine", sampleText)).not.toContain("answer");
  expect(rarePiece("plugin zebra7", sampleText)).toBe("zebra7");
  expect("xyzabcde").toContain(rarePiece("requestxyzabcde", sampleText).replace(/^st/, ""));
});

test("a short text, one without a long word and one of common words are taken whole", () => {
  expect(rarePiece("request", sampleText)).toBe("request");
  expect(rarePiece("203.0.113.99", sampleText)).toBe("203.0.113.99");
  expect(rarePiece("a b c d e f g", "")).toBe("a b c d e f g");
  expect(rarePiece("plugin answered", sampleText)).toBe("plugin answered");
});
