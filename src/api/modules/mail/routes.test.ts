import { afterEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { mails } from "#api/db/schema.ts";
import { createActivityReader } from "#api/testing/activity-reader.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { contentsOf, withoutLog } from "#api/testing/contents.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import type { Mail } from "./contract.ts";

let hurried = 0;
const host = await hostForFile({ hasher: createCheapHasher() });
const admin = await host.signedIn("admin");
const newRows = createActivityReader(host.services);
host.services.outbox.hurry = () => {
  hurried += 1;
};
afterEach(async () => {
  hurried = 0;
  await host.db.delete(mails);
});

const secret = "the-sealed-text-with-a-link";
type NewMail = Partial<typeof mails.$inferInsert>;

/** Puts an email into the outbox; each a second younger than the one before. */
const addMail = async (mail: NewMail = {}): Promise<string> => {
  host.clock.advance(1_000);
  const id = mail.id ?? Bun.randomUUIDv7();
  const now = host.clock.now();
  await host.db.insert(mails).values({
    id,
    recipient: "ada@example.test",
    subject: "Hello",
    content: new TextEncoder().encode(secret),
    nextAttemptAt: now,
    createdAt: now,
    ...mail,
  });
  return id;
};
const rowOf = async (id: string) => (await host.db.select().from(mails).where(eq(mails.id, id)))[0];

type Page = { mails: Mail[]; counts: object; pagination: object };
const list = async (query = ""): Promise<Page> => {
  const answer = await admin.call("GET", `/api/admin/mails${query}`);
  expect(answer.status).toBe(200);
  return (await answer.json()).data;
};
const refusal = async (method: string, path: string, body?: unknown) => {
  const before = withoutLog(await contentsOf(host.db));
  const answer = await admin.call(method, path, body);
  expect(withoutLog(await contentsOf(host.db))).toEqual(before);
  return { status: answer.status, ...(await answer.json()) };
};

describe("the list of emails", () => {
  test("has the newest first, page by page, and emails that arrive meanwhile move nothing", async () => {
    const ids: string[] = [];
    for (let number = 0; number < 5; number += 1) ids.unshift(await addMail());
    const first = await list("?limit=2");
    expect(first.mails.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(first.pagination).toEqual({ total: 5, totalIsEstimate: false, limit: 2 });
    await addMail();
    const second = await list(`?limit=2&before=${ids[1]}`);
    expect(second.mails.map(({ id }) => id)).toEqual(ids.slice(2, 4));
    expect((await list(`?limit=2&before=${ids[3]}`)).mails.map(({ id }) => id)).toEqual(ids.slice(4));
  });

  test("keeps its order where emails are of the same moment", async () => {
    const createdAt = host.clock.now();
    const ids: string[] = [];
    for (let number = 0; number < 4; number += 1) ids.push(await addMail({ createdAt }));
    ids.sort().reverse();
    const seen: string[] = [];
    for (let before = ""; ; before = `&before=${seen.at(-1)}`) {
      const page = await list(`?limit=1${before}`);
      if (page.mails.length === 0) break;
      seen.push(...page.mails.map(({ id }) => id));
    }
    expect(seen).toEqual(ids);
  });

  test("is narrowed by status and by what was typed, which stands for itself", async () => {
    const waiting = await addMail({ recipient: "Bo_b@example.test" });
    const sent = await addMail({
      status: "sent",
      content: null,
      subject: "100% sure",
      sentAt: host.clock.now(),
    });
    const dead = await addMail({ status: "dead", lastError: "550 no such user" });
    const found = async (query: string) => (await list(query)).mails.map(({ id }) => id);
    expect(await found("?status=dead")).toEqual([dead]);
    expect(await found("?search=bo_B@")).toEqual([waiting]);
    expect(await found("?search=100%25%20SURE")).toEqual([sent]);
    expect(await found("?search=o%25b")).toEqual([]);
    expect(await found("?search=%20hello%20&status=waiting")).toEqual([waiting]);
    const page = await list("?status=waiting");
    expect(page.counts).toEqual({ waiting: 1, sent: 1, dead: 1 });
    expect(page.pagination).toMatchObject({ total: 1 });
  });

  test("S1: shows neither text nor link nor anything sealed, nor does a single email", async () => {
    const id = await addMail({ status: "dead", lastError: "550 no such user", attempts: 3 });
    const [listed] = (await list()).mails;
    const one = await admin.call("GET", `/api/admin/mails/${id}`);
    const text = await one.text();
    expect(JSON.parse(text).data).toEqual(listed);
    expect(Object.keys(listed ?? {}).sort()).toEqual([
      ...["attempts", "canRetry", "createdAt", "id", "lastError", "nextAttemptAt", "recipient", "sentAt"],
      ...["status", "subject"],
    ]);
    expect(listed).toMatchObject({ attempts: 3, canRetry: true, nextAttemptAt: null, sentAt: null });
    for (const said of [text, JSON.stringify(listed)]) {
      expect(said).not.toContain(secret);
      expect(said).not.toContain(Buffer.from(secret).toString("base64"));
    }
  });

  test.each([
    "?before=x",
    "?before=019a9f00-0000-7000-8000-000000000000",
    "?status=lost",
    "?limit=0",
    "?limit=101",
    "?x=1",
  ])("L6: refuses %s", async (query) => {
    expect(await refusal("GET", `/api/admin/mails${query}`)).toMatchObject({ status: 422 });
  });
});

describe("to try an email again", () => {
  test("makes a dead one due immediately, and hurries", async () => {
    const id = await addMail({ status: "dead", lastError: "550", attempts: 4 });
    host.clock.advance(60_000);
    await newRows();
    const answer = await (await admin.call("POST", `/api/admin/mails/${id}/retry`)).json();
    const now = host.clock.now();
    expect(answer.data).toMatchObject({ status: "waiting", nextAttemptAt: now.toISOString(), attempts: 4 });
    expect(await rowOf(id)).toMatchObject({ status: "waiting", nextAttemptAt: now });
    expect(hurried).toBe(1);
    expect(await newRows()).toMatchObject([
      { action: "Tried an email again", description: "“Hello” to ada@example.test", status: "success" },
    ]);
  });

  test("one that waits for its turn need not wait longer, and who is sending it continues", async () => {
    const leasedUntil = new Date(host.clock.now().getTime() + 60_000);
    const id = await addMail({ nextAttemptAt: leasedUntil, leasedUntil });
    expect((await admin.call("POST", `/api/admin/mails/${id}/retry`)).status).toBe(200);
    expect(await rowOf(id)).toMatchObject({ nextAttemptAt: host.clock.now(), leasedUntil });
  });

  test("is refused for one that has left or was discarded, or is not there, which is recorded", async () => {
    const sent = await addMail({ status: "sent", content: null });
    const wiped = await addMail({ status: "dead", content: null });
    await newRows();
    const path = (id: string) => `/api/admin/mails/${id}/retry`;
    expect(await refusal("POST", path(sent))).toMatchObject({ status: 409, code: "CONFLICT" });
    expect(await refusal("POST", path(wiped))).toMatchObject({ status: 409, code: "CONFLICT" });
    expect(await refusal("POST", path(Bun.randomUUIDv7()))).toMatchObject({ status: 404 });
    expect(hurried).toBe(0);
    expect((await newRows()).every(({ status }) => status === "failure")).toBe(true);
  });

  test("all that were given up takes those along that still have their text, and no other", async () => {
    const dead = [await addMail({ status: "dead" }), await addMail({ status: "dead" })];
    const others = [
      await addMail({ status: "dead", content: null }),
      await addMail({ status: "sent", content: null }),
    ];
    await newRows();
    const answer = await (await admin.call("POST", "/api/admin/mails/retry")).json();
    expect([answer.data, answer.message]).toEqual([{ retried: 2 }, "2 emails will be tried again now"]);
    for (const id of dead) expect((await rowOf(id))?.status).toBe("waiting");
    expect((await Promise.all(others.map(rowOf))).map((row) => row?.status)).toEqual(["dead", "sent"]);
    expect([hurried, (await newRows()).length]).toEqual([1, 1]);
  });
});

describe("to discard an email", () => {
  test("gives it up and wipes its text: nothing can send it any more", async () => {
    for (const status of ["waiting", "dead"] as const) {
      const id = await addMail({ status });
      const answer = await (await admin.call("DELETE", `/api/admin/mails/${id}`)).json();
      expect(answer.data).toMatchObject({ status: "dead", canRetry: false, nextAttemptAt: null });
      expect(await rowOf(id)).toMatchObject({ status: "dead", content: null });
    }
  });

  test("is refused for one that has left, is being sent, or was discarded before", async () => {
    const leasedUntil = new Date(host.clock.now().getTime() + 60_000);
    const ids = [
      await addMail({ status: "sent", content: null }),
      await addMail({ leasedUntil }),
      await addMail({ status: "dead", content: null }),
    ];
    for (const id of ids)
      expect(await refusal("DELETE", `/api/admin/mails/${id}`)).toMatchObject({ status: 409 });
    host.clock.advance(60_001);
    expect((await admin.call("DELETE", `/api/admin/mails/${ids[1]}`)).status).toBe(200);
  });
});

describe("the state of emails", () => {
  test("tells the way out, how it goes, and how many there are", async () => {
    await addMail({ status: "dead" });
    Object.assign(host.services.outbox, { health: () => ({ isHealthy: false, lastError: "ECONNREFUSED" }) });
    const { data } = await (await admin.call("GET", "/api/admin/mail")).json();
    expect(data).toEqual({
      transport: "outbox",
      server: null,
      from: host.services.outbox.from,
      isHealthy: false,
      lastError: "ECONNREFUSED",
      counts: { waiting: 0, sent: 0, dead: 1 },
    });
  });
});
