import { describe, expect, test } from "bun:test";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { endAfterEachTest } from "#api/testing/for-each-test.ts";
import { selfSigned } from "#api/testing/self-signed.ts";
import { type SmtpSink, startSmtpSink } from "#api/testing/smtp-sink.ts";
import { openRawServer } from "#api/testing/tcp-sink.ts";
import type { OutgoingMail } from "./eml-transport.ts";
import { createMailTest, testSmtp } from "./test-smtp.ts";

const mail: OutgoingMail = {
  id: "0192aaaa-0000-7000-8000-000000000001",
  createdAt: new Date("2026-03-04T05:06:07.000Z"),
  to: "ada@example.test",
  subject: "A test email",
  text: "Hello",
  html: "<p>Hello</p>",
};
const mailFrom = "Atrium <no-reply@app.example>";
const password = "pa55word-of-the-operator";
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, flush: () => {} };

const closing = endAfterEachTest();

const sinkThat = async (behaviour: Parameters<SmtpSink["behave"]>[0] = {}): Promise<SmtpSink> => {
  const sink = await startSmtpSink();
  sink.behave(behaviour);
  closing.push(sink.down);
  return sink;
};

/** Another mail server: its port, and how to connect to it as a user. */
const serverWith = async (options: SMTPServerOptions) => {
  const passwords: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 50,
    ...selfSigned,
    onAuth: ({ password: tried }, _session, done) => {
      passwords.push(tried ?? "");
      if (tried === password) done(null, { user: "ada" });
      else done(Object.assign(new Error("Authentication failed"), { responseCode: 535 }));
    },
    onData: (stream, _session, done) => {
      stream.on("data", () => {});
      stream.on("end", () => done());
    },
    ...options,
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  closing.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { port: portOf(server.server), passwords };
};

const portOf = (server: { address(): unknown }): number =>
  Number(Reflect.get(Object(server.address()), "port"));

const plainServer = async (onConnect: (write: (text: string) => void) => void): Promise<number> => {
  const { port, close } = await openRawServer((socket) => onConnect((text) => socket.write(text)));
  closing.push(close);
  return port;
};

const tried = async (smtpUrl: string, deadlineMs = 5_000) => {
  const report = await testSmtp({ smtpUrl, mailFrom, deadlineMs }, mail);
  const failed = report.steps.find(({ status }) => status === "failed");
  for (const { message } of report.steps) expect(message).toEndWith(".");
  return { report, failed, states: report.steps.map(({ name, status }) => `${name} ${status}`) };
};

// An address of this machine that counts as elsewhere.
const host = "127.0.0.2";
const trusting = "tls.rejectUnauthorized=false";

describe("a test email", () => {
  test("goes through every step and arrives, once", async () => {
    const sink = await sinkThat();
    const { report, states } = await tried(sink.url);
    expect(states).toEqual([
      "Address passed",
      "Connection passed",
      "Encryption warning",
      "Sign-in skipped",
      "Delivery passed",
    ]);
    expect(report).toMatchObject({ isWorking: true, summary: expect.stringContaining("ada@example.test") });
    expect(sink.mails.map(({ recipients, subject }) => [recipients, subject])).toEqual([
      [["ada@example.test"], "A test email"],
    ]);
  });

  test("over TLS and signed in has nothing to warn of", async () => {
    for (const secure of [true, false]) {
      const { port } = await serverWith({ secure });
      const scheme = secure ? "smtps" : "smtp";
      const { states } = await tried(`${scheme}://ada:${password}@127.0.0.1:${port}?${trusting}`);
      expect(states.map((state) => state.split(" ")[1])).toEqual(Array(5).fill("passed"));
    }
  });
});

