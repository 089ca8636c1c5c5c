import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { ActivityFact } from "#api/core/activity.ts";
import { asCsv, columnOf, createActivityExports, exportedColumns } from "#api/testing/activity-exports.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { factAt, fillActivity } from "#api/testing/fill-activity.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { hostileMarkup } from "#api/testing/hostile-markup.ts";
import { hostilePaths } from "#api/testing/hostile-paths.ts";
import { hostileTexts } from "#api/testing/hostile-text.ts";
import { parseCsv, unmarked } from "#api/testing/parse-csv.ts";

const host = await hostForFile({ hasher: createCheapHasher() });
const admin = await host.signedIn("admin");

const { exported, csv, listed } = createActivityExports(() => admin);
const fill = (facts: ActivityFact[]) => fillActivity(host.services, facts);
/** One text in every field that holds what somebody else wrote. */
const factOfText = (text: string): ActivityFact => ({
  entry: {
    type: "api_call",
    action: text,
    description: text,
    pluginName: text,
    before: { [text]: text },
    after: text,
  },
  source: {
    actor: { kind: "visitor" },
    requestId: "r",
    ip: "203.0.113.7",
    userAgent: text,
  },
  at: host.clock.now(),
});

describe("what strangers wrote, in an export of the activity log", () => {
  test("L2: is no formula: those are neutralised, and every text comes back as it was recorded", async () => {
    const texts = [
      ...[
        "=1+1",
        "+1",
        "-1",
        "@a",
        '="a","b"',
        "=cmd|'/c calc'!A0",
        'quote " inside',
        "a;b",
        "a,b",
        "l\r\nl",
      ],
      ...["\t=1", "\uff1d1", " x ", '"', "'", "a\u00a0"],
      ...hostileMarkup,
      ...hostileTexts.filter((text) => text.length < 5_000),
      ...hostilePaths,
    ];
    await fill(texts.map(factOfText));
    const all = await listed();
    // More than the first piece, which is made in another way than those behind it.
    expect(all.length).toBeGreaterThan(350);
    const text = await exported(`before=${(all[0]?.id ?? 0) + 1}`);
    expect(text).toBe(asCsv(all));
    expect(text.split("\r\n")).toHaveLength(all.length + 2);
    const records = parseCsv(text);
    for (const record of records) {
      expect(record).toHaveLength(exportedColumns.length);
      for (const cell of record) expect(cell).not.toMatch(/^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/);
    }
    expect(columnOf(records, "description").map(unmarked)).toEqual(all.map(({ description }) => description));
  });

  test("L2: is no formula even if it is stored with the characters that separate cells and records", async () => {
    // As only who writes to the database itself can; the last makes a record of its own, and both have their parts.
    const whole = `a${"\u001f".repeat(8)}\u001e1\u001f=1+1\u001f2000-01-01 00:00:00.001\u001fb`;
    for (const text of ["a\u001f=1+1", "=1\u001e", whole]) {
      await fill([factOfText("plain")]);
      await host.db.execute(sql`
        with head as (
          update activity_chain set head_id = head_id + 1 returning head_id
        ), forged as (
          insert into activities (id, kind_id, occurred_at, action, description, occurrences, hash)
          select head_id, kind_id, occurred_at, ${text}, '', 1, '' from head join activities on activities.id = head_id - 1
        )
        update activity_kinds set rows = rows + 1, last_id = head_id from head
        where activity_kinds.id = (select kind_id from activities where activities.id = head_id - 1)`);
      await fill(Array.from({ length: 150 }, () => factOfText("plain")));
      // It stands behind the first piece, which is made in another way.
      const all = await listed();
      const wanted = all.slice(0, all.findIndex(({ action }) => action === text) + 1);
      expect(wanted.length).toBeGreaterThan(150);
      const query = `limit=${wanted.length}&before=${(wanted[0]?.id ?? 0) + 1}`;
      expect(await exported(query)).toBe(asCsv(wanted));
    }
  });

  test("L1: is text, were it one of the 200 hostile ones, in both forms", async () => {
    await fill(hostileMarkup.map(factOfText));
    const wanted = [...hostileMarkup].sort();
    const cells = columnOf(await csv("search=alert&limit=200&actorKind=visitor"), "action");
    expect(cells).not.toHaveLength(0);
    const lines = (await exported("format=ndjson&actorKind=visitor&limit=200")).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).action).sort()).toEqual(wanted);
  });

  test("S1: contains no secret, even if an activity was given one", async () => {
    const canary = `aK9${"xY7".repeat(20)}`;
    await fill([
      factAt(host.clock.now(), {
        description: `token ${canary}`,
        before: { password: canary, name: "kept" },
        after: { apiKey: canary, url: `https://ada:${canary}@example.test` },
      }),
    ]);
    for (const format of ["csv", "ndjson"]) {
      const text = await exported(`format=${format}`);
      expect(text).toContain("kept");
      expect(text).not.toContain(canary);
    }
    const [head = []] = await csv();
    expect(head).toEqual(exportedColumns);
  });
});
