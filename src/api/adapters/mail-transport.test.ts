import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import type { Log, LogFields } from "#api/core/log.ts";
import { type SmtpSink, startSmtpSink } from "#api/testing/smtp-sink.ts";
import type { MailTransport, OutgoingMail } from "./eml-transport.ts";
import { createMailTransport, createSmtpTransport } from "./mail-transport.ts";

const mailFrom = "Atrium <no-reply@app.example>";
const link = "https://app.example/verify-email?token=abc";
const mail: OutgoingMail = {
  id: "0192aaaa-0000-7000-8000-000000000001",
  createdAt: new Date("2026-03-04T05:06:07.000Z"),
  to: "ada@example.test",
  subject: "Grüße, Ada",
  text: `Open ${link}\n`,
  html: `<p><a href="${link}">Öffnen</a></p>`,
  link,
};
const never = new AbortController().signal;

let dataDir: string;
let lines: string[];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "atrium-mail-"));
  lines = [];
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const note = (message: string, fields?: LogFields) => void lines.push(`${message} ${String(fields?.link)}`);
const log: Log = { debug: note, info: note, warn: note, error: note, flush: () => {} };
const filed = () => join(dataDir, "outbox", readdirSync(join(dataDir, "outbox"))[0] ?? "");

describe("without a mail server", () => {
  const transport = () => createMailTransport({ smtpUrl: null, mailFrom, dataDir, log });

  test("an email becomes one file for the owner's eyes, complete and readable by mail programs", async () => {
    expect(await transport().send(mail, never)).toEqual({ kind: "sent" });
    expect(readdirSync(join(dataDir, "outbox"))).toEqual([`2026-03-04T05-06-07.000Z-${mail.id}.eml`]);
    expect([statSync(filed()).mode & 0o777, statSync(join(dataDir, "outbox")).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);
    const parsed = await PostalMime.parse(readFileSync(filed()));
    expect(parsed).toMatchObject({
      from: { name: "Atrium", address: "no-reply@app.example" },
      to: [{ address: "ada@example.test" }],
      subject: "Grüße, Ada",
      messageId: `<${mail.id}@app.example>`,
      date: "2026-03-04T05:06:07.000Z",
    });
    expect(parsed.text?.trim()).toBe(`Open ${link}`);
    expect(parsed.html).toContain("Öffnen");
    expect(readFileSync(filed(), "latin1")).not.toMatch(/[^\r]\n/);
  });

  test("its link is in the log", async () => {
    await transport().send(mail, never);
    expect(lines).toEqual([`email for ada@example.test: Grüße, Ada ${link}`]);
  });

  test("an email sent twice is still one file", async () => {
    await transport().send(mail, never);
    await transport().send(mail, never);
    expect(readdirSync(join(dataDir, "outbox"))).toHaveLength(1);
  });

  test("a folder that cannot be written postpones the email and leaves no half file", async () => {
    writeFileSync(join(dataDir, "outbox"), "a file in its place");
    expect(await transport().send(mail, never)).toMatchObject({ kind: "unreachable" });
    expect(lines).toEqual([]);
  });
});

describe("a mail server elsewhere without STARTTLS", () => {
  const passwords: string[] = [];
  const texts: string[] = [];
  // Another address of this machine, which counts as elsewhere.
  const elsewhere = "127.0.0.2";
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    onAuth: ({ password }, _session, done) => {
      passwords.push(password ?? "");
      done(null, { user: "ada" });
    },
    onData: (stream, _session, done) => {
      stream.on("data", () => {});
      stream.on("end", () => {
        texts.push("taken");
        done();
      });
    },
  });
  let port: number;
  beforeAll(async () => {
    server.on("error", () => {});
    await new Promise<void>((resolve) => server.listen(0, elsewhere, resolve));
    const address = server.server.address();
    port = typeof address === "object" && address !== null ? address.port : 0;
  });
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

  beforeEach(() => {
    texts.length = 0;
  });

  test("gets no password and no email", async () => {
    const transport = createSmtpTransport({ smtpUrl: `smtp://ada:hunter2@${elsewhere}:${port}`, mailFrom });
    expect((await transport.send(mail, never)).kind).not.toBe("sent");
    await transport.close();
    expect([passwords, texts]).toEqual([[], []]);
  });

  test("gets emails where no password is needed", async () => {
    const transport = createSmtpTransport({ smtpUrl: `smtp://${elsewhere}:${port}`, mailFrom });
    expect(await transport.send(mail, never)).toEqual({ kind: "sent" });
    await transport.close();
    expect(texts).toEqual(["taken"]);
  });
});

