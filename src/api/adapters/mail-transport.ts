import type { Log } from "#api/core/log.ts";
import { createEmlTransport } from "./eml-transport.ts";
import type { MailTransport } from "./outgoing-mail.ts";
import { createSmtpTransport } from "./smtp-transport.ts";

/** The part of the configuration that says how mails leave. `mailFrom` is `name@host` or `Name <name@host>`. */
export type MailTransportConfig = { smtpUrl: string | null; mailFrom: string; dataDir: string; log: Log };

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
