import { beforeEach, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { contactMessages } from "#api/db/schema.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { failureOf } from "#api/testing/failure-of.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { hostileMarkup } from "#api/testing/hostile-markup.ts";
import { hostileTexts } from "#api/testing/hostile-text.ts";
import { parseCsv, unmarked } from "#api/testing/parse-csv.ts";
import { limits } from "#contract/limits.ts";

const host = await hostForFile({ hasher: createCheapHasher() });
const admin = await host.signedIn("admin");
beforeEach(async () => {
  await host.db.delete(contactMessages);
});

const path = "/api/admin/contact/export";
const add = async (texts: readonly string[]) => {
  const now = host.clock.now().getTime();
  const rows = texts.map((message, at) => ({
    id: Bun.randomUUIDv7(),
    name: message.slice(0, 100),
    email: "ada@example.test",
    subject: "General" as const,
    message,
    ip: "203.0.113.1",
    userAgent: message.slice(0, 500),
    idempotencyKey: crypto.randomUUID(),
    contentHash: "hash",
    // Many of the same instant: then the id decides.
    createdAt: new Date(now + Math.floor(at / 3)),
  }));
  await host.db.insert(contactMessages).values(rows);
};
/** `count` messages at once, the newest last. */
const addMany = (count: number) =>
  host.db.execute(sql`
    insert into contact_messages (id, name, email, subject, message, ip, idempotency_key, content_hash, created_at)
    select gen_random_uuid(), 'Ada', 'ada@example.test', 'Sales', 'No. ' || n, '203.0.113.1', n::text, 'hash',
      timestamptz '2026-01-01' + (n / 7) * interval '1 second'
    from generate_series(1, ${sql.raw(String(count))}) n`);
const csv = async (query = "") => parseCsv(await (await admin.call("GET", `${path}?${query}`)).text());
const columnOf = ([head = [], ...records]: string[][], name: string) =>
  records.map((record) => record[head.indexOf(name)] ?? "no such column");

describe("an export of messages", () => {
  test("is a file of that day's name, never stored and inert, as CSV unless asked otherwise", async () => {
    const day = host.clock.now().toISOString().slice(0, 10);
    for (const [query, type, name] of [
      ["", "text/csv; charset=utf-8; header=present", `contact-messages-${day}.csv`],
      ["?format=csv", "text/csv; charset=utf-8; header=present", `contact-messages-${day}.csv`],
      ["?format=ndjson", "application/x-ndjson; charset=utf-8", `contact-messages-${day}.ndjson`],
    ] as const) {
      const answer = await admin.call("GET", `${path}${query}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toBe(type);
      expect(answer.headers.get("content-disposition")).toBe(`attachment; filename="${name}"`);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      expect(answer.headers.get("content-security-policy")).toStartWith("default-src 'none'");
      expect(answer.headers.get("x-request-id")).toBeTruthy();
      await answer.text();
    }
  });

  test("of nothing is a head alone in CSV, and empty otherwise", async () => {
    expect(await csv()).toEqual([
      "id createdAt name email subject message userId ip userAgent readAt handledAt".split(" "),
    ]);
    expect(await (await admin.call("GET", `${path}?format=ndjson`)).text()).toBe("");
  });

  test("L2: formulas are neutralised, and every text comes back as it was", async () => {
    const texts = [
      ...["=1+1", "+1", "-1", "@a", '="a","b"', "=cmd|'/c calc'!A0", 'quote " inside', "a;b", "a,b", "l\nl"],
      ...hostileTexts.filter(
        (text) => text.isWellFormed() && !text.includes("\u0000") && text.length < 5_000,
      ),
    ];
    await add(texts);
    const records = await csv();
    expect(columnOf(records, "message").map(unmarked).sort()).toEqual([...texts].sort());
    for (const record of records) for (const cell of record) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
  });

  test("L1: the 200 hostile texts are in it as text, once for each", async () => {
    await add(hostileMarkup);
    const expected = [...hostileMarkup].sort();
    expect(
      columnOf(await csv(), "message")
        .map(unmarked)
        .sort(),
    ).toEqual(expected);
    const lines = (await (await admin.call("GET", `${path}?format=ndjson`)).text()).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).message).sort()).toEqual(expected);
  });

  test("holds what the filters of the list let through, in its order", async () => {
    await add(["one of grace", "two", "three of GRACE"]);
    expect(columnOf(await csv("search=grace"), "message")).toEqual(["three of GRACE", "one of grace"]);
    expect(columnOf(await csv("subject=Sales"), "message")).toEqual([]);
    expect(columnOf(await csv("status=handled"), "message")).toEqual([]);
    expect(columnOf(await csv("status=open&subject=General"), "message")).toHaveLength(3);
  });

  test("L2: of 10,001 messages holds the newest 10,000, each once and in order", async () => {
    await addMany(limits.exportRows + 1);
    const records = await csv();
    expect(records).toHaveLength(limits.exportRows + 1);
    const times = columnOf(records, "createdAt");
    expect(times).toEqual([...times].sort().reverse());
    expect(new Set(columnOf(records, "id")).size).toBe(limits.exportRows);
  });

  test("is not disturbed by messages that arrive or go meanwhile", async () => {
    await addMany(1_200);
    const answer = await admin.call("GET", path);
    const reader = answer.body?.getReader();
    const parts: Uint8Array[] = [];
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      parts.push(part.value);
      await add(["newer"]);
    }
    const messages = columnOf(parseCsv(Buffer.concat(parts).toString()), "message");
    expect(new Set(messages).size).toBe(1_200);
    expect(messages).not.toContain("newer");
  });

  test("that cannot continue ends with a failure instead of as if it were whole, and the cause is logged", async () => {
    await addMany(1_200);
    const answer = await admin.call("GET", path);
    const reader = answer.body?.getReader();
    await reader?.read();
    await reader?.read();
    const { select } = host.db;
    host.db.select = () => {
      throw new Error("the database went away");
    };
    try {
      const failure = await failureOf(Promise.resolve(reader?.read()));
      expect(failure).toMatchObject({ message: "the export could not be completed" });
    } finally {
      host.db.select = select;
    }
    expect(host.logs).toContainEqual(
      expect.objectContaining({ level: "warn", message: "an export ended early" }),
    );
    expect(await csv("search=1199")).toHaveLength(2);
  });

  test.each(["format=xlsx", "format=", "limit=10", "offset=0", "subject=Other", "status=x", "id=1"])(
    "is refused for %s",
    async (query) => {
      expect((await admin.call("GET", `${path}?${query}`)).status).toBe(422);
    },
  );
});