describe("a test email that fails says at which step, why, and what to do:", () => {
  test("a name that is not known", async () => {
    const { failed, states } = await tried("smtp://mail.invalid:2525");
    expect(states).toEqual([
      "Address failed",
      "Connection skipped",
      "Encryption skipped",
      "Sign-in skipped",
      "Delivery skipped",
    ]);
    expect(failed?.message).toMatch(/mail\.invalid:2525 (?:is unknown|could not be resolved)/);
  });

  test("a port where no one listens", async () => {
    const sink = await sinkThat();
    await sink.down();
    const { failed, report } = await tried(sink.url);
    expect(failed).toMatchObject({
      name: "Connection",
      message: expect.stringContaining("refuses connections"),
    });
    expect(failed?.remedy).toContain("port");
    expect(report).toMatchObject({ isWorking: false, summary: failed?.message, details: failed?.remedy });
  });

  test.each<[string, (write: (text: string) => void) => void]>([
    ["does not greet", () => {}],
    ["greets and falls silent", (write) => write("220 hello\r\n")],
  ])("a server that %s, within the time", async (_, onConnect) => {
    const port = await plainServer(onConnect);
    const begun = performance.now();
    const { failed } = await tried(`smtp://127.0.0.1:${port}`, 400);
    expect(performance.now() - begun).toBeLessThan(2_000);
    expect(failed?.name).toBe("Connection");
    expect(failed?.message).toMatch(/does not respond|No response within 0\.4 seconds/);
  });

  test("a server that is not a mail server", async () => {
    const port = await plainServer((write) => write("HTTP/1.1 400 Bad Request\r\n\r\n"));
    const { failed } = await tried(`smtp://127.0.0.1:${port}`);
    expect(failed).toMatchObject({
      name: "Connection",
      message: expect.stringContaining("like a mail server"),
    });
  });

  test("a certificate that no one vouches for, with TLS from the start and with STARTTLS", async () => {
    for (const secure of [true, false]) {
      const { port, passwords } = await serverWith({ secure });
      const scheme = secure ? "smtps" : "smtp";
      const { failed, states } = await tried(`${scheme}://ada:${password}@127.0.0.1:${port}`);
      expect(states.slice(0, 3)).toEqual(["Address passed", "Connection passed", "Encryption failed"]);
      expect(failed?.message).toMatch(/certificate/);
      expect(passwords).toEqual([]);
    }
  });

  test("TLS where the server does not speak it", async () => {
    const sink = await sinkThat();
    const { failed } = await tried(sink.url.replace("smtp://", "smtps://"));
    expect(failed?.name).toBe("Encryption");
    expect(failed?.remedy).toContain("smtps://");
  });

  test("no encryption where a password would cross the network", async () => {
    const { port, passwords } = await serverWith({ disabledCommands: ["STARTTLS"] });
    const { failed } = await tried(`smtp://ada:${password}@${host}:${port}`);
    expect(failed).toMatchObject({
      name: "Encryption",
      message: expect.stringContaining("offers no encryption"),
    });
    expect(passwords).toEqual([]);
  });

  test("a password that is not right, which is not shown", async () => {
    const { port } = await serverWith({ secure: true });
    const { failed, report } = await tried(`smtps://ada:wrong-secret@127.0.0.1:${port}?${trusting}`);
    expect(failed).toMatchObject({ name: "Sign-in", message: expect.stringContaining("user name") });
    expect(JSON.stringify(report)).not.toContain("wrong-secret");
  });

  test.each([
    ["550 5.1.1 No such user", "refused the recipient"],
    ["550 5.7.1 Relaying denied", "does not relay emails"],
    ["451 4.3.0 Try later", "postponed it"],
  ] as const)("a recipient answered with %s", async (answer, words) => {
    const sink = await sinkThat({ onRecipient: () => answer });
    const { failed } = await tried(sink.url);
    expect(failed).toMatchObject({ name: "Delivery", message: expect.stringContaining(words) });
    expect(failed?.remedy?.length).toBeGreaterThan(10);
  });

  test("a text that is refused, and a server that hangs over it", async () => {
    const sink = await sinkThat({ onText: () => "554 5.6.0 spam" });
    expect((await tried(sink.url)).failed).toMatchObject({
      name: "Delivery",
      message: expect.stringContaining("refused the content"),
    });
    sink.behave({ onText: () => "hang" });
    const begun = performance.now();
    expect((await tried(sink.url, 500)).failed?.name).toBe("Delivery");
    expect(performance.now() - begun).toBeLessThan(2_000);
  });

  test("E4: what tries to be a header or a second recipient is not sent", async () => {
    const sink = await sinkThat();
    const report = await testSmtp(
      { smtpUrl: sink.url, mailFrom },
      { ...mail, to: "ada@example.test\r\nBcc: eve@example.test" },
    );
    expect([report.isWorking, sink.mails]).toEqual([false, []]);
  });
});

describe("without a mail server", () => {
  test("the email becomes a file; it is told where, and that no one receives it", async () => {
    const folder = makeDataFolder();
    closing.push(folder.remove);
    const report = await createMailTest({ smtpUrl: null, mailFrom, dataDir: folder.path, log })(mail);
    expect(report).toMatchObject({ isWorking: true, summary: expect.stringContaining("not delivered") });
    const [file, server] = report.steps;
    expect(await Bun.file(file?.message ?? "").text()).toContain("ada@example.test");
    expect(server).toMatchObject({ status: "warning", remedy: expect.stringContaining("SMTP_URL") });
  });

  test("and without a folder to write to it has failed", async () => {
    const test = createMailTest({ smtpUrl: null, mailFrom, dataDir: "/dev/null/none", log });
    expect(await test(mail)).toMatchObject({ isWorking: false, steps: [{ status: "failed" }] });
  });
});
