import type { Log } from "#api/core/log.ts";
import { createEmlTransport, type MailTransport, mimeMessage, type Sender } from "./eml-transport.ts";
import { smtpFailure, smtpOptions, strikeSmtpSecrets } from "./smtp-failure.ts";

/** How emails leave. */
export type MailTransportConfig = { smtpUrl: string | null; mailFrom: Sender; dataDir: string; log: Log };

/** Sends through `smtpUrl`, or, without one, into files under `dataDir/outbox` and links into the log. */
export const createMailTransport = ({
  smtpUrl,
  mailFrom,
  dataDir,
  log,
}: MailTransportConfig): MailTransport =>
  smtpUrl === null
    ? createEmlTransport({ mailFrom, dataDir, log })
    : createSmtpTransport({ smtpUrl, mailFrom });

/** Where to send, and how long the server may stay silent at any point (10 s unless said). */
type SmtpTransportOptions = { smtpUrl: string; mailFrom: Sender; silenceMs?: number };

// As many as the outbox's worker sends at the same time.
const maxConnections = 4;
const idleMs = 30_000;

/**
 * Sends through an SMTP server over a few kept connections. `smtps://` is TLS from the start; with `smtp://` STARTTLS is
 * used when offered, and demanded where a password would cross a network otherwise.
 */
export const createSmtpTransport = (options: SmtpTransportOptions): MailTransport => {
  const { smtpUrl, mailFrom, silenceMs = 10_000 } = options;
  const strike = strikeSmtpSecrets(smtpUrl);
  let pool: ReturnType<typeof openPool> | null = null;

  return {
    kind: "smtp",
    send: async (mail, signal) => {
      const message = mimeMessage(mail, mailFrom);
      if (!message) return { kind: "refused", reason: "the recipient is not one email address" };
      try {
        pool ??= openPool(smtpUrl, silenceMs);
        await (await pool).sendMail({ ...message, signal });
        return { kind: "sent" };
      } catch (error) {
        return smtpFailure(error, strike);
      }
    },
    close: async () => (await pool)?.close(),
  };
};

/** The library is loaded with the first email: it has no part in a start. */
const openPool = async (smtpUrl: string, silenceMs: number) => {
  const { createTransport } = await import("nodemailer");
  return createTransport({
    url: smtpUrl,
    pool: true,
    ...smtpOptions(smtpUrl, silenceMs),
    maxConnections,
    // A connection that the server closed while it was idle is replaced once before a try counts as failed.
    maxRequeues: 1,
    idleTimeout: idleMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
};
