import { lookup } from "node:dns/promises";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { ConnectionReport } from "#api/core/settings.ts";
import type { TestStep } from "#contract/settings.ts";
import { mimeMessage, type OutgoingMail, type Sender, writeEml } from "./eml-transport.ts";
import type { MailTransportConfig } from "./mail-transport.ts";
import {
  type SmtpStep,
  type Strike,
  serverWords,
  smtpComplaint,
  smtpOptions,
  smtpServer,
  smtpSteps,
  strikeSmtpSecrets,
} from "./smtp-failure.ts";

/** Where to send from and through which server; how long it may take in all: 5 s. */
type SmtpTestOptions = { smtpUrl: string; mailFrom: Sender; deadlineMs?: number };

/** A step that was gone through, in a clause; `isWarned` when it is fine and yet not good. */
type Passed = { message: string; isWarned?: true };

/**
 * Sends an email step by step over a connection of its own, as the outbox's worker would: looks the server up, connects,
 * encrypts, signs in, delivers. Reports what each step came to; never throws, and holds no connection afterwards.
 */
export const testSmtp = async (options: SmtpTestOptions, mail: OutgoingMail): Promise<ConnectionReport> => {
  const { smtpUrl, mailFrom, deadlineMs = 5_000 } = options;
  const server = smtpServer(smtpUrl);
  const strike = strikeSmtpSecrets(smtpUrl);
  const walk = createWalk({ server: server.name, deadlineMs, strike });
  const session = createSession(options, walk.end);
  try {
    await walk.step("address", async () => {
      await lookup(server.host);
      return { message: `${server.host} is known` };
    });
    await walk.step("connection", async () => {
      await session.connect();
      return { message: `${server.name} responds as a mail server` };
    });
    await walk.step("encryption", async () => session.encryption());
    await walk.step("login", async () => session.login());
    await walk.step("delivery", async () => {
      const answer = serverWords(await session.send(mail, mailFrom), strike);
      return { message: `The server accepted the email for ${mail.to}: ${answer}` };
    });
  } catch (error) {
    if (!(error instanceof EndedWalk)) throw error;
  } finally {
    session.close();
  }
  return walk.report(mail);
};

class EndedWalk extends Error {}

type WalkOptions = { server: string; deadlineMs: number; strike: Strike };

/** Goes from step to step until one fails or the time is over. */
const createWalk = ({ server, deadlineMs, strike }: WalkOptions) => {
  const steps: TestStep[] = [];
  const end = performance.now() + deadlineMs;

  const fail = (name: SmtpStep, error: unknown, durationMs: number): never => {
    const { step, message, remedy } =
      error instanceof OutOfTime
        ? { step: name, message: `No response within ${deadlineMs / 1_000} seconds`, remedy: slow }
        : smtpComplaint(error, { step: name, server, strike });
    if (step !== name)
      steps.push({ name: smtpSteps[name], status: "passed", message: `${server} responds.`, durationMs });
    steps.push({ name: smtpSteps[step], status: "failed", message: sentence(message), remedy, durationMs });
    throw new EndedWalk();
  };

  return {
    end,
    step: async (name: SmtpStep, work: () => Promise<Passed | null>): Promise<void> => {
      const startedAt = performance.now();
      const durationMs = () => Math.round(performance.now() - startedAt);
      let passed: Passed | null = null;
      try {
        passed = await inTime(work(), end);
      } catch (error) {
        fail(name, error, durationMs());
      }
      const shown = smtpSteps[name];
      if (passed === null)
        steps.push({ name: shown, status: "skipped", message: "Not required: SMTP_URL has no user name." });
      else
        steps.push({
          name: shown,
          status: passed.isWarned ? "warning" : "passed",
          message: sentence(passed.message),
          ...(passed.isWarned ? { remedy: plain } : {}),
          durationMs: durationMs(),
        });
    },
    report: ({ to }: OutgoingMail): ConnectionReport => {
      const failed = steps.find(({ status }) => status === "failed");
      const rest = Object.values(smtpSteps).slice(steps.length);
      const untried = rest.map(
        (name): TestStep => ({ name, status: "skipped", message: "Not tried: an earlier step failed." }),
      );
      return {
        isWorking: failed === undefined,
        summary: failed === undefined ? `A test email to ${to} was accepted by ${server}.` : failed.message,
        details:
          failed === undefined
            ? "Check that it arrives, and look in the spam folder, too."
            : (failed.remedy ?? ""),
        steps: [...steps, ...untried],
      };
    },
  };
};