describe("with a mail server", () => {
  let sink: SmtpSink;
  let transport: MailTransport;
  beforeEach(async () => {
    sink = await startSmtpSink();
    transport = createSmtpTransport({ smtpUrl: sink.url, mailFrom });
  });
  afterEach(async () => {
    await transport.close();
    await sink.down();
  });

  test("an email arrives whole, with a Message-ID made from its row", async () => {
    expect(await transport.send(mail, never)).toEqual({ kind: "sent" });
    const [caught] = sink.mails;
    expect(caught).toMatchObject({ subject: "Grüße, Ada", messageId: `<${mail.id}@app.example>` });
    expect(caught?.recipients).toEqual(["ada@example.test"]);
    expect(caught?.html).toContain("Öffnen");
    expect(caught?.raw).toContain("Auto-Submitted: auto-generated");
  });

  test("several emails share a connection", async () => {
    for (let round = 0; round < 3; round += 1) await transport.send(mail, never);
    expect([sink.mails.length, sink.connections]).toEqual([3, 1]);
  });

  test("a server that was restarted is found again, at the latest with the second try", async () => {
    await transport.send(mail, never);
    await sink.down();
    await sink.up();
    const first = await transport.send(mail, never);
    expect(["sent", "unreachable"]).toContain(first.kind);
    expect(await transport.send(mail, never)).toEqual({ kind: "sent" });
  });

  test("a refused recipient is refused permanently, and the connection stays usable", async () => {
    sink.behave({ onRecipient: (address) => (address === mail.to ? "550 5.1.1 No such user" : "take") });
    expect(await transport.send(mail, never)).toEqual({
      kind: "refused",
      reason: "EENVELOPE at RCPT TO: 550 5.1.1 No such user",
    });
    expect(await transport.send({ ...mail, to: "bob@example.test" }, never)).toEqual({ kind: "sent" });
  });

  test("a text put off is postponed", async () => {
    sink.behave({ onText: () => "451 4.3.0 Later" });
    expect(await transport.send(mail, never)).toMatchObject({ kind: "postponed" });
  });

  test("a server that falls silent is left after the agreed time", async () => {
    sink.behave({ onText: () => "hang" });
    const impatient = createSmtpTransport({ smtpUrl: sink.url, mailFrom, silenceMs: 300 });
    const start = performance.now();
    expect(await impatient.send(mail, never)).toMatchObject({ kind: "unreachable" });
    expect(performance.now() - start).toBeLessThan(4_000);
    await impatient.close();
  });

  test("a try is ended from outside, however the server stalls", async () => {
    sink.behave({ onText: () => "hang" });
    const patient = createSmtpTransport({ smtpUrl: sink.url, mailFrom, silenceMs: 60_000 });
    expect(await patient.send(mail, AbortSignal.timeout(200))).toMatchObject({ kind: "unreachable" });
    await patient.close();
  });

  test("an absent server is told from a refused email", async () => {
    await sink.down();
    expect(await transport.send(mail, never)).toMatchObject({ kind: "unreachable" });
  });

  test("the password in the URL stays out of the reason", async () => {
    const secret = "pa55word-of-the-operator";
    const url = sink.url.replace("smtp://", `smtp://operator:${secret}@`);
    await sink.down();
    const signedIn = createSmtpTransport({ smtpUrl: url, mailFrom });
    expect(JSON.stringify(await signedIn.send(mail, never))).not.toContain(secret);
    await signedIn.close();
  });

  describe("E4: what tries to be a header or a recipient", () => {
    test.each([
      "ada@example.test\r\nBcc: eve@example.test",
      "ada@example.test, eve@example.test",
      "ada@example.test>,<eve@example.test",
      "ada@example.test%0aBcc:eve@example.test@x",
      '"ada, eve" <eve@example.test>',
      "Group: ada@example.test, eve@example.test;",
      "ada@example.test\0",
    ])("%j is refused as a recipient, and nothing is sent", async (to) => {
      const outcome = await transport.send({ ...mail, to }, never);
      expect([outcome.kind, sink.connections]).toEqual(["refused", 0]);
    });

    test("a subject with line breaks stays one header and adds no recipient", async () => {
      const subject = "Hi\r\nBcc: eve@example.test\r\n\r\nAnother text";
      expect(await transport.send({ ...mail, subject }, never)).toEqual({ kind: "sent" });
      const [caught] = sink.mails;
      expect(caught?.recipients).toEqual(["ada@example.test"]);
      expect(caught?.headers.map(({ key }) => key)).not.toContain("bcc");
      expect(caught?.text?.trim()).toBe(`Open ${link}`);
    });

    test("a text with a line that is only a dot arrives unharmed", async () => {
      await transport.send({ ...mail, text: "above\r\n.\r\nRCPT TO:<eve@example.test>\r\n" }, never);
      expect([sink.mails.length, sink.mails[0]?.text?.includes("RCPT TO")]).toEqual([1, true]);
    });
  });
});
