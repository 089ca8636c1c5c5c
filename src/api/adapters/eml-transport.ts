import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { domainToASCII } from "node:url";
import type { SendMailOptions } from "nodemailer";
import type { Mail } from "#api/core/context.ts";
import type { Log } from "#api/core/log.ts";
import { emailComplaint } from "#contract/account-rules.ts";

/** Where the files go: `dataDir/outbox`. */
type EmlTransportOptions = { mailFrom: Sender; dataDir: string; log: Log };

/**
 * Is in for a mail server: writes each email as `<time>-<id>.eml`, readable by the owner only, and puts its link
 * into the log, to click on.
 */
export const createEmlTransport = (options: EmlTransportOptions): MailTransport => ({
  kind: "outbox",
  send: async (mail) => {
    const outcome = await writeEml(options, mail);
    return outcome.kind === "sent" ? { kind: "sent" } : outcome;
  },
  close: async () => {},
});

/** Writes one email as such a file, and says where. */
export const writeEml = async (
  { mailFrom, dataDir, log }: EmlTransportOptions,
  mail: OutgoingMail,
): Promise<{ kind: "sent"; file: string } | Exclude<SendOutcome, { kind: "sent" }>> => {
  const message = mimeMessage(mail, mailFrom);
  if (!message) return { kind: "refused", reason: "the recipient is not one email address" };
  const folder = join(dataDir, "outbox");
  const file = join(folder, fileNameOf(mail));
  try {
    const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
    await writeWhole(folder, file, await new MailComposer(message).compile().build());
  } catch (error) {
    return {
      kind: "unreachable",
      reason: `${file} cannot be written: ${String(Reflect.get(Object(error), "code"))}`,
    };
  }
  const link = mail.link === undefined ? {} : { link: printable(mail.link) };
  log.info(`email for ${printable(mail.to)}: ${printable(mail.subject)}`, { file, ...link });
  return { kind: "sent", file };
};

/** The same at every try, so that an email written twice is still one file. */
const fileNameOf = (mail: OutgoingMail): string =>
  `${mail.createdAt.toISOString().replaceAll(":", "-")}-${mail.id}.eml`;

/** No one sees half a file, and it is on the disk before the outbox forgets the text. */
const writeWhole = async (folder: string, file: string, bytes: Uint8Array): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${file}.new`;
  try {
    const handle = await open(draft, "w", 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
};

const printable = (text: string): string => text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, " ");

/**
 * An email in nodemailer's form, or `null` when the recipient is not exactly one address. The envelope is fixed here, so
 * that no text in a header can add a recipient; an address for answers that is not one is left out.
 */
export const mimeMessage = (mail: OutgoingMail, mailFrom: Sender): SendMailOptions | null => {
  if (emailComplaint(mail.to) !== null) return null;
  const from = parseMailbox(typeof mailFrom === "string" ? mailFrom : mailFrom());
  const to = mail.to.trim();
  return {
    from,
    to: { name: "", address: to },
    ...(mail.replyTo !== undefined && emailComplaint(mail.replyTo) === null
      ? { replyTo: { name: "", address: mail.replyTo.trim() } }
      : {}),
    envelope: { from: from.address, to: [to] },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    date: mail.createdAt,
    messageId: `<${mail.id}@${hostOf(from.address)}>`,
    // RFC 3834: keeps holiday notices from answering.
    headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
    newline: "windows",
    disableFileAccess: true,
    disableUrlAccess: true,
  };
};

const parseMailbox = (mailbox: string): { name: string; address: string } => {
  const named = /^\s*"?(.*?)"?\s*<([^<>]+)>\s*$/.exec(mailbox);
  return { name: named?.[1] ?? "", address: (named?.[2] ?? mailbox).trim() };
};

const hostOf = (address: string): string =>
  domainToASCII(address.slice(address.lastIndexOf("@") + 1)) || "localhost";

/** An email on its way out. `id` is its row in the outbox and makes the Message-ID: the same at every try. */
export type OutgoingMail = Mail & { id: string; createdAt: Date };

/**
 * How a try to send ended. `refused`: this email will never be taken. `postponed`: not now, but other emails may pass.
 * `unreachable`: nothing can be sent at the moment. `reason` is for people and holds no secret, link or token.
 */
export type SendOutcome =
  | { kind: "sent" }
  | { kind: "refused" | "postponed" | "unreachable"; reason: string };

/** Whom emails are from, as `name@host` or `Name <name@host>`; a function where that can change. */
export type Sender = string | (() => string);

/** The way out of the house. */
export type MailTransport = {
  readonly kind: "smtp" | "outbox";
  /** Never rejects for what the other side does; aborting `signal` ends a try that hangs. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<SendOutcome>;
  close(): Promise<void>;
};
