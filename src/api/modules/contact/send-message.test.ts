import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { asc, eq } from "drizzle-orm";
import { contactMessages, users } from "#api/db/schema.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { contentsOf } from "#api/testing/contents.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { createTestHost } from "#api/testing/host.ts";
import { contactTexts } from "#contract/contact-rules.ts";
import { limits } from "#contract/limits.ts";

const host = await hostForFile({ hasher: createCheapHasher(), contactEmail: "team@app.example" });
let member = await host.signedIn("user");
beforeEach(async () => {
  await host.db.delete(contactMessages);
  host.mails.length = 0;
});

/** Forgives what was sent so far. */
const nextHour = () => host.clock.advance(limits.contactWindowMs);

const path = "/api/contact";
const good = {
  name: "Ada Example",
  email: "ada@example.test",
  subject: "Sales",
  message: "Hello,\n\n\tone question.",
};
const rows = () => host.db.select().from(contactMessages).orderBy(asc(contactMessages.createdAt));
const from = (address: string) => ({ "x-forwarded-for": address });
const send = (body: object = good, headers: Record<string, string> = {}, client = host.visitor()) =>
  client.call("POST", path, body, headers);
const codeOf = async (answer: Response) => (await answer.json()).code;

describe("a message", () => {
  beforeEach(nextHour);

  test("is stored as it was written, emailed once to the site's address, and thanked for", async () => {
    const answer = await send({ ...good, name: " Ada Example ", message: "\r\nOne\r\nTwo <b> \n" });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toEqual({ success: true, message: contactTexts.sent });
    const [row, ...others] = await rows();
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      name: "Ada Example",
      email: "ada@example.test",
      subject: "Sales",
      message: "One\nTwo <b>",
      userId: null,
      ip: "127.0.0.1",
      readAt: null,
      handledAt: null,
    });
    expect(host.mails).toHaveLength(1);
    expect(host.mails[0]).toMatchObject({
      to: "team@app.example",
      replyTo: "ada@example.test",
      subject: "Contact form: Sales",
    });
    expect(host.mails[0]?.text).toContain("> One\n> Two <b>\n");
    expect(host.mails[0]?.html).toContain("One<br>\nTwo &lt;b&gt;");
    expect(host.mails[0]?.html).toContain(`${host.services.appUrl}/admin/messages?message=${row?.id}`);
  });

  test("of someone who is signed in is known as theirs, and outlives their account as no one's", async () => {
    await send(good, {}, member);
    expect((await rows()).map(({ userId }) => userId)).toEqual([member.user?.id ?? ""]);
    const leaving = await host.signedIn("user");
    await send({ ...good, message: "I leave" }, {}, leaving);
    await host.db.delete(users).where(eq(users.id, leaving.user?.id ?? ""));
    expect((await rows()).find(({ message }) => message === "I leave")?.userId).toBeNull();
  });

  test("of someone whose account is deleted meanwhile is stored as no one's", async () => {
    const leaver = await host.signedIn("user");
    expect((await leaver.call("GET", "/api/auth/user")).status).toBe(200);
    await host.db.delete(users).where(eq(users.id, leaver.user?.id ?? ""));
    expect((await send(good, {}, leaver)).status).toBe(201);
    expect(await rows()).toMatchObject([{ userId: null, message: good.message }]);
  });

  test("is stored without an email where no address is set", async () => {
    const quiet = await createTestHost({ hasher: createCheapHasher() });
    try {
      expect((await quiet.visitor().call("POST", path, good)).status).toBe(201);
      expect(quiet.mails).toEqual([]);
      expect(await quiet.db.select().from(contactMessages)).toHaveLength(1);
    } finally {
      await quiet.close();
    }
  });

  test("that cannot be emailed is not stored either", async () => {
    const { enqueue } = host.services.mail;
    host.services.mail.enqueue = () => Promise.reject(new Error("no outbox"));
    try {
      expect((await send()).status).toBe(500);
    } finally {
      host.services.mail.enqueue = enqueue;
    }
    expect(await rows()).toEqual([]);
    expect((await send()).status).toBe(201);
  });
});

