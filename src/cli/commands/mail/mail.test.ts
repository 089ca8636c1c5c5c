import { describe, expect, test } from "bun:test";
import { callsOf, run, success, type World } from "#cli/testing/run.ts";

const mail = {
  id: "019a9f00-0000-7000-8000-000000000000",
  recipient: "ada@example.com",
  subject: "Reset\u001b[31m your password",
  status: "dead",
  attempts: 24,
  lastError: "EENVELOPE at RCPT TO: 550 No such user",
  nextAttemptAt: null,
  createdAt: "2026-11-20T18:40:12.000Z",
  sentAt: null,
  canRetry: true,
};
const counts = { waiting: 2, sent: 5, dead: 1 };
const page = { mails: [mail], counts, pagination: { total: 3, limit: 1 } };
const state = {
  transport: "smtp",
  server: "mail.example:587",
  from: "Atrium <no-reply@example.com>",
  isHealthy: false,
  lastError: "ESOCKET: connection refused",
  counts,
};
const path = `/api/admin/mails/${mail.id}`;

const mails = (argv: string[], world: World = {}) =>
  run(["mail", ...argv], { answer: () => success(mail), ...world });

describe("mail list", () => {
  const answer = () => success(page);

  test("asks for what the options say", async () => {
    const words = ["list", "--status", "dead", "--search", "a & b", "--limit", "1", "--before", mail.id];
    expect(await callsOf(await mails(words, { answer }))).toEqual([
      `GET /api/admin/mails?status=dead&search=a+%26+b&limit=1&before=${mail.id}`,
    ]);
    expect(await callsOf(await mails(["list"], { answer }))).toEqual(["GET /api/admin/mails"]);
    expect((await mails(["list", "--status", "lost"], { answer })).code).toBe(2);
  });

  test("prints one email per line, without control characters", async () => {
    expect((await mails(["list"], { answer })).out).toBe(
      `${mail.id}\t2026-11-20 18:40Z\tgiven up\t24\tada@example.com\tReset\ufffd[31m your password\t${mail.lastError}\n`,
    );
  });

  test("on a terminal has headings, the total and the option for the next page, and says when there are none", async () => {
    const shown = await mails(["list"], { answer, isTerminal: true });
    expect(shown.out).toContain("SUBJECT");
    expect(shown.err).toBe(
      `1 of 3 emails; see older ones with --before ${mail.id}; in total 2 waiting and 1 given up\n`,
    );
    const none = { ...page, mails: [], pagination: { total: 0, limit: 25 } };
    const empty = await mails(["list"], { answer: () => success(none), isTerminal: true });
    expect([empty.out, empty.err]).toEqual(["No emails\n", ""]);
  });

  test("with --json prints exactly the API's data, with --ndjson one email per line, and not both", async () => {
    expect(JSON.parse((await mails(["list", "--json"], { answer })).out)).toEqual(page);
    const { out } = await mails(["list", "--ndjson"], { answer });
    expect(
      out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([mail]);
    expect((await mails(["list", "--json", "--ndjson"], { answer })).code).toBe(2);
  });
});

describe("mail show", () => {
  test("tells everything but the text", async () => {
    const outcome = await mails(["show", mail.id]);
    expect(await callsOf(outcome)).toEqual([`GET ${path}`]);
    expect(outcome.out).toContain("Status\tgiven up\n");
    expect(outcome.out).toContain("Next try\tnever\n");
    expect(outcome.out).toContain(`Last error\t${mail.lastError}\n`);
    const discarded = await mails(["show", mail.id], { answer: () => success({ ...mail, canRetry: false }) });
    expect(discarded.out).toContain("Status\tdiscarded\n");
  });
});

describe("mail status", () => {
  test("tells the server, how it goes and why it does not", async () => {
    const { out } = await mails(["status"], { answer: () => success(state) });
    expect(out).toContain("Sent by\tSMTP, mail.example:587\n");
    expect(out).toContain("State\temails can't be delivered: ESOCKET: connection refused\n");
    expect(out).toContain("Given up\t1\n");
    const files = { ...state, transport: "outbox", server: null, isHealthy: true, lastError: null };
    const kept = await mails(["status"], { answer: () => success(files) });
    expect(kept.out).toContain("Sent by\tfiles in the outbox folder\n");
    expect(kept.out).toContain("State\temails are saved as files and not delivered\n");
    const full = { ...files, isHealthy: false, lastError: "ENOSPC: no space left" };
    const stuck = await mails(["status"], { answer: () => success(full) });
    expect(stuck.out).toContain("State\temails can't be delivered: ENOSPC: no space left\n");
    const sending = { ...state, isHealthy: true, lastError: null };
    const well = await mails(["status"], { answer: () => success(sending) });
    expect(well.out).toContain("State\tworking\n");
  });
});

describe("mail retry", () => {
  test("retries one email, or all that were given up", async () => {
    const one = await mails(["retry", mail.id]);
    expect(await callsOf(one)).toEqual([`POST ${path}/retry`]);
    // The app in this process sends nothing: the server does once it runs.
    expect(one.out).toContain("Will be retried when the server starts: “Reset");
    const all = await mails(["retry", "--dead"], { answer: () => success({ retried: 2 }) });
    expect([await callsOf(all), all.out]).toEqual([
      ["POST /api/admin/mails/retry"],
      "Will be retried when the server starts: 2 emails\n",
    ]);
    const none = await mails(["retry", "--dead"], { answer: () => success({ retried: 0 }) });
    expect(none.out).toBe("No emails were given up\n");
  });

  test("of neither or both ends with 2 and sends nothing", async () => {
    for (const words of [["retry"], ["retry", mail.id, "--dead"]]) {
      const outcome = await mails(words);
      expect([outcome.code, outcome.calls.length]).toEqual([2, 0]);
    }
  });
});

describe("mail discard", () => {
  test("looks the email up for its question alone, which names it", async () => {
    const yes = await mails(["discard", mail.id], { typed: ["y"] });
    expect(await callsOf(yes)).toEqual([`GET ${path}`, `DELETE ${path}`]);
    expect(yes.err).toContain("your password” to ada@example.com permanently?");
    expect(await callsOf(await mails(["discard", mail.id, "--yes"]))).toEqual([`DELETE ${path}`]);
  });
});
