import { describe, expect, test } from "bun:test";
import { endAfterEachTest } from "#api/testing/for-each-test.ts";
import { openRawServer } from "#api/testing/tcp-sink.ts";
import type { OutgoingMail } from "./eml-transport.ts";
import { createSmtpTransport } from "./mail-transport.ts";
import { strikeSmtpSecrets } from "./smtp-failure.ts";
import { testSmtp } from "./test-smtp.ts";

const user = "ada@example.test";
const password = "hunter2/päss+w rd";
const inBase64 = (text: string): string => Buffer.from(text).toString("base64");
const told = {
  "the password": password,
  "the password in capitals": password.toUpperCase(),
  "the password as it is in the address": encodeURIComponent(password),
  "the password as Latin letters": Buffer.from(password).toString("latin1"),
  "what LOGIN sends": `${inBase64(user)} ${inBase64(password)}`,
  "what PLAIN sends": `AUTH PLAIN ${inBase64(`\0${user}\0${password}`)}`,
  "what PLAIN sends, with the name twice": inBase64(`${user}\0${user}\0${password}`),
  "what PLAIN sends, without what fills it up": inBase64(`\0${user}\0${password}`).replace(/=+$/, ""),
  "the user": user,
};
const readable = /hunter2|HUNTER2|ada@|aHVudGVyMi|AGFkYUBl|YWRhQGV4/;

const closing = endAfterEachTest();

/** A mail server that repeats what it was told: on signing in, or on the given command of an email. */
const quotingServer = async (quote: string, at: "AUTH" | "RCPT" | "text" | "taken"): Promise<string> => {
  const { port, close } = await openRawServer((socket) => {
    let isText = false;
    socket.write("220 quoting.example\r\n");
    const answers: Record<string, string> = {
      EHLO: "250-quoting.example\r\n250 AUTH PLAIN",
      AUTH: at === "AUTH" ? `535-5.7.8 bad login |${quote}|\r\n535 5.7.8 ${quote}` : "235 fine",
      RCPT: at === "RCPT" ? `550 5.7.1 who is |${quote}|` : "250 fine",
      DATA: "354 go on",
    };
    socket.on("data", (data) => {
      const said = data.toString();
      if (isText && !said.includes("\r\n.\r\n")) return;
      const end = at === "text" ? `554 5.6.0 no ${quote}` : `250 2.0.0 taken from ${quote}`;
      socket.write(`${isText ? end : (answers[said.slice(0, 4)] ?? "250 fine")}\r\n`);
      isText = said.startsWith("DATA");
    });
  });
  closing.push(close);
  return `smtp://${encodeURIComponent(user)}:${encodeURIComponent(password)}@127.0.0.1:${port}`;
};

const mail: OutgoingMail = {
  id: "0192aaaa-0000-7000-8000-000000000001",
  createdAt: new Date("2026-03-04T05:06:07.000Z"),
  to: "bob@example.test",
  subject: "A test email",
  text: "Hello",
  html: "<p>Hello</p>",
};
const mailFrom = "Atrium <no-reply@app.example>";

const quoted = Object.entries(told);
const places = ["AUTH", "RCPT", "text", "taken"] as const;
const cases = places.flatMap((at) => quoted.map(([what, quote]) => [at, what, quote] as const));

describe("S1: a mail server that repeats what it was told", () => {
  test.each(cases)("at %s tells no one %s", async (at, _, quote) => {
    const smtpUrl = await quotingServer(quote, at);
    const report = await testSmtp({ smtpUrl, mailFrom }, mail);
    expect(report.isWorking).toBe(at === "taken");
    const transport = createSmtpTransport({ smtpUrl, mailFrom });
    closing.push(transport.close);
    const outcome = await transport.send(mail, AbortSignal.timeout(5_000));
    expect(outcome.kind === "sent").toBe(at === "taken");
    expect(JSON.stringify([report, outcome])).not.toMatch(readable);
  });

  test("is not repeated at all about a sign-in, only its codes are", async () => {
    const smtpUrl = await quotingServer("2retnuh", "AUTH");
    const report = await testSmtp({ smtpUrl, mailFrom }, mail);
    expect(report.summary).toBe(
      "The server refused the user name or the password (EAUTH at AUTH PLAIN: 535 5.7.8 the sign-in did not succeed).",
    );
  });
});

describe("what is struck from a server's words", () => {
  test.each([
    [
      "mail.example:25 has no mailbox for mail",
      "smtp://mail:pw-1@mail.example",
      "[…].example:25 has no mailbox for […]",
    ],
    ["mailbox unavailable", "smtp://mail:pw-1@mail.example", "mailbox unavailable"],
    ["a.*c is not abc", "smtp://u:a.*c@mail.example", "[…] is not abc"],
    ["100% of 50%", "smtp://u:50%@mail.example", "100% of […]"],
    ["said :secret", "smtp://:secret@mail.example", "said :[…]"],
    ["nothing at all", "smtp://mail.example", "nothing at all"],
  ])("%s", (said, smtpUrl, shown) => expect(strikeSmtpSecrets(smtpUrl)(said)).toBe(shown));
});
