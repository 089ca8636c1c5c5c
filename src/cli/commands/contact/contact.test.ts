import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fitsSchema } from "#cli/testing/fits-schema.ts";
import { callsOf, refusal, run, success, type World } from "#cli/testing/run.ts";

const message = {
  id: "019a9f00-0000-7000-8000-000000000000",
  name: "Ada",
  email: "ada@example.com",
  subject: "Sales",
  message: "Line one\n\tline\u001b[31m two",
  userId: null,
  ip: "203.0.113.7",
  userAgent: null,
  createdAt: "2026-11-20T18:40:12.000Z",
  readAt: null,
  handledAt: null,
};
const page = {
  messages: [message],
  pagination: { total: 3, limit: 1, offset: 1 },
  counts: { open: 2, unread: 1 },
};
const path = `/api/admin/contact/${message.id}`;

const contact = (argv: string[], world: World = {}) =>
  run(["contact", ...argv], { answer: () => success(message), ...world });

describe("contact list", () => {
  const answer = () => success(page);

  test("asks for what the options say", async () => {
    const words = ["list", "--search", "a & b", "--subject", "Sales", "--status", "open"];
    const outcome = await contact([...words, "--limit", "1", "--offset", "1"], { answer });
    expect(await callsOf(outcome)).toEqual([
      "GET /api/admin/contact?search=a+%26+b&subject=Sales&status=open&limit=1&offset=1",
    ]);
    expect(await callsOf(await contact(["list"], { answer }))).toEqual(["GET /api/admin/contact"]);
  });

  test("prints a message a line, without what steers a terminal", async () => {
    expect((await contact(["list"], { answer })).out).toBe(
      `${message.id}\t2026-11-20 18:40Z\tAda\tada@example.com\tSales\tunread\tLine one line\ufffd[31m two\n`,
    );
  });

  test("on a terminal has headings, says how many there are, and when there are none", async () => {
    const shown = await contact(["list"], { answer, isTerminal: true });
    expect(shown.out).toContain("RECEIVED");
    expect(shown.err).toBe("1 of 3 messages; see the next with --offset 2; in total 2 open and 1 unread\n");
    const none = { ...page, messages: [], pagination: { total: 0, limit: 25, offset: 0 } };
    const empty = await contact(["list"], { answer: () => success(none), isTerminal: true });
    expect([empty.out, empty.err]).toEqual(["No messages.\n", ""]);
  });

  test("on a narrow terminal stays within it, with the whole id; in a pipe everything is whole", async () => {
    const long = { ...message, name: "Augusta Ada King, Countess of Lovelace", message: "word ".repeat(30) };
    const data = () => success({ ...page, messages: [long, { ...long, name: "密码".repeat(20) }] });
    for (const columns of [80, 100, 120, 200]) {
      const { out } = await contact(["list"], { answer: data, isTerminal: true, columns });
      const lines = Bun.stripANSI(out).trimEnd().split("\n");
      for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(columns);
      expect(lines[1]).toStartWith(`${message.id}  `);
      expect(lines[1]).toContain("…");
    }
    const narrow = await contact(["list"], { answer: data, isTerminal: true, columns: 80 });
    expect(narrow.out).toContain("Columns that don't fit: RECEIVED, EMAIL, SUBJECT");
    const piped = await contact(["list"], { answer: data, columns: 80 });
    expect(piped.out).toContain(`\t${long.name}\tada@example.com\t`);
  });
});

describe("contact show, handle, reopen and delete", () => {
  test("show prints the whole text with its line breaks", async () => {
    const outcome = await contact(["show", message.id]);
    expect(await callsOf(outcome)).toEqual([`GET ${path}`]);
    expect(outcome.out).toContain("From\tAda <ada@example.com>\n");
    expect(outcome.out).toContain("\nSubject\tSales\nReceived\t");
    expect(outcome.out).toContain("IP address\t203.0.113.7\n");
    expect(outcome.out).toEndWith("\n\nLine one\n\tline\ufffd[31m two\n");
  });

  test.each([
    ["handle", true, "Marked the message from Ada <ada@example.com> as handled\n"],
    ["reopen", false, "Opened the message from Ada <ada@example.com> again\n"],
  ])("%s says so to the API and to the operator", async (name, handled, text) => {
    const outcome = await contact([name, message.id]);
    expect(await callsOf(outcome)).toEqual([`PUT ${path} {"handled":${handled}}`]);
    expect([outcome.code, outcome.out]).toEqual([0, text]);
  });

  test("delete looks the message up for its question alone", async () => {
    const yes = await contact(["delete", message.id], { typed: ["y"] });
    expect(await callsOf(yes)).toEqual([`GET ${path}`, `DELETE ${path}`]);
    expect([yes.code, yes.out]).toEqual([0, "Deleted the message\n"]);
    const scripted = await contact(["delete", message.id, "--yes"]);
    expect(await callsOf(scripted)).toEqual([`DELETE ${path}`]);
  });

  test("an id that would lead to another path is sent nowhere", async () => {
    expect((await contact(["show", ".."])).calls).toEqual([]);
  });
});

