import { beforeEach, describe, expect, test } from "bun:test";
import { contactMessages } from "#api/db/schema.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { contactTexts } from "#contract/contact-rules.ts";

const host = await hostForFile({ hasher: createCheapHasher() });
const admin = await host.signedIn("admin");
beforeEach(async () => {
  await host.db.delete(contactMessages);
});

const path = "/api/admin/contact";

type Stored = typeof contactMessages.$inferInsert;
const add = async (...messages: Partial<Stored>[]): Promise<string[]> => {
  const now = host.clock.now().getTime();
  const rows = messages.map((message, at) => ({
    id: Bun.randomUUIDv7(),
    name: "Ada Example",
    email: "ada@example.test",
    subject: "General" as const,
    message: "Hello",
    ip: "203.0.113.1",
    idempotencyKey: crypto.randomUUID(),
    contentHash: "hash",
    createdAt: new Date(now + at),
    ...message,
  }));
  await host.db.insert(contactMessages).values(rows);
  return rows.map(({ id }) => id);
};
const list = async (query = "") => (await (await admin.call("GET", `${path}?${query}`)).json()).data;
const textsOf = (data: { messages: { message: string }[] }) => data.messages.map(({ message }) => message);

describe("the list of messages", () => {
  test("is newest first, a page at a time, and tells how many of all are open and unread", async () => {
    const at = host.clock.now();
    await add(
      { message: "first", readAt: at, handledAt: at },
      { message: "second", readAt: at },
      { message: "third", userAgent: "Browser" },
    );
    const data = await list("limit=2");
    expect(textsOf(data)).toEqual(["third", "second"]);
    expect(data.pagination).toEqual({ total: 3, totalIsEstimate: false, limit: 2, offset: 0 });
    expect(data.counts).toEqual({ open: 2, unread: 1 });
    expect(textsOf(await list("limit=2&offset=2"))).toEqual(["first"]);
    expect(Object.keys(data.messages[0]).sort()).toEqual(
      "createdAt email handledAt id ip message name readAt subject userAgent userId".split(" "),
    );
  });

  test("L6: is searched in names, addresses and texts, in any case, for the very text that was typed", async () => {
    await add(
      { message: "by name", name: "Grace_100%" },
      { message: "by address", email: "grace@navy.example" },
      { message: "the GRACE of a text\nwith lines" },
      { message: "back\\slash" },
      { message: "nothing" },
    );
    const found = async (search: string) =>
      textsOf(await list(new URLSearchParams({ search }).toString())).sort();
    expect(await found(" grace ")).toEqual(["by address", "by name", "the GRACE of a text\nwith lines"]);
    expect(await found("text\nwith")).toEqual(["the GRACE of a text\nwith lines"]);
    expect(await found("%")).toEqual(["by name"]);
    expect(await found("e_1")).toEqual(["by name"]);
    expect(await found("_")).toEqual(["by name"]);
    expect(await found("\\")).toEqual(["back\\slash"]);
    expect(await found("' or 1=1;--")).toEqual([]);
  });

  test("is narrowed by subject and by whether a message is open, and counts what matches", async () => {
    const handledAt = host.clock.now();
    await add(
      { message: "a", subject: "Sales" },
      { message: "b", subject: "Sales", handledAt },
      { message: "c", subject: "Support", handledAt },
    );
    expect(textsOf(await list("subject=Sales"))).toEqual(["b", "a"]);
    expect(textsOf(await list("status=open"))).toEqual(["a"]);
    expect(textsOf(await list("status=handled"))).toEqual(["c", "b"]);
    const both = await list("status=handled&subject=Sales&search=b&limit=1");
    expect(textsOf(both)).toEqual(["b"]);
    expect(both.pagination.total).toBe(1);
    expect(both.counts).toEqual({ open: 1, unread: 3 });
  });

  const senseless = [
    "limit=0",
    "limit=101",
    "limit=1e2",
    "offset=-1",
    "offset=1e12",
    "search=%00",
    `search=${"s".repeat(255)}`,
    "subject=Other",
    "subject=",
    "status=unread",
    "status=open&status=handled",
    "order=asc",
    "format=csv",
    "__proto__=1",
  ];
  test.each(senseless)("is refused for %s", async (query) => {
    expect((await admin.call("GET", `${path}?${query}`)).status).toBe(422);
  });
});

describe("one message", () => {
  test("is shown whole, and counts as read from the first time on", async () => {
    const [id] = await add({ message: "Line one\nLine two" });
    const first = host.clock.now().toISOString();
    const read = async () => (await (await admin.call("GET", `${path}/${id}`)).json()).data;
    expect(await read()).toMatchObject({ id, message: "Line one\nLine two", readAt: first });
    host.clock.advance(20_000);
    expect((await read()).readAt).toBe(first);
    expect((await list()).counts).toEqual({ open: 1, unread: 0 });
  });

  test("is closed and opened again, keeps the time of the first closing, and counts as read", async () => {
    const [id] = await add({});
    const set = async (handled: boolean) => {
      const answer = await admin.call("PUT", `${path}/${id}`, { handled });
      expect(answer.status).toBe(200);
      return answer.json();
    };
    const first = host.clock.now().toISOString();
    const closed = { handledAt: first, readAt: first };
    expect(await set(true)).toMatchObject({ success: true, message: contactTexts.handled, data: closed });
    host.clock.advance(20_000);
    expect((await set(true)).data).toMatchObject(closed);
    expect(await set(false)).toMatchObject({ message: contactTexts.reopened, data: { handledAt: null } });
    expect((await list()).counts).toEqual({ open: 1, unread: 0 });
  });

  test("is deleted permanently, and nothing else is", async () => {
    const [id] = await add({}, { message: "stays" });
    const answer = await admin.call("DELETE", `${path}/${id}`);
    expect(await answer.json()).toEqual({ success: true, message: contactTexts.deleted });
    expect(textsOf(await list())).toEqual(["stays"]);
    expect((await admin.call("DELETE", `${path}/${id}`)).status).toBe(404);
  });

  const calls: [string, unknown][] = [
    ["GET", undefined],
    ["PUT", { handled: true }],
    ["DELETE", undefined],
  ];
  test.each(calls)("that is not there is a 404 for %s, whatever its id", async (method, body) => {
    for (const id of [crypto.randomUUID(), "1", "null", "%27%20or%201=1", "__proto__", "a".repeat(300)]) {
      const answer = await admin.call(method, `${path}/${id}`, body);
      expect([id, answer.status, (await answer.json()).code]).toEqual([id, 404, "NOT_FOUND"]);
    }
  });

  test.each([
    ["nothing", {}],
    ["a word", { handled: "true" }],
    ["a number", { handled: 1 }],
    ["Z3: a time", { handled: true, handledAt: "2000-01-01T00:00:00.000Z" }],
    ["Z3: another text", { handled: true, message: "changed" }],
    ["Z3: another id", { handled: true, id: crypto.randomUUID() }],
  ])("is not changed by %s", async (_what, body) => {
    const [id] = await add({});
    const before = await contentsOf(host.db);
    expect((await admin.call("PUT", `${path}/${id}`, body)).status).toBe(422);
    expect(await contentsOf(host.db)).toEqual(before);
  });
});