const slow = "Check host and port in SMTP_URL, and whether the mail server is overloaded.";
const plain =
  "Fine on this machine or in a closed network; elsewhere use smtps:// or a server with STARTTLS.";

/** A clause as a sentence; a server whose words it ends with may have ended it already. */
const sentence = (clause: string): string => (/[.!?]$/.test(clause) ? clause : `${clause}.`);

class OutOfTime extends Error {}

const inTime = async <T>(work: Promise<T>, end: number): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new OutOfTime()), Math.max(0, end - performance.now()));
  });
  // It may fail after no one waits for it any more.
  work.catch(() => {});
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};

/** One connection of the library that also sends all other emails, step by step. */
const createSession = ({ smtpUrl }: SmtpTestOptions, end: number) => {
  let connection: SMTPConnection | null = null;
  let auth: { user?: string; pass?: string } | null = null;
  let broken: Promise<never> = new Promise(() => {});

  /** What the library calls back, or what breaks the connection meanwhile. */
  const settled = <T>(begin: (open: SMTPConnection, done: (error: unknown, value?: T) => void) => void) => {
    const open = connection;
    if (open === null) throw new Error("there is no connection");
    const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
    begin(open, (error, value) => (error ? reject(error) : resolve(value)));
    return Promise.race([promise, broken]);
  };

  return {
    connect: async (): Promise<void> => {
      const [{ default: Connection }, { parseConnectionUrl }] = await Promise.all([
        import("nodemailer/lib/smtp-connection"),
        import("nodemailer/lib/shared"),
      ]);
      const { auth: given, ...where } = parseConnectionUrl(smtpUrl);
      auth = given ?? null;
      const leftMs = Math.max(1, end - performance.now());
      const open = new Connection({ ...where, ...smtpOptions(smtpUrl, leftMs) });
      connection = open;
      broken = new Promise((_, reject) => open.on("error", reject));
      broken.catch(() => {});
      await settled((each, done) => each.connect(done));
    },
    encryption: (): Passed =>
      connection?.secure
        ? { message: "The connection is encrypted" }
        : { message: "The server offers no encryption", isWarned: true },
    login: async (): Promise<Passed | null> => {
      const credentials = auth;
      if (credentials === null) return null;
      await settled((each, done) => each.login(credentials, done));
      return { message: "The server accepted user name and password" };
    },
    send: async (mail: OutgoingMail, mailFrom: Sender): Promise<string> => {
      const message = mimeMessage(mail, mailFrom);
      if (message?.envelope === undefined) throw new Error("the recipient is not one email address");
      const { envelope } = message;
      const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
      const bytes = await new MailComposer(message).compile().build();
      const from = String(envelope.from);
      const info = await settled<{ response: string }>((each, done) =>
        each.send({ from, to: [mail.to.trim()] }, bytes, done),
      );
      return info?.response ?? "";
    },
    close: (): void => {
      // What is under way when the time is over ends with an error that no one waits for.
      connection?.on("error", () => {});
      if (connection?.stage === "connected") connection.quit();
      connection?.close();
    },
  };
};

/** Sends an email at once by the way that all emails take, and reports what each step came to; never throws. */
type MailTest = (mail: OutgoingMail) => Promise<ConnectionReport>;

/** The test of the configured way: see {@link testSmtp}; without a mail server the file that is written in its place. */
export const createMailTest =
  ({ smtpUrl, mailFrom, dataDir, log }: MailTransportConfig): MailTest =>
  (mail) =>
    smtpUrl === null ? testOutbox({ mailFrom, dataDir, log }, mail) : testSmtp({ smtpUrl, mailFrom }, mail);

const testOutbox = async (
  options: Parameters<typeof writeEml>[0],
  mail: OutgoingMail,
): Promise<ConnectionReport> => {
  const outcome = await writeEml(options, mail);
  const remedy = "Set SMTP_URL to a mail server, and start the server again.";
  if (outcome.kind !== "sent")
    return {
      isWorking: false,
      summary: outcome.reason,
      details: "No mail server is configured, and the email could not be written to a file.",
      steps: [{ name: "File", status: "failed", message: outcome.reason, remedy: "Make DATA_DIR writable." }],
    };
  return {
    isWorking: true,
    summary: "The email was saved as a file and not delivered, because no mail server is configured.",
    details: remedy,
    steps: [
      { name: "File", status: "passed", message: outcome.file },
      { name: "Mail server", status: "warning", message: "None: SMTP_URL is not set.", remedy },
    ],
  };
};