describe("contact export", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "atrium-test-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const fileOf = (pull: (controller: ReadableStreamDefaultController) => void) => () =>
    new Response(new ReadableStream({ pull }), {
      headers: { "content-disposition": 'attachment; filename="contact-messages-2026-11-20.csv"' },
    });
  const text = "id,name\r\n1,Jürgen\r\n";
  // Cut within a character, as the network does.
  const bytes = new TextEncoder().encode(text);
  const cut = bytes.indexOf(0xc3) + 1;
  const whole = () => {
    const parts = [bytes.slice(0, cut), bytes.slice(cut)];
    return fileOf((controller) => {
      const part = parts.shift();
      if (part) controller.enqueue(part);
      else controller.close();
    })();
  };
  const broken = () => {
    let isFirst = true;
    return fileOf((controller) => {
      if (isFirst) controller.enqueue(bytes);
      else controller.error(new Error("reset"));
      isFirst = false;
    })();
  };

  test("goes to standard output as it arrives, with the filters and as CSV unless asked otherwise", async () => {
    const outcome = await contact(["export", "--search", "x", "--status", "handled"], { answer: whole });
    expect([outcome.code, outcome.out, outcome.err]).toEqual([0, text, ""]);
    expect(await callsOf(outcome)).toEqual([
      "GET /api/admin/contact/export?search=x&status=handled&format=csv",
    ]);
    const lines = await contact(["export", "--format", "ndjson"], { answer: whole });
    expect(await callsOf(lines)).toEqual(["GET /api/admin/contact/export?format=ndjson"]);
  });

  test("with --out goes to a file of the owner's alone, and the size is told", async () => {
    const out = join(folder, "messages.csv");
    const outcome = await contact(["export", "--out", out], { answer: whole });
    expect([outcome.code, outcome.out]).toEqual([0, `Wrote ${bytes.length} bytes to ${out}\n`]);
    expect(await Bun.file(out).text()).toBe(text);
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    const told = await contact(["export", "--out", out, "--json"], { answer: whole });
    expect(await fitsSchema("contact export", told.out)).toEqual({ file: out, sizeBytes: bytes.length });
  });

  test("that breaks off ends with 3 and leaves no file", async () => {
    const outcome = await contact(["export", "--out", join(folder, "messages.csv")], { answer: broken });
    expect(outcome.code).toBe(3);
    expect(outcome.err).toContain("was interrupted");
    expect(await readdir(folder)).toEqual([]);
    expect((await contact(["export"], { answer: broken })).code).toBe(3);
  });

  test.each([
    ["a refusal", () => refusal(403, "FORBIDDEN", "You are not allowed to do this"), 3, "not allowed"],
    ["a page that is not Atrium's", () => new Response("<html>"), 3, "is not an Atrium server"],
    ["data instead of a file", () => success({}), 3, "is not an Atrium server"],
  ])("is none for %s, and leaves no file", async (_what, answer, code, words) => {
    const outcome = await contact(["export", "--out", join(folder, "messages.csv")], { answer });
    expect([outcome.code, outcome.out]).toEqual([code, ""]);
    expect(outcome.err).toContain(words);
    expect(await readdir(folder)).toEqual([]);
  });

  test("into a folder that does not exist ends with 1 and says why", async () => {
    const outcome = await contact(["export", "--out", join(folder, "none", "a.csv")], { answer: whole });
    expect(outcome.code).toBe(1);
    expect(outcome.err).toContain("none/a.csv (ENOENT)");
  });
});