describe("a message that will not do is refused and changes nothing:", () => {
  // Of this very moment: nothing about the session itself has to be written.
  beforeAll(async () => {
    member = await host.signedIn("user");
  });

  const cases: [string, unknown][] = [
    ["an empty body", {}],
    ["no name", { ...good, name: " " }],
    ["no address", { ...good, email: "ada" }],
    ["two addresses", { ...good, email: "a@b.example, c@d.example" }],
    ["no subject", { ...good, subject: "" }],
    ["a subject that does not exist", { ...good, subject: "Other" }],
    ["no message", { ...good, message: " \n " }],
    ["a message that is too long", { ...good, message: "x".repeat(5_001) }],
    ["a message with a NUL", { ...good, message: "a\u0000b" }],
    ["a message with invisible text", { ...good, message: "a\u202eb" }],
    ["a list for a message", { ...good, message: ["x"] }],
    ["E4: a name with a line break", { ...good, name: "Ada\r\nBcc: all@example.com" }],
    ["E4: an address with a line break", { ...good, email: "ada@example.test\r\nBcc: all@example.com" }],
    ["E4: an address with an encoded line break", { ...good, email: "ada%0abcc:x@example.test\n" + "x" }],
    ["E4: a subject with a line break", { ...good, subject: "Sales\r\nBcc: all@example.com" }],
    ["E4: a message of 900 kB", { ...good, message: "x".repeat(900_000) }],
    ["Z3: an id", { ...good, id: crypto.randomUUID() }],
    ["Z3: another user's account", { ...good, userId: crypto.randomUUID() }],
    ["Z3: a time of reading", { ...good, readAt: new Date().toISOString() }],
    ["Z3: a recipient", { ...good, to: "all@example.com" }],
    ["Z3: a role", { ...good, role: "admin" }],
    ["Z3: a prototype", JSON.parse(`{"__proto__":{"role":"admin"},${JSON.stringify(good).slice(1)}`)],
  ];
  test.each(cases)("%s", async (_title, body) => {
    const before = await contentsOf(host.db);
    for (const client of [host.visitor(), member]) {
      const answer = await client.call("POST", path, body);
      expect(answer.status).toBe(422);
      expect(await codeOf(answer)).toBe("VALIDATION_FAILED");
    }
    expect(await contentsOf(host.db)).toEqual(before);
    expect(host.mails).toEqual([]);
    expect(Reflect.get({}, "role")).toBeUndefined();
  });

  test("E4: a message of more than a megabyte is not even read", async () => {
    const answer = await send({ ...good, message: "x".repeat(1_000_001) });
    expect(answer.status).toBe(413);
    expect(await rows()).toEqual([]);
  });

  test("refused messages do not count towards the limit", async () => {
    nextHour();
    member = await host.signedIn("user");
    for (let turn = 0; turn < limits.contactMessagesByIp + 1; turn += 1) await send({ ...good, name: "" });
    expect((await send()).status).toBe(201);
  });
});

