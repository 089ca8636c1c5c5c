import { domainToASCII } from "node:url";
import type { SendMailOptions } from "nodemailer";
import { emailComplaint } from "#contract/account-rules.ts";
import type { OutgoingMail } from "./outgoing-mail.ts";

/**
 * A mail in nodemailer's form, or `null` when the recipient is not exactly one address. The envelope is fixed here, so
 * that no text in a header can add a recipient; an address for answers that is not one is left out.
 */
export const mimeMessage = (mail: OutgoingMail, mailFrom: string): SendMailOptions | null => {
  if (emailComplaint(mail.to) !== null) return null;
  const from = parseMailbox(mailFrom);
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