describe("a message that comes again", () => {
  beforeEach(nextHour);

  const key = (value: string) => ({ "idempotency-key": value });

  test("with its key is answered alike, stored once, emailed once and not counted", async () => {
    for (let turn = 0; turn < limits.contactMessagesByIp * 2; turn += 1) {
      const answer = await send(good, key("key-of-one-message"));
      expect(answer.status).toBe(201);
      expect(await answer.json()).toEqual({ success: true, message: contactTexts.sent });
    }
    expect(await rows()).toHaveLength(1);
    expect(host.mails).toHaveLength(1);
    expect((await send({ ...good, message: "another" })).status).toBe(201);
  });

  test("under a key that another message has is refused and changes nothing", async () => {
    await send(good, key("key-of-one-message"));
    const before = await contentsOf(host.db);
    const answer = await send({ ...good, message: "another" }, key("key-of-one-message"));
    expect([answer.status, await codeOf(answer)]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
    expect(await contentsOf(host.db)).toEqual(before);
  });

  test("under another writer's key is a message of its own", async () => {
    await send(good, key("key-of-one-message"));
    await send(good, key("key-of-one-message"), member);
    await send(
      { ...good, message: "from elsewhere" },
      { ...key("key-of-one-message"), ...from("203.0.113.9") },
    );
    expect(await rows()).toHaveLength(3);
  });

  test("under another key is a message of its own", async () => {
    await send(good, key("key-of-one-message"));
    await send(good, key("key-of-another-message"));
    await send(good);
    expect(await rows()).toHaveLength(3);
  });

  test("without a key is the same for ten minutes, and a new one from then on", async () => {
    await send();
    host.clock.advance(limits.contactRepeatMs - 1);
    expect((await send()).status).toBe(201);
    expect(await rows()).toHaveLength(1);
    host.clock.advance(1);
    await send();
    expect(await rows()).toHaveLength(2);
    await send();
    expect(await rows()).toHaveLength(2);
  });

  test.each([
    ["7 characters", "1234567"],
    ["129 characters", "k".repeat(129)],
    ["a space", "key with space"],
    ["nothing", ""],
    ["a letter beyond ASCII", "schl\u00fcssel"],
  ])("under a key that will not do is refused: %s", async (_what, value) => {
    const answer = await send(good, key(value));
    expect(answer.status).toBe(422);
    expect((await answer.json()).errors).toEqual([
      { path: "idempotency-key", message: contactTexts.keyInvalid },
    ]);
    expect(await rows()).toEqual([]);
  });

  test.each([
    ["with one key", key("key-of-one-message")],
    ["without a key", {}],
  ])("fifty times at the same time %s is stored once and emailed once", async (_what, headers) => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(good, headers)));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(201));
    expect(await rows()).toHaveLength(1);
    expect(host.mails).toHaveLength(1);
  });

  test("fifty times at the same time, after the ten minutes of an older one, is stored again", async () => {
    await send();
    host.clock.advance(limits.contactRepeatMs);
    await Promise.all(Array.from({ length: 50 }, () => send()));
    expect(await rows()).toHaveLength(2);
  });

  test("fifty times at the same time with two contents under one key has one winner", async () => {
    const bodies = [good, { ...good, message: "another" }];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, turn) => send(bodies[turn % 2], key("key-of-one-message"))),
    );
    const taken = answers.filter(({ status }) => status === 201);
    expect(taken).toHaveLength(25);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(25);
    expect(await rows()).toHaveLength(1);
  });
});

describe("many messages from one place", () => {
  beforeEach(nextHour);

  const many = (count: number, headers = {}) =>
    Promise.all(Array.from({ length: count }, (_, at) => send({ ...good, message: `No. ${at}` }, headers)));

  test("end after a hundred at the same time; what is too many is neither stored nor emailed", async () => {
    const answers = await many(150);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(150 - 100);
    expect(await rows()).toHaveLength(limits.contactMessagesByIp);
    expect(host.mails).toHaveLength(limits.contactMessagesByIp);
    const [one] = refused;
    expect(Number(one?.headers.get("retry-after"))).toBe(limits.contactWindowMs / 1000);
    expect(await one?.json()).toMatchObject({
      code: "RATE_LIMITED",
      message: "Too many messages came from your network. Please try again in 60 minutes.",
    });
  });

  test("leave other places their own, and are forgiven after an hour", async () => {
    await many(limits.contactMessagesByIp);
    expect((await send({ ...good, message: "more" })).status).toBe(429);
    expect((await send({ ...good, message: "elsewhere" }, from("203.0.113.7"))).status).toBe(201);
    host.clock.advance(limits.contactWindowMs);
    expect((await send({ ...good, message: "more" })).status).toBe(201);
  });

  test("count as one place across the addresses of one IPv6 subscriber", async () => {
    for (let at = 0; at < limits.contactMessagesByIp; at += 1)
      await send({ ...good, message: `No. ${at}` }, from(`2001:db8:1:2::${at + 1}`));
    expect((await send({ ...good, message: "more" }, from("2001:db8:1:2:ffff::1"))).status).toBe(429);
    expect((await send({ ...good, message: "more" }, from("2001:db8:1:3::1"))).status).toBe(201);
  });
});
